/** Why somebody may do something, or may not; and what is wrong with the definition of a community. */
export { explainHandlers } from './explain.routes.ts';
