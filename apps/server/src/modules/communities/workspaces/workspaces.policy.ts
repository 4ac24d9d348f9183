/**
 * Administration of workspaces requires the right `manageDigitalWorplace`
 * (docs/decisions/people.md).
 */

import { requireRight } from '../../../kernel/access/index.ts';
import type { Actor } from '../../../kernel/scope.ts';

/** @throws PorticoError FORBIDDEN */
export function requireWorkspaceAdministrator(actor: Actor): void {
  requireRight(actor, 'manageDigitalWorplace');
}
