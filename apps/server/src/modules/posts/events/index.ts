/**
 * History and change rows, written in the transaction of each write; change rows are numbered and
 * deleted later.
 */
export { ChangeKind, readAcl, recordChange, recordChanges, sameAcl } from './changes.ts';
export { type HistoryDetails, type HistoryEvent, postModified, recordHistory } from './history.ts';
export { adoptChangesSql, insertStreamState, renewStream } from './renew-stream.ts';
export {
  changesDue,
  forgetChanges,
  fromOtherNodeSql,
  oldChangesDue,
  STREAM_RETENTION_MS,
  sequenceChanges,
  sequenceCommitted,
  streamCutoff,
} from './sequence-changes.ts';
export { type AwaitingEvent, eventsDue, takeAwaitingEvents } from './take-events.ts';
