/** Rows of posts that features below posts write, and the changes and history recorded with them. */
export { ChangeKind, readAcl, readGrantedReaders, recordChanges, sameAcl } from './events/changes.ts';
export { type HistoryDetails, type HistoryEvent, postModified, recordHistory } from './events/history.ts';
export { type PostEvent, recordPost, touchPost } from './events/record-post.ts';
export { adoptChangesSql, insertStreamState, renewStream, renewStreamsSql } from './events/renew-stream.ts';
export {
  changesDue,
  forgetChanges,
  fromOtherNodeSql,
  oldChangesDue,
  STREAM_RETENTION_MS,
  sequenceChanges,
  sequenceCommitted,
  streamCutoff,
} from './events/sequence-changes.ts';
export { type AwaitingEvent, eventsDue, takeAwaitingEvents } from './events/take-events.ts';
export { movePostFollowing, readFollowing, writeFollowing } from './following.repository.ts';
export { countAttachments } from './rows/attachment-counts.ts';
export { addGrants, type NewGrant, removeGrants } from './rows/grants.ts';
export { addMentions, removeMentions } from './rows/mentions.ts';
export { insertPostCounter } from './rows/post-counter.ts';
export { holdCommunities, noteCommented, noteModified, noteModifiedBy, noteRead } from './rows/user-state.ts';
export { insertEmptyValues, insertMissingValues, markReferencesErased, moveReferences } from './rows/values.ts';
export { type Content, forgetVersions, keepVersion, postFiles, versionsDue } from './rows/versions.ts';
export { updateWorkflow } from './rows/workflow-state.ts';
