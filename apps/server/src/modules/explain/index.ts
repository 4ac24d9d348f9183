/** Why somebody may do something, or may not. */
export { explainHandlers } from './explain.routes.ts';
