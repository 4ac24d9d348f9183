/** Imports files of rows as posts: over the API, and from the command line. */
export { type ImportOptions, type ImportPhase, runImport } from './import.ts';
export { importRule } from './imports.policy.ts';
export { endedImportsDue, forgetImports, importsDue } from './imports.repository.ts';
export { importHandlers } from './imports.routes.ts';
export { describeReport, type ImportReport } from './report.ts';
export { workOnImport } from './work-on-import.ts';
