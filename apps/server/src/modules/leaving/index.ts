/** Leaving: what names a person, and the successor who takes it over. */
export { leavingHandlers } from './leaving.routes.ts';
