/** Administration across domains: explanations, people who leave. */
export { groupAccessHandlers } from './access/groups.routes.ts';
export { userAccessHandlers } from './access/users.routes.ts';
export { explainHandlers } from './explain/explain.routes.ts';
export { healthHandlers } from './health/settings.routes.ts';
export { leavingHandlers } from './leaving/users.routes.ts';
export { communityPreviewHandlers } from './preview/communities.routes.ts';
