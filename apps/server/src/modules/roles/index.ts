/** Roles: built in, and made by a tenant of permissions. */

export { presentRole, rolesById } from './list-roles.ts';
export { loadOwnRoles, lockedRoles, unknownAudience, unknownRole } from './roles.repository.ts';
export { roleHandlers } from './roles.routes.ts';
export { createRole, editRole, withImplied } from './write-roles.ts';
