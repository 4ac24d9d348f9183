/** Who may change catalogs: holders of the right `manageDigitalWorplace` (ruling 11). */
import { forbidden } from '../../platform/errors.ts';
import type { Actor } from '../../platform/scope.ts';

/** @throws PorticoError FORBIDDEN */
export function requireCatalogAdministrator(actor: Actor): void {
  if (!actor.managesWorkplace) throw forbidden('Catalogs are administered with the right manageDigitalWorplace.');
}
