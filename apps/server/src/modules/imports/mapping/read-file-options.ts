/** Reads the sections of a mapping that describe the rows of a file. */
import { encodings } from '@portico/contract/encodings';
import type { CsvOptions, DocumentOptions } from '../source/mapping-types.ts';
import type { Cursor } from './mapping-cursor.ts';

/** Maximum of lines before the column names. */
const MOST_SKIPPED = 1_000;

/** Reads the options of a CSV file. */
export function readCsv(cursor: Cursor | undefined): CsvOptions {
  const given = cursor?.properties(['delimiter', 'quote', 'encoding', 'header', 'skip']) ?? {};
  const delimiter = given.delimiter?.separator();
  const quote = given.quote?.separator() ?? '"';
  if ([...quote].some((character) => (delimiter ?? ',').includes(character)))
    cursor?.fail('delimiter and quote must not have a character in common');
  return {
    delimiter,
    header: given.header?.items().map((item) => item.text() ?? ''),
    quote,
    encoding: given.encoding?.choice(encodings),
    skip: given.skip?.whole(0, MOST_SKIPPED) ?? 0,
  };
}

/** Reads the place of the rows in a JSON document or a workbook. */
export function readDocument(json: Cursor | undefined, xlsx: Cursor | undefined): DocumentOptions {
  const inJson = json?.properties(['rows', 'shape']) ?? {};
  const inSheet = xlsx?.properties(['sheet', 'skip', 'header']) ?? {};
  return {
    path: inJson.rows?.text()?.split('.') ?? [],
    shape: inJson.shape?.choice(['trello']),
    sheet: inSheet.sheet ? ((inSheet.sheet.isText ? inSheet.sheet.text() : inSheet.sheet.whole(1, 1_000)) ?? 1) : 1,
    skip: inSheet.skip?.whole(0, MOST_SKIPPED) ?? 0,
    header: inSheet.header?.items().map((item) => item.text() ?? ''),
  };
}
