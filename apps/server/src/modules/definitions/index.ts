/** Changes of definitions while posts hold data, and communities as files. */
export { definitionChangeHandlers } from './changes/communities.routes.ts';
export { workOnChange } from './changes/work-on-change.ts';
export { communityCheckHandlers } from './check/communities.routes.ts';
export { communityDraftHandlers } from './drafts/communities.routes.ts';
export { communityFileHandlers } from './files/communities.routes.ts';
export { type DescribedCommunity, describeWhole } from './files/describe-whole.ts';
export { applyCommunity, planCommunity } from './files/plan-community.ts';
export { type RehearsedDefinition, rehearseDefinition, resolveNamedValues } from './files/rehearse-definition.ts';
