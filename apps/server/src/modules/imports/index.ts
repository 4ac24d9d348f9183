/** Imports of files into communities, and exports of lists. */
export { exportCommunityArchive } from './archives/export-archive.ts';
export { importArchive } from './archives/write-archive.ts';
export { exportList, type ListPage } from './exports/export-list.ts';
export { type ImportOptions, type ImportPhase, runImport } from './import.ts';
export { importRule } from './imports.policy.ts';
export { endedImportsDue, forgetImports, importsDue } from './imports.repository.ts';
export { importHandlers } from './imports.routes.ts';
export { describeReport, type ImportReport } from './report.ts';
export { workOnImport } from './work-on-import.ts';
