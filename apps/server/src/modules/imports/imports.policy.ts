/** Right to import into a community over the API: its managers have it. */
import { holds, managesCommunity } from '../../kernel/access/index.ts';
import { forbidden, notFound } from '../../kernel/errors.ts';
import type { Actor } from '../../kernel/scope.ts';
import { seesCommunity } from '../communities/index.ts';

/** Rule of the right to import into a community and to see its imports. */
export const importRule = managesCommunity;

/** Returns whether the actor may import into a community and see its imports. */
export function mayImport(actor: Actor, communityId: number): boolean {
  return importRule.holds({ actor, community: { id: communityId } });
}

/** @throws PorticoError NOT_FOUND for a community that the actor does not see, FORBIDDEN */
export function requireImporter(actor: Actor, communityId: number): void {
  if (mayImport(actor, communityId)) return;
  if (!seesCommunity(actor, communityId)) throw notFound();
  throw forbidden('Missing permission: manageCommunity.');
}

/** Returns whether the actor may import archives: they write in the names of others, and create people. */
export function mayImportArchives(actor: Actor): boolean {
  return holds(actor, 'manageDigitalWorplace') && holds(actor, 'manageUsers');
}
