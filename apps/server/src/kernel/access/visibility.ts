/**
 * Decides which posts a user sees (docs/decisions/people.md): one predicate in SQL, used by detail,
 * lists, counts, the stream and every check, and the same rule in TypeScript for one post whose
 * facts are known.
 *
 * Every post requires a role in the community. Public posts also require the permission
 * readPublicPosts; readAllPosts shows all posts. A grant shows a post to the users whom it names
 * (creator, watchers, assignees, invited people, people held in a field that extends visibility).
 * Drafts and scheduled posts are seen by their creator alone, deleted posts by no user.
 */
import { Visibility } from '@portico/contract';
import type { Actor } from '../scope.ts';
import { grantedSql } from './grants.ts';
import { communitiesWith, hasPermission } from './permissions.ts';
import { hasRole, mayComment, type RoleCase, readsAllPosts, readsPublicPosts } from './role-facts.ts';
import { all, any, choose, fact, on } from './rules.ts';

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

/**
 * SQL of a boolean: a person with a role in the community of this live post sees it.
 * @param alias alias of `posts` in the statement
 * @param principals SQL of the person's principals, a bigint[]
 * @param readsAll SQL of a boolean: the person has the permission readAllPosts there. Left out: they have not
 * @param readsPublic the same of readPublicPosts. Left out: they have it
 */
export function openToRoleSql(
  alias: string,
  principals: string,
  { readsAll, readsPublic }: { readsAll?: string | undefined; readsPublic?: string | undefined } = {},
): string {
  const isPublic = `${alias}.visibility = ${Visibility.PUBLIC}`;
  const ways = [
    readsPublic === undefined ? isPublic : `(${isPublic} AND ${readsPublic})`,
    ...(readsAll === undefined ? [] : [readsAll]),
    grantedSql(`${alias}.id`, principals),
  ];
  return `(${ways.join(' OR ')})`;
}

/**
 * SQL of a boolean, the opposite for a user without the permission readAllPosts: this post is live and hidden from them.
 * @param probe see {@link grantedSql}  @param readsPublic whether the user has the permission readPublicPosts there
 */
export function hiddenFromRoleSql(alias: string, principals: string, probe: boolean, readsPublic = true): string {
  const closed = readsPublic ? ` AND ${alias}.visibility = ${Visibility.PRIVATE}` : '';
  return `${alias}.live${closed} AND NOT ${grantedSql(`${alias}.id`, principals, probe)}`;
}

/**
 * The predicate "the actor sees this live post".
 * @param alias alias of `posts` in the statement
 * @param communityId set when the statement is about one community: the predicate then needs no list of communities, and
 *   the caller must itself state `alias.community_id = …`
 * @returns SQL of a boolean; parameters are added to `parameters`
 */
export function visiblePostSql(alias: string, actor: Actor, parameters: Parameters, communityId?: number): string {
  const bigints = (values: readonly number[]) => `${parameters.add(values)}::bigint[]`;
  if (communityId !== undefined) {
    if (!actor.roles.has(communityId)) return 'false';
    if (hasPermission(actor, communityId, 'readAllPosts')) return `${alias}.live`;
    if (!hasPermission(actor, communityId, 'readPublicPosts')) {
      return `(${alias}.live AND ${grantedSql(`${alias}.id`, bigints(actor.principals))})`;
    }
    return `(${alias}.live AND ${openToRoleSql(alias, bigints(actor.principals))})`;
  }
  if (actor.roles.size === 0) return 'false';
  const among = (ids: readonly number[]) =>
    ids.length === 0 ? undefined : `${alias}.community_id = ANY (${bigints(ids)})`;
  const all = bigints([...actor.roles.keys()]);
  const [readAll, readPublic] = [communitiesWith(actor, 'readAllPosts'), communitiesWith(actor, 'readPublicPosts')];
  const open = openToRoleSql(alias, bigints(actor.principals), {
    readsAll: among(readAll),
    readsPublic: readPublic.length === actor.roles.size ? undefined : (among(readPublic) ?? 'false'),
  });
  return `(${alias}.live AND ${alias}.community_id = ANY (${all}) AND ${open})`;
}

/** The predicate "this is a draft or scheduled post of the actor's own", in a community where they have a role. */
export function ownDraftSql(alias: string, actor: Actor, parameters: Parameters): string {
  if (actor.roles.size === 0) return 'false';
  return `(${alias}.draft AND ${alias}.deleted_at IS NULL AND ${alias}.creator_id = ${parameters.add(actor.userId)} AND ${alias}.community_id = ANY (${parameters.add([...actor.roles.keys()])}::bigint[]))`;
}

