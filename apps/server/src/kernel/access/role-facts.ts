/** Facts about roles in a community and about administrative rights. */
import { type CommunityPermission, roles } from '@portico/contract';
import type { Actor, AdministrativeRight, CommunityRole } from '../scope.ts';
import { hasPermission, weakestRoleWith } from './permissions.ts';
import { fact, type Rule } from './rules.ts';

/** Somebody and a community. */
export interface RoleCase {
  readonly actor: Pick<Actor, 'roles' | 'permissions' | 'principals'>;
  readonly community: { readonly id: number };
}

/** Name of a role in a sentence. */
export const roleName = (id: number): string => roles.find((role) => role.id === id)?.name.toLowerCase() ?? 'none';

const roleOf = ({ actor, community }: RoleCase) => actor.roles.get(community.id);
/**
 * Whether the actor's permissions in the community differ from the permissions of a built-in role.
 */
const isOwn = ({ actor, community }: RoleCase) => actor.permissions?.has(community.id) === true;
const heldRole = (about: RoleCase) => {
  const role = roleOf(about);
  return role === undefined || isOwn(about) ? undefined : { id: role, name: roleName(role) };
};
const built = (about: RoleCase) => `the role ${roleName(roleOf(about)!)} in the community`;

/** A role in the community, given there, through its workspace, or in all communities. */
export const hasRole: Rule<RoleCase> = fact((about) => roleOf(about) !== undefined, {
  kind: 'ROLE',
  about: heldRole,
  yes: ({ who, verb }, about) =>
    `${who} ${verb('have', 'has')} ${isOwn(about) ? 'a role in the community' : built(about)}`,
  no: ({ who, verb }) => `${who} ${verb('have', 'has')} no role in the community`,
});

/** A role at least this strong, or one that counts as such. */
export function atLeast(needed: CommunityRole): Rule<RoleCase> {
  return fact((about) => (roleOf(about) ?? Number.POSITIVE_INFINITY) <= needed, {
    kind: 'ROLE',
    about: heldRole,
    yes: ({ who, verb }, about) =>
      `${who} ${verb('have', 'has')} ${isOwn(about) ? `what counts as ${built(about)}` : built(about)}`,
    no: ({ who, verb }, about) => {
      const role = roleOf(about);
      const name = role === undefined ? 'no role' : `the role ${roleName(role)}`;
      const has = isOwn(about) ? `what counts as ${name}` : name;
      return `${who} ${verb('have', 'has')} ${has} in the community, not ${roleName(needed)}`;
    },
  });
}

/** A role of the tenant, which fields, transitions or screens are open to. */
export function holdsOwnRole(id: number): Rule<RoleCase & { readonly actor: Pick<Actor, 'ownRoles'> }> {
  return fact(({ actor, community }) => actor.ownRoles?.get(community.id)?.includes(id) === true, {
    kind: 'ROLE',
    about: () => ({ id }),
    yes: ({ who, verb, role }) => `${who} ${verb('have', 'has')} ${role(id)} in the community`,
    no: ({ who, verb, role }) => `${who} ${verb('do', 'does')} not have ${role(id)} in the community`,
  });
}

/** Requires a permission in the community. For built-in roles the reason names the role. */
function may(permission: CommunityPermission): Rule<RoleCase> {
  const needed = roleName(weakestRoleWith(permission));
  return fact(({ actor, community }) => hasPermission(actor, community.id, permission), {
    kind: 'ROLE',
    about: heldRole,
    yes: ({ who, verb }, about) =>
      isOwn(about)
        ? `${who} ${verb('have', 'has')} the permission ${permission} in the community`
        : `${who} ${verb('have', 'has')} ${built(about)}`,
    no: ({ who, verb }, about) => {
      if (isOwn(about)) return `${who} ${verb('lack', 'lacks')} the permission ${permission} in the community`;
      const role = roleOf(about);
      const has = role === undefined ? 'no role' : `the role ${roleName(role)}`;
      return `${who} ${verb('have', 'has')} ${has} in the community, not ${needed}`;
    },
  });
}

export const readsPublicPosts = may('readPublicPosts');
export const readsAllPosts = may('readAllPosts');
export const mayCreatePosts = may('createPosts');
export const mayComment = may('comment');
export const mayCreateTasks = may('createTasks');
export const mayEditPosts = may('editPosts');
export const mayModerateComments = may('moderateComments');
export const mayManageTasks = may('manageTasks');
export const mayPinPosts = may('pinPosts');
export const mayAnnouncePosts = may('announcePosts');
export const mayShareViews = may('shareViews');
export const managesCommunity = may('manageCommunity');

/** An administrative right. */
export function hasRight(right: AdministrativeRight): Rule<{ readonly actor: Pick<Actor, 'rights'> }> {
  return fact(({ actor }) => actor.rights.has(right), {
    kind: 'RIGHT',
    about: () => ({ name: right }),
    yes: ({ who, verb }) => `${who} ${verb('hold', 'holds')} the administrative right ${right}`,
    no: ({ who, verb }) => `${who} ${verb('do', 'does')} not hold the administrative right ${right}`,
  });
}
