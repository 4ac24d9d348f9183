/** What is known of one person. */
export { type ExportSources, exportPerson } from './export-person.ts';
