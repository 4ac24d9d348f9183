/** Changes of definitions while posts hold data, and communities as files. */
export { definitionChangeHandlers } from './changes/communities.routes.ts';
export { workOnChange } from './changes/work-on-change.ts';
export { applyCommunity } from './files/apply-community.ts';
export { communityFileHandlers } from './files/communities.routes.ts';
