/** Tables as files: CSV, lines of JSON, workbooks. All are written row by row. */
export { type Cell, type MomentForm, type SheetFormat, withOffsets } from './cells.ts';
export { csvOf, ndjsonOf } from './csv.ts';
export { xlsxOf } from './xlsx.ts';
