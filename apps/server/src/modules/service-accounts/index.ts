/** Service accounts, as administrators make, edit and list them, with their keys. */

export { serviceAccountHandlers } from './service-accounts.routes.ts';
