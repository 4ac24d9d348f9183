/** Administration across domains: explanations, people who leave. */
export { explainHandlers } from './explain/explain.routes.ts';
export { leavingHandlers } from './leaving/leaving.routes.ts';
