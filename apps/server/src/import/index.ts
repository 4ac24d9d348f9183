/** Importing files of rows as posts. */
export { type ImportOptions, type ImportPhase, runImport } from './import.ts';
export { describeReport, type ImportReport } from './report.ts';
