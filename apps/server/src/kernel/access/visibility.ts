/**
 * Who sees which post (docs/decisions/people.md): one predicate in SQL, used by detail, lists, counts, the stream and every
 * check alike, and the same rule in TypeScript for one post whose facts are known.
 *
 * A role in the community is needed for everything. Then: public posts are seen by everyone with a role; private posts
 * by managers and by whoever a grant names (creator, watchers, assignees, invited people, people held in a field that
 * extends visibility); drafts and scheduled posts by their creator alone; deleted posts by nobody.
 */
import { RoleId, Visibility } from '@portico/contract';
import type { Actor, CommunityRole } from '../scope.ts';

/** Collects parameters of one statement; `$n` is given out in order. */
export class Parameters {
  readonly values: unknown[];

  constructor(values: readonly unknown[] = []) {
    this.values = [...values];
  }

  /** Adds a value. @returns its placeholder, such as `$3`. */
  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/** Communities in which the actor has a role at least this strong. */
export function communitiesWithRole(actor: Actor, atLeast: CommunityRole): number[] {
  return [...actor.roles].filter(([, role]) => role <= atLeast).map(([id]) => id);
}

/**
 * The predicate "the actor sees this live post".
 * @param alias alias of `posts` in the statement
 * @param tenant placeholder of the tenant id
 * @param communityId set when the statement is about one community: the predicate then needs no list of communities, and
 *   the caller must itself state `alias.community_id = …`
 * @returns SQL of a boolean; parameters are added to `parameters`
 */
export function visiblePostSql(
  alias: string,
  tenant: string,
  actor: Actor,
  parameters: Parameters,
  communityId?: number,
): string {
  const granted = () =>
    `EXISTS (SELECT FROM post_grants vg WHERE vg.tenant_id = ${tenant} AND vg.post_id = ${alias}.id AND vg.principal = ANY (${parameters.add(actor.principals)}::bigint[]) OFFSET 0)`;
  if (communityId !== undefined) {
    const role = actor.roles.get(communityId);
    if (role === undefined) return 'false';
    return role === RoleId.MANAGER
      ? `${alias}.live`
      : `(${alias}.live AND (${alias}.visibility = ${Visibility.PUBLIC} OR ${granted()}))`;
  }
  if (actor.roles.size === 0) return 'false';
  const managed = communitiesWithRole(actor, RoleId.MANAGER);
  const all = parameters.add(communitiesWithRole(actor, RoleId.READER));
  const unrestricted =
    managed.length === 0
      ? `${alias}.visibility = ${Visibility.PUBLIC}`
      : `${alias}.visibility = ${Visibility.PUBLIC} OR ${alias}.community_id = ANY (${parameters.add(managed)}::bigint[])`;
  return `(${alias}.live AND ${alias}.community_id = ANY (${all}::bigint[]) AND (${unrestricted} OR ${granted()}))`;
}

/** The predicate "this is a draft or scheduled post of the actor's own", in a community where they have a role. */
export function ownDraftSql(alias: string, actor: Actor, parameters: Parameters): string {
  if (actor.roles.size === 0) return 'false';
  return `(${alias}.draft AND ${alias}.deleted_at IS NULL AND ${alias}.creator_id = ${parameters.add(actor.userId)} AND ${alias}.community_id = ANY (${parameters.add(communitiesWithRole(actor, RoleId.READER))}::bigint[]))`;
}

/** The facts about a post that decide who sees it. */
export interface PostVisibilityFacts {
  communityId: number;
  creatorId: number;
  visibility: Visibility;
  draft: boolean;
  deleted: boolean;
  /** Principals that grants name. */
  principals: readonly number[];
}

/** The same rule in TypeScript. @returns whether the actor sees the post, drafts of their own included. */
export function seesPost(actor: Actor, post: PostVisibilityFacts): boolean {
  const role = actor.roles.get(post.communityId);
  if (role === undefined || post.deleted) return false;
  if (post.draft) return post.creatorId === actor.userId;
  return (
    post.visibility === Visibility.PUBLIC ||
    role === RoleId.MANAGER ||
    post.principals.some((principal) => actor.principals.includes(principal))
  );
}

/**
 * Whether the actor sees the comments of posts of a community (a community may hide them from readers;
 * docs/decisions/people.md).
 */
export function seesComments(actor: Actor, community: { id: number; commentsHiddenFromReaders: boolean }): boolean {
  const role = actor.roles.get(community.id);
  return role !== undefined && !(role === RoleId.READER && community.commentsHiddenFromReaders);
}
