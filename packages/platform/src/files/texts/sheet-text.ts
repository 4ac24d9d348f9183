/** The text of workbooks (XLSX): names of sheets, texts, numbers and dates of cells, comments. */
import { dateFromSerial, format, getFormatDateInfo, getFormatFromId } from 'numfmt';
import { decodeXString } from '../../text/index.ts';
import { attributeOf, decodeEntities, localName, type Markup, markupText, scanMarkup } from './markup.ts';
import { partsOf } from './zip-parts.ts';

const decode = (text: string) => decodeXString(decodeEntities(text));

const TEXTS: Markup = {
  lines: new Set(['si', 'text', 'comment']),
  spaces: new Set(),
  skipped: new Set(['rPh']),
  only: new Set(['t']),
  nameOf: localName,
  decode,
};
/** Comments of newer programs hold their text without parts. */
const THREADS: Markup = { ...TEXTS, skipped: new Set(['mentions']), only: new Set(['text']) };

const WORKBOOK = 'xl/workbook.xml';
const STYLES = 'xl/styles.xml';
const SHARED = 'xl/sharedStrings.xml';
const WANTED =
  /^xl\/(?:workbook|styles|sharedStrings|worksheets\/[\w-]+|comments\d*|comments\/[\w-]+|threadedComments\/[\w-]+)\.xml$/;

/** The text of all sheets. @throws Error for a workbook that cannot be read */
export async function xlsxText(data: Buffer): Promise<string> {
  const parts = await partsOf(data, WANTED);
  const { names, daysBefore } = readWorkbook(parts.get(WORKBOOK) ?? '');
  const formats = formatsOf(parts.get(STYLES) ?? '');
  const texts = [...names, markupText(parts.get(SHARED) ?? '', TEXTS)];
  for (const [name, xml] of parts) {
    if (name.startsWith('xl/worksheets/')) texts.push(cellTexts(xml, formats, daysBefore));
    else if (name.startsWith('xl/threadedComments/')) texts.push(markupText(xml, THREADS));
    else if (name.startsWith('xl/comments')) texts.push(markupText(xml, TEXTS));
  }
  return texts.join('\n');
}

/** Days between the first days of the two date systems. */
const DAYS_UNTIL_1904 = 1_462;

/** The names of the sheets, and the days to add to a serial number of the workbook for one of the system of 1900. */
function readWorkbook(xml: string): { names: string[]; daysBefore: number } {
  const names: string[] = [];
  let daysBefore = 0;
  onTags(xml, (name, tag) => {
    if (name === 'sheet') names.push(decodeXString(attributeOf(tag, 'name') ?? ''));
    if (name === 'workbookPr' && /^(?:1|true)$/.test(attributeOf(tag, 'date1904') ?? '')) daysBefore = DAYS_UNTIL_1904;
  });
  return { names, daysBefore };
}

/** The number formats of cells, by the index that cells name. */
function formatsOf(xml: string): string[] {
  const own = new Map<number, string>();
  const formats: string[] = [];
  let inside = false;
  onTags(xml, (name, tag) => {
    if (name === 'numFmt') own.set(Number(attributeOf(tag, 'numFmtId')), attributeOf(tag, 'formatCode') ?? '');
    if (name === 'cellXfs' || name === '/cellXfs') inside = name === 'cellXfs' && !tag.endsWith('/>');
    if (name !== 'xf' || !inside) return;
    const id = Number(attributeOf(tag, 'numFmtId') ?? 0);
    formats.push(own.get(id) ?? getFormatFromId(id));
  });
  return formats;
}

function onTags(xml: string, onTag: (name: string, tag: string) => void): void {
  scanMarkup(
    xml,
    (written, tag) => onTag(written.startsWith('/') ? `/${localName(written.slice(1))}` : localName(written), tag),
    () => undefined,
  );
}

/** Values that are in the cells themselves; shared strings (t="s") are only numbers there. */
function cellTexts(xml: string, formats: readonly string[], daysBefore: number): string {
  const values: string[] = [];
  let type = 'n';
  let style = 0;
  let inside = false;
  scanMarkup(
    xml,
    (written, tag) => {
      const closing = written.startsWith('/');
      const name = localName(closing ? written.slice(1) : written);
      if (name === 'c') {
        type = closing ? 'n' : (attributeOf(tag, 't') ?? 'n');
        style = closing ? 0 : Number(attributeOf(tag, 's') ?? 0);
      }
      inside = !closing && type !== 's' && (name === 'v' || name === 't') && !tag.endsWith('/>');
    },
    (text) => {
      if (inside) values.push(type === 'n' ? numberText(text, formats[style] ?? '', daysBefore) : decode(text));
    },
  );
  return values.join('\n');
}

/** A date as `2024-02-29`, with its time if it has one; a time as its format shows it; any other number as it is stored. */
function numberText(text: string, pattern: string, daysBefore: number): string {
  const serial = Number(text);
  if (text.trim() === '' || Number.isNaN(serial)) return decodeEntities(text);
  const { year, month, day, hours, minutes, seconds } = getFormatDateInfo(pattern);
  if (year || month || day) return dateText(serial + daysBefore) ?? text;
  return hours || minutes || seconds ? format(pattern, serial, { throws: false }) : text;
}

const SECOND = 1 / 86_400;
/** Serial number of the day after the last one that spreadsheet programs know, 9999-12-31. */
const END_OF_DATES = 2_958_466;

/** @param serial in the system of 1900 @returns undefined for a number that is no date */
function dateText(serial: number): string | undefined {
  if (serial < 0 || serial >= END_OF_DATES) return undefined;
  // The fraction of a time is seldom exact: half a second more shows the second that is meant.
  const [year, month, day, ...time] = dateFromSerial(Math.min(serial + SECOND / 2, END_OF_DATES - SECOND / 2));
  const two = (part: number) => String(part).padStart(2, '0');
  const date = `${year}-${two(month)}-${two(day)}`;
  return time.every((part) => part === 0) ? date : `${date} ${time.map(two).join(':')}`;
}
