/** Rules for the groups that a caller may name by id (docs/decisions/people.md). */
import type { Actor, AdministrativeRight } from '../scope.ts';
import { holds } from './rights.ts';
import type { Parameters } from './visibility.ts';

/**
 * Rights whose holders may give roles to any group, visible or not: managing users, and giving
 * roles everywhere.
 */
export const GIVES_ROLES: readonly AdministrativeRight[] = ['manageUsers', 'manageDigitalWorplace'];

/**
 * SQL of a boolean: the caller knows this group of the tenant. Administrators know every group. To
 * all other callers, a group that is not visible and does not have them as members does not exist.
 * A group that is stored already stays valid even if the caller does not know it.
 * @param group alias of `groups` in the statement
 * @param rights administrative rights, any of which makes every group known
 */
export function knownGroupSql(
  group: string,
  actor: Pick<Actor, 'rights' | 'groupIds'>,
  parameters: Parameters,
  rights: readonly AdministrativeRight[] = ['manageUsers'],
): string {
  if (rights.some((right) => holds(actor, right))) return 'true';
  return `(${group}.visible OR ${group}.id = ANY (${parameters.add(actor.groupIds)}::bigint[]))`;
}

/**
 * SQL of a bigint[]: the ids among `ids` whose groups the caller knows.
 * @param ids SQL of a bigint[]
 */
export function knownGroupsSql(ids: string, actor: Pick<Actor, 'rights' | 'groupIds'>, parameters: Parameters): string {
  const known = knownGroupSql('known', actor, parameters);
  if (known === 'true') return ids;
  return `ARRAY(SELECT known.id FROM groups known WHERE known.tenant_id = $1 AND known.id = ANY (${ids}) AND ${known})`;
}
