/** Roles: built-in ones, and roles that a tenant creates from permissions. */

export { presentRole, rolesById } from './list-roles.ts';
export { loadOwnRoles, lockedRoles, unknownAudience, unknownRole } from './roles.repository.ts';
export { roleHandlers } from './roles.routes.ts';
export { createRole, editRole, withImplied } from './write-roles.ts';
