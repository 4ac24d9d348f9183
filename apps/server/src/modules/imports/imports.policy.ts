/** Who imports into a community over the interface: its managers. */
import { managesCommunity } from '../../kernel/access/index.ts';
import { forbidden, notFound } from '../../kernel/errors.ts';
import type { Actor } from '../../kernel/scope.ts';
import { seesCommunity } from '../communities/index.ts';

/** Who imports into a community and sees its imports. */
export const importRule = managesCommunity;

/** Whether the actor imports into a community and sees its imports. */
export function mayImport(actor: Actor, communityId: number): boolean {
  return importRule.holds({ actor, community: { id: communityId } });
}

/** @throws PorticoError NOT_FOUND for a community that the actor does not see, FORBIDDEN */
export function requireImporter(actor: Actor, communityId: number): void {
  if (mayImport(actor, communityId)) return;
  if (!seesCommunity(actor, communityId)) throw notFound();
  throw forbidden('Only managers of the community import into it.');
}
