/** Communities as files, for those who keep them as code. */
export { applyCommunity } from './apply-community.ts';
export { communityFileHandlers } from './community-files.routes.ts';
