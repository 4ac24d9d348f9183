/** What the lists of the caller's own posts have in common: pages by a time and an id, the newest first. */
import { Parameters } from '../../kernel/access/index.ts';
import { notFound } from '../../kernel/errors.ts';
import { afterKeySql, type PagingInput, readPaging, toPage } from '../../kernel/paging/index.ts';
import type { Scope } from '../../kernel/scope.ts';

/** The post of a row, as all of these lists show it. */
export interface OwnPostRow {
  postId: number;
  customNo: number;
  title: string | null;
  communityId: number;
  communityName: string;
  /** Epoch milliseconds. */
  at: number;
}

/** SQL of the columns of {@link OwnPostRow} but the time, of a post `p` and its community `c`. */
export const ownPostColumns = `p.id AS "postId", p.custom_no AS "customNo", p.title, p.community_id AS "communityId",
  c.name AS "communityName"`;

/** SQL that joins the community of the post `p`. */
export const joinCommunity = 'JOIN communities c ON c.tenant_id = $1 AND c.id = p.community_id';

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

/** A list whose order is the column `at`, then the post, both falling. */
interface OwnList<Row extends OwnPostRow> {
  operation: string;
  /** SQL of the time. */
  at: string;
  /** SELECT and FROM, up to the conditions. */
  select: string;
  /** SQL of the rows to count. */
  from: string;
  where(parameters: Parameters): string[];
  present(rows: readonly Row[]): Promise<object[]>;
}

/**
 * A page of such a list.
 * @throws PorticoError NOT_FOUND for a community in which the caller has no role
 */
export async function pageOfOwnPosts<Row extends OwnPostRow>(
  scope: Scope,
  body: PagingInput & { communityId?: number | undefined },
  list: OwnList<Row>,
) {
  const { communityId } = body;
  if (communityId !== undefined && !scope.actor.roles.has(communityId)) throw notFound();
  const request = readPaging<readonly [at: number, id: number]>(scope, list.operation, body, communityId ?? null);
  const filtered = () => {
    const parameters = new Parameters([scope.tenant.id]);
    const where = list.where(parameters);
    if (communityId !== undefined) where.push(`p.community_id = ${parameters.add(communityId)}::bigint`);
    return { parameters, where };
  };
  const order = [
    { sql: list.at, desc: true },
    { sql: 'p.id', desc: true },
  ];
  const { parameters, where } = filtered();
  if (request.after) {
    const [at, id] = request.after;
    where.push(afterKeySql(order, [`${parameters.add(new Date(at))}::timestamptz`, `${parameters.add(id)}::bigint`]));
  }
  const found = await scope.db.query<Row>(
    `${list.select} ${list.from} WHERE ${where.join(' AND ')}
      ORDER BY ${list.at} DESC, p.id DESC LIMIT ${parameters.add(request.size + 1)}`,
    parameters.values,
  );
  const { rows, nextPageToken } = toPage(request, found, (row) => [row.at, row.postId] as const);
  const items = await list.present(rows);
  if (!request.withTotal) return { items, ...(nextPageToken !== undefined && { nextPageToken }) };
  const total = filtered();
  const [count] = await scope.db.query<{ count: number }>(
    `SELECT count(*) AS count ${list.from} WHERE ${total.where.join(' AND ')}`,
    total.parameters.values,
  );
  return { items, ...(nextPageToken !== undefined && { nextPageToken }), totalItemsCount: count!.count };
}
