/** Facts about roles in a community and about administrative rights. */
import { RoleId, roles } from '@portico/contract';
import type { Actor, AdministrativeRight, CommunityRole } from '../scope.ts';
import { fact, type Rule } from './rules.ts';

/** Somebody and a community. */
export interface RoleCase {
  readonly actor: Pick<Actor, 'roles' | 'principals'>;
  readonly community: { readonly id: number };
}

/** Name of a role in a sentence. */
export const roleName = (id: number): string => roles.find((role) => role.id === id)?.name.toLowerCase() ?? 'none';

const roleOf = ({ actor, community }: RoleCase) => actor.roles.get(community.id);
const heldRole = (about: RoleCase) => {
  const role = roleOf(about);
  return role === undefined ? undefined : { id: role, name: roleName(role) };
};

/** A role in the community, given there, through its workspace, or in all communities. */
export const hasRole: Rule<RoleCase> = fact((about) => roleOf(about) !== undefined, {
  kind: 'ROLE',
  about: heldRole,
  yes: ({ who, verb }, about) => `${who} ${verb('have', 'has')} the role ${roleName(roleOf(about)!)} in the community`,
  no: ({ who, verb }) => `${who} ${verb('have', 'has')} no role in the community`,
});

/** A role at least this strong. */
export function atLeast(needed: CommunityRole): Rule<RoleCase> {
  return fact((about) => (roleOf(about) ?? Number.POSITIVE_INFINITY) <= needed, {
    kind: 'ROLE',
    about: heldRole,
    yes: ({ who, verb }, about) =>
      `${who} ${verb('have', 'has')} the role ${roleName(roleOf(about)!)} in the community`,
    no: ({ who, verb }, about) => {
      const role = roleOf(about);
      const has = role === undefined ? 'no role' : `the role ${roleName(role)}`;
      return `${who} ${verb('have', 'has')} ${has} in the community, not ${roleName(needed)}`;
    },
  });
}

export const managesCommunity = atLeast(RoleId.MANAGER);
export const contributes = atLeast(RoleId.CONTRIBUTOR);
/** Everybody with a role but guests. */
export const readsPublicPosts = atLeast(RoleId.READER);

/** An administrative right. */
export function hasRight(right: AdministrativeRight): Rule<{ readonly actor: Pick<Actor, 'rights'> }> {
  return fact(({ actor }) => actor.rights.has(right), {
    kind: 'RIGHT',
    about: () => ({ name: right }),
    yes: ({ who, verb }) => `${who} ${verb('hold', 'holds')} the administrative right ${right}`,
    no: ({ who, verb }) => `${who} ${verb('do', 'does')} not hold the administrative right ${right}`,
  });
}
