/** Importing files of rows as posts. */
export { ImportError } from './errors.ts';
export { type ImportOptions, type ImportPhase, runImport } from './import.ts';
export { MappingError } from './mapping-cursor.ts';
export { describeReport, type ImportReport, type Refusal } from './report.ts';
