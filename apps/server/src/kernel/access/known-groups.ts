/** Which groups a caller may name by id (docs/decisions/people.md). */
import type { Actor, AdministrativeRight } from '../scope.ts';
import { holds } from './rights.ts';
import type { Parameters } from './visibility.ts';

/** Those who give roles to groups, visible or not: who manages users, and who gives roles everywhere. */
export const GIVES_ROLES: readonly AdministrativeRight[] = ['manageUsers', 'manageDigitalWorplace'];

/**
 * SQL of a boolean: this group of the tenant is known to the caller. A group that is not visible is for administrators: to others
 * who are not in it, its id is one that does not exist. What is stored already may be kept by who does not know it.
 * @param group alias of `groups` in the statement
 * @param rights any of them makes every group known
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
 * SQL of a bigint[]: those of the groups that the caller knows.
 * @param ids SQL of a bigint[]
 */
export function knownGroupsSql(ids: string, actor: Pick<Actor, 'rights' | 'groupIds'>, parameters: Parameters): string {
  const known = knownGroupSql('known', actor, parameters);
  if (known === 'true') return ids;
  return `ARRAY(SELECT known.id FROM groups known WHERE known.tenant_id = $1 AND known.id = ANY (${ids}) AND ${known})`;
}
