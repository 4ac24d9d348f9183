import { TextFormat } from '@portico/contract';
import {
  deltaToPlainText,
  parseDelta,
  plainTextToDelta,
  RichTextError,
  serialiseDelta,
} from '@portico/platform/richtext';
import { sortKeyWithTies } from '@portico/platform/text';
import type { FieldMetadata, StoredValue, TextType } from './shared/field-type.ts';
import { texts } from './shared/texts.ts';
import { ValueError, wrongForm } from './shared/value-error.ts';

function parse(value: unknown, _field: FieldMetadata, format: TextFormat): string | undefined {
  try {
    if (format === TextFormat.PLAIN_TEXT && typeof value !== 'string')
      throw wrongForm('plain text, as deltaAreaFormat 2 says');
    const ops = format === TextFormat.PLAIN_TEXT ? plainTextToDelta(value as string) : parseDelta(value);
    const empty = ops.every((op) => typeof op.insert === 'string' && op.insert.trim() === '');
    return empty ? undefined : serialiseDelta(ops);
  } catch (error) {
    if (!(error instanceof RichTextError)) throw error;
    throw new ValueError(error.code === 'TOO_LARGE' ? 'TEXT_TOO_LONG' : 'INVALID_DELTA', `${error.message}.`);
  }
}

const plainText = (value: StoredValue) => deltaToPlainText(parseDelta(value));

/** SQL of the plain text of a stored delta, by the rules of `deltaToPlainText`. */
const plainTextSql = (stored: string) =>
  `(SELECT CASE WHEN right(t.text, 1) = E'\\n' THEN left(t.text, -1) ELSE t.text END FROM (
      SELECT string_agg(CASE jsonb_typeof(o.op -> 'insert') WHEN 'string' THEN o.op ->> 'insert' ELSE coalesce(
          '@' || regexp_replace(o.op #>> '{insert,mention,value}', '^@', ''),
          '#' || regexp_replace(o.op #>> '{insert,hashtag,value}', '^[#＃]', ''),
          o.op #>> '{insert,formula}', '') END, '' ORDER BY o.ord) AS text
        FROM jsonb_array_elements((${stored})::jsonb) WITH ORDINALITY AS o (op, ord)) t)`;

/** Rich text, stored as the bare array of operations in JSON text. */
export const deltaArea: TextType = {
  ...texts,
  parse,
  plainText,
  plainTextSql,
  columnValues: (value) => [sortKeyWithTies(plainText(value))],
  words: (value) => plainText(value as string),
  sample: ({ random, sentences }) => serialiseDelta(plainTextToDelta(random.some(sentences, 2).join('\n'))),
};