/** The predicate "the actor sees this post, drafts of their own included"; see {@link seesPost}. */
export function seenPostSql(alias: string, actor: Actor, parameters: Parameters): string {
  return `(${visiblePostSql(alias, actor, parameters)} OR ${ownDraftSql(alias, actor, parameters)})`;
}

/** Facts of a post that decide its readers; the reader's role decides the rest. */
export interface PostReaders {
  /** Published and not deleted. */
  live: boolean;
  /** null where the post was not there. */
  visibility: Visibility | null;
  /** Principals that grants name: user ids and negated group ids. */
  principals: readonly number[];
}

/** A post and a possible reader. */
interface SightCase extends RoleCase {
  readonly post: PostReaders;
}

const isLive = fact<SightCase>(({ post }) => post.live, {
  kind: 'DRAFT',
  yes: () => 'the post is published',
  no: () => 'the post is a draft or deleted',
});
const isPublic = fact<SightCase>(({ post }) => post.visibility === Visibility.PUBLIC, {
  kind: 'VISIBILITY',
  yes: () => 'the post is public',
  no: () => 'the post is private',
});
const isNamed = fact<SightCase>(({ actor, post }) => post.principals.some((id) => actor.principals.includes(id)), {
  kind: 'GRANT',
  yes: ({ who, verb }) => `the post names ${who} or a group that ${who} ${verb('are', 'is')} in`,
  no: ({ who, verb }) =>
    `${who} ${verb('are', 'is')} neither a watcher of the post, nor invited, nor named by a task or a field of it, alone or by a group`,
});

/** Decides whether an actor sees a live post. The same rule in SQL is {@link visiblePostSql}. */
const livePostRule = all<SightCase>(
  hasRole,
  isLive,
  any<SightCase>(all<SightCase>(isPublic, readsPublicPosts), readsAllPosts, isNamed),
);

/** @returns whether the reader sees the post while it is live */
export function seesLivePost(reader: SightCase['actor'], communityId: number, post: PostReaders): boolean {
  return livePostRule.holds({ actor: reader, community: { id: communityId }, post });
}

/** A post, which may be a draft or deleted, and a possible reader. */
export interface PostSightCase {
  readonly actor: Actor;
  readonly community: { readonly id: number };
  readonly post: Omit<PostReaders, 'live'> & { creatorId: number; draft: boolean; deleted: boolean };
}

const wroteDraft = fact<PostSightCase>(({ actor, post }) => post.creatorId === actor.userId, {
  kind: 'AUTHOR',
  yes: ({ who }) => `the post is a draft that ${who} wrote`,
  no: () => 'the post is a draft of somebody else',
});

const seesLive = on(
  ({ actor, community, post }: PostSightCase): SightCase => ({
    actor,
    community,
    post: { ...post, live: !post.deleted },
  }),
  livePostRule,
);
const seesDraft = all<PostSightCase>(hasRole, wroteDraft);
/** Decides whether an actor sees a post, their own drafts included. */
export const postSightRule = choose<PostSightCase>(({ post }) => (post.draft && !post.deleted ? seesDraft : seesLive));

/** Whether the actor sees the post, drafts of their own included. */
export function seesPost(actor: Actor, post: PostSightCase['post'] & { communityId: number }): boolean {
  return postSightRule.holds({ actor, community: { id: post.communityId }, post });
}

/** Somebody and a community that may hide comments. */
interface CommentSightCase extends RoleCase {
  readonly community: { readonly id: number; readonly commentsHiddenFromReaders: boolean };
}

const commentsOpen = fact<CommentSightCase>(({ community }) => !community.commentsHiddenFromReaders, {
  kind: 'SETTING',
  yes: () => 'comments are open to readers of the community',
  no: () => 'comments are hidden from readers of the community',
});

/**
 * Decides whether an actor sees the comments of a community's posts: the community may hide them
 * from readers (docs/decisions/people.md).
 */
export const commentSightRule = all<CommentSightCase>(hasRole, any<CommentSightCase>(commentsOpen, mayComment));

/** Whether the actor sees the comments of posts of a community. */
export function seesComments(actor: Actor, community: { id: number; commentsHiddenFromReaders: boolean }): boolean {
  return commentSightRule.holds({ actor, community });
}

/**
 * The same in SQL, for a user with a role in the community.
 * @param community alias of `communities`  @param comments SQL of a boolean: they have the permission comment
 */
export function seesCommentsSql(community: string, comments: string): string {
  return `(NOT ${community}.comments_hidden_from_readers OR ${comments})`;
}
