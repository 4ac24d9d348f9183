/**
 * Tables as workbooks (Office Open XML, ECMA-376) with one sheet, written as a stream: texts are
 * inline, so that nothing must be kept until the end. A text is never a formula: the type of its
 * cell is text, and a text that begins like a formula is marked as quoted, so that it stays text
 * when it is edited.
 */
import { Readable } from 'node:stream';
import { escapeCell, workbookZone } from '@portico/contract';
import { encodeXString } from '@portico/platform/text';
import { isRepeated } from '@portico/platform/time';
import { ZipFile } from 'yazl';
import { type Cell, cellText } from './cells.ts';

type Rows = AsyncIterable<readonly (readonly Cell[])[]>;

/** Maximum length of the text of a cell; spreadsheet programs reject files with longer ones. */
const MAX_TEXT = 32_767;
/** Limit above which a cell does not keep all digits of a number. */
const EXACT = 1e15;
/** Indexes into `cellXfs` below. */
const STYLES = { plain: 0, moment: 1, day: 2, quoted: 3, head: 4 } as const;

const HEADER = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const CUSTOM = 'application/vnd.openxmlformats-officedocument.custom-properties+xml';

const PARTS: Readonly<Record<string, string>> = {
  '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPES}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}.styles+xml"/><Override PartName="/docProps/custom.xml" ContentType="${CUSTOM}"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/><Relationship Id="rId2" Type="${OFFICE}/custom-properties" Target="docProps/custom.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="Export" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
  'xl/styles.xml': `<styleSheet xmlns="${MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="5"><xf/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="165" applyNumberFormat="1"/><xf quotePrefix="1"/><xf fontId="1" applyFont="1" quotePrefix="1"/></cellXfs></styleSheet>`,
};

/** Returns a property of the workbook with the zone of its dates, which the import reads. */
function zonePart(timezone: string): string {
  const namespace = 'http://schemas.openxmlformats.org/officeDocument/2006';
  return `<Properties xmlns="${namespace}/custom-properties" xmlns:vt="${namespace}/docPropsVTypes"><property fmtid="{D5CDD505-2E9C-101B-9397-08002B2CF9AE}" pid="2" name="${workbookZone}"><vt:lpwstr>${escapeXml(timezone)}</vt:lpwstr></property></Properties>`;
}

/**
 * Returns a workbook.
 * @param rows in chunks
 * @param timezone name of the zone of the moments
 * @param at modification time of the parts
 */
export function xlsxOf(header: readonly string[], rows: Rows, timezone: string, at: Date): Readable {
  const zip = new ZipFile();
  const options = { mtime: at, mode: 0o100644 };
  const parts = { ...PARTS, 'docProps/custom.xml': zonePart(timezone) };
  for (const [name, text] of Object.entries(parts)) zip.addBuffer(Buffer.from(HEADER + text), name, options);
  const sheet = Readable.from(sheetOf(header, rows), { objectMode: false, highWaterMark: 64 * 1024 });
  zip.addReadStream(sheet, 'xl/worksheets/sheet1.xml', options);
  zip.end();
  const output = zip.outputStream as Readable;
  // Each stream ends the other: rows are read only while the consumer reads the output.
  sheet.once('error', (error) => output.destroy(error));
  output.once('close', () => sheet.destroy());
  return output;
}

async function* sheetOf(header: readonly string[], rows: Rows): AsyncGenerator<Buffer, void, undefined> {
  const begin = `${HEADER}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`;
  const columns = header.map((_, index) => columnName(index));
  let number = 1;
  const rowXml = (cells: readonly string[]) => {
    // Some programs reject rows and cells without a reference.
    const placed = cells.map((xml, index) => `<c r="${columns[index]}${number}"${xml.slice(2)}`);
    return `<row r="${number++}">${placed.join('')}</row>`;
  };
  yield Buffer.from(begin + rowXml(header.map((name) => textCell(name, STYLES.head))));
  for await (const some of rows) yield Buffer.from(some.map((row) => rowXml(row.map(cellXml))).join(''));
  yield Buffer.from('</sheetData></worksheet>');
}

/** Returns the letters of a column: A to Z, AA and so on. @param index the first is 0 */
function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : `${columnName(Math.floor(index / 26) - 1)}${letter}`;
}

/** Returns a cell without its reference. */
function cellXml(cell: Cell): string {
  if (cell === null || cell === '') return '<c/>';
  if (typeof cell === 'number' && Number.isFinite(cell) && Math.abs(cell) < EXACT) return `<c><v>${cell}</v></c>`;
  if (typeof cell === 'boolean') return `<c t="b"><v>${cell ? 1 : 0}</v></c>`;
  if (typeof cell === 'object' && 'kind' in cell) {
    const local = cell.kind === 'day' ? `${cell.date}T00:00:00` : cell.local;
    const day = local === undefined ? undefined : serialOf(local);
    // When clocks are put back, an hour occurs twice: only the offset identifies which one.
    const isTold = cell.kind === 'day' || (local !== undefined && !isRepeated(local, cell.timezone));
    const style = cell.kind === 'day' ? STYLES.day : STYLES.moment;
    if (day !== undefined && isTold) return `<c s="${style}"><v>${day}</v></c>`;
    if (cell.kind === 'moment') return textCell(cell.zoned, STYLES.plain);
  }
  const text = cellText(cell);
  return textCell(text, escapeCell(text) === text ? STYLES.plain : STYLES.quoted);
}

function textCell(text: string, style: number): string {
  const short = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…`.toWellFormed() : text;
  return `<c${style === 0 ? '' : ` s="${style}"`} t="inlineStr"><is><t xml:space="preserve">${escapeXml(encodeXString(short))}</t></is></c>`;
}

const FIRST_DAY = Date.UTC(1899, 11, 30);
/**
 * First day with an unambiguous serial number: earlier numbers count 29 February 1900, which did
 * not exist.
 */
const SOUND = Date.UTC(1900, 2, 1);

/** Maximum serial number that spreadsheet programs read as a date. */
const LAST = 2_958_465.99999;

const DAY_MS = 86_400_000;

/**
 * Returns the serial number of a local time; undefined for times outside the range of spreadsheet
 * programs. Readers that truncate fractions of milliseconds get the same time.
 */
function serialOf(local: string): number | undefined {
  const at = Date.parse(`${local}Z`);
  let serial = (at - FIRST_DAY) / DAY_MS;
  if (Number.isNaN(at) || at < SOUND || serial > LAST) return undefined;
  while (Math.floor((serial + FIRST_DAY / DAY_MS) * DAY_MS) < at) serial += serial * Number.EPSILON;
  return serial;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Escapes text for XML 1.0, and replaces characters that XML does not allow by U+FFFD. */
function escapeXml(text: string): string {
  return text
    .replaceAll(/[&<>]/g, (character) => ENTITIES[character] ?? '')
    .replaceAll(/(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu, '\ufffd')
    .replaceAll('\r', '&#13;');
}
