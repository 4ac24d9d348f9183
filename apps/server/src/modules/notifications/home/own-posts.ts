/**
 * Common parts of the lists of the caller's own posts: pages ordered by a time and an id, the
 * newest first.
 */
import { Parameters } from '../../../kernel/access/index.ts';
import { notFound } from '../../../kernel/errors.ts';
import { type PagingInput, readPage, readPaging, type SortKey } from '../../../kernel/paging/index.ts';
import type { Scope } from '../../../kernel/scope.ts';

/** Post of a row in these lists. */
export interface OwnPostRow {
  postId: number;
  customNo: number;
  title: string | null;
  communityId: number;
  communityName: string;
  /** Epoch milliseconds. */
  at: number;
}

/**
 * SQL of the columns of {@link OwnPostRow} except the time, of a post `p` and its community `c`.
 */
export const ownPostColumns = `p.id AS "postId", p.custom_no AS "customNo", p.title, p.community_id AS "communityId",
  c.name AS "communityName"`;

/** SQL that joins the community of the post `p`. */
export const joinCommunity = 'JOIN communities c ON c.tenant_id = $1 AND c.id = p.community_id';

/**
 * SQL of the time until which a user knows a post: the last time they opened, edited or commented
 * it.
 * @param s alias of `post_user_state`
 */
export const knownUntilSql = (s: string) => `greatest(${s}.viewed_at, ${s}.modified_at, ${s}.commented_at)`;

export function presentOwnPost(row: OwnPostRow) {
  return {
    postId: row.postId,
    postCustomId: String(row.customNo),
    postTitle: row.title ?? undefined,
    communityId: row.communityId,
    communityName: row.communityName,
    timestamp: row.at,
  };
}

/** List ordered by the column `at`, then by the post, both descending. */
interface OwnList<Row extends OwnPostRow> {
  operation: string;
  /** SQL of the time. */
  at: string;
  /** SQL of the columns in addition to {@link OwnPostRow}. */
  select: string;
  /** SQL of the posts `p`. */
  from: string;
  where(parameters: Parameters): string[];
  present(rows: readonly Row[]): Promise<object[]>;
}

/**
 * Returns a page of such a list.
 * @throws PorticoError NOT_FOUND for a community in which the caller has no role
 */
export async function pageOfOwnPosts<Row extends OwnPostRow>(
  scope: Scope,
  body: PagingInput & { communityId?: number | undefined },
  list: OwnList<Row>,
) {
  const { communityId } = body;
  if (communityId !== undefined && !scope.actor.roles.has(communityId)) throw notFound();
  const request = readPaging<SortKey>(scope, list.operation, body, communityId ?? null);
  const parameters = new Parameters([scope.tenant.id]);
  const where = list.where(parameters);
  if (communityId !== undefined) where.push(`p.community_id = ${parameters.add(communityId)}::bigint`);
  const order = [
    { sql: list.at, desc: true, type: 'timestamptz' },
    { sql: 'p.id', desc: true, type: 'bigint' },
  ] as const;
  const select = `${ownPostColumns}, ${list.at} AS at, ${list.select}`;
  const { rows, ...paging } = await readPage<Row>(
    scope.db,
    request,
    { select, from: `${list.from} ${joinCommunity}`, where, order },
    parameters,
  );
  return { items: await list.present(rows), ...paging };
}
