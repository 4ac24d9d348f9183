/** Communities as files, for users who manage them as code. */
export { applyCommunity } from './apply-community.ts';
export { communityFileHandlers } from './community-files.routes.ts';
