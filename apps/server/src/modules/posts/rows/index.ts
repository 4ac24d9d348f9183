/** Statements on the tables of posts that several features share. They import no other feature. */
export { countAttachments } from './attachment-counts.ts';
export { addGrants, type NewGrant, removeGrants } from './grants.ts';
export { addMentions, removeMentions } from './mentions.ts';
export { insertPostCounter } from './post-counter.ts';
export { holdCommunities, noteCommented, noteModified, noteModifiedBy, noteRead } from './user-state.ts';
export { insertEmptyValues, insertMissingValues, markReferencesErased, moveReferences } from './values.ts';
export { type Content, forgetVersions, keepVersion, postFiles, versionsDue } from './versions.ts';
export { updateWorkflow } from './workflow-state.ts';
