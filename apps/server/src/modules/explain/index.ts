/** Explains permissions, and checks the definition of a community. */
export { explainHandlers } from './explain.routes.ts';
