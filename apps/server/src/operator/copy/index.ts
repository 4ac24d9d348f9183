/** Rows of whole databases: copied to another server, written to a backup, and read from one. */
export {
  type CopyReport,
  copyDatabase,
  prepareCopy,
  readForced,
  readSequences,
  readTables,
  refuseRows,
  setSequence,
} from './copy-database.ts';
export { type CopiedTable, readRows, writeRows } from './copy-rows.ts';
