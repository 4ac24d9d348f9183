/** Leaving of a person: the preview, and the hand-over to a successor. */
export { leavingHandlers } from './leaving.routes.ts';
