/** Communities and what administrators define in them. */
export {
  communityCapabilities,
  mayEditCommunity,
  mayWritePosts,
  requireDefinitionRight,
  seesCommunity,
} from './communities.policy.ts';
export { type HashtagRow, loadHashtags } from './communities.repository.ts';
export { communityHandlers } from './communities.routes.ts';
export type * from './definition-types.ts';
export { loadDefinitions } from './definitions.repository.ts';
export { getDefinition, getDefinitions } from './definitions.ts';
export { type CommunityLinks, loadCommunityViews } from './list-communities.ts';
export {
  type Presentation,
  presentEnumValues,
  presentField,
  presentHashtag,
  presentScreen,
  presentState,
  presentTransition,
} from './post-definition.presenter.ts';
export { loadPresentation } from './read-post-definition.ts';
