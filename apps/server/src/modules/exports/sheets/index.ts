/** Tables as files: CSV, lines of JSON, workbooks. All are written row by row. */
export type { Cell, SheetFormat } from './cells.ts';
export { csvOf, ndjsonOf } from './csv.ts';
export { xlsxOf } from './xlsx.ts';
