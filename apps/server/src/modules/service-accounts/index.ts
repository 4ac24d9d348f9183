/** Service accounts and their keys: administrators create, edit and list them. */

export { serviceAccountHandlers } from './service-accounts.routes.ts';
