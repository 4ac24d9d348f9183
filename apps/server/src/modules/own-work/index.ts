/** What concerns the caller across communities. */
export { ownWorkHandlers } from './own-work.routes.ts';
