/** Posts that move to another community. */
export { postMovingHandlers } from './moving.routes.ts';
