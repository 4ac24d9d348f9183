/** History and change rows, written in the transaction of each write. */
export { ChangeKind, type PostAcl, readAcl, recordChange, recordChanges, sameAcl } from './changes.ts';
export { type HistoryDetails, type HistoryEvent, recordHistory } from './history.ts';
