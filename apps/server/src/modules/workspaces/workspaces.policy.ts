/** Who administers workspaces: holders of the right `manageDigitalWorplace` (ruling 11). */
import { forbidden } from '../../platform/errors.ts';
import type { Actor } from '../../platform/scope.ts';
import { holds } from '../access/index.ts';

/** @throws PorticoError FORBIDDEN */
export function requireWorkspaceAdministrator(actor: Actor): void {
  if (!holds(actor, 'manageDigitalWorplace'))
    throw forbidden('Workspaces are administered with the right manageDigitalWorplace.');
}
