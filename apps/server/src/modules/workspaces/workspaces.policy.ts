/** Who administers workspaces: holders of the right `manageDigitalWorplace` (docs/decisions/people.md). */

import { holds } from '../../kernel/access/index.ts';
import { forbidden } from '../../kernel/errors.ts';
import type { Actor } from '../../kernel/scope.ts';

/** @throws PorticoError FORBIDDEN */
export function requireWorkspaceAdministrator(actor: Actor): void {
  if (!holds(actor, 'manageDigitalWorplace')) throw forbidden('Missing administrative right: manageDigitalWorplace.');
}
