/** Communities as files, for those who keep them as code. */
export { communityFileHandlers } from './community-files.routes.ts';
