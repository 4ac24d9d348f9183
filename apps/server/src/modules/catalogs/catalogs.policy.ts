/** Who may change catalogs: holders of the right `manageDigitalWorplace` (ruling 11). */
import { forbidden } from '../../platform/errors.ts';
import type { Actor } from '../../platform/scope.ts';
import { holds } from '../access/index.ts';

/** @throws PorticoError FORBIDDEN */
export function requireCatalogAdministrator(actor: Actor): void {
  if (!holds(actor, 'manageDigitalWorplace'))
    throw forbidden('Catalogs are administered with the right manageDigitalWorplace.');
}
