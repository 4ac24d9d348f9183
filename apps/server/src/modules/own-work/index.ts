/** Lists of the caller's own work across communities. */
export { ownWorkHandlers } from './own-work.routes.ts';
