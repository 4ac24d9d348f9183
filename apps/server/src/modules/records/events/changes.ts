/**
 * Change rows: the source of the stream, notifications and webhooks. Each write adds one per post
 * it changed, in its own transaction, by INSERT … SELECT from the post's row. The SELECT ensures
 * that `portico_transaction` is the transaction of the node that holds the post, which the
 * sequencer compares with its snapshot.
 */

import { Visibility } from '@portico/contract';
import { grantedPrincipalsSql, type PostReaders, type WriteScope } from '../../../kernel/access/index.ts';
import { takeRecordedTypes } from './history.ts';

/**
 * Kind of the change of a post (docs/decisions/stream.md): the stronger kind wins when a follower
 * reads several at once.
 */
export const ChangeKind = { CREATED: 1, MODIFIED: 2, TOUCHED: 3, DELETED: 4 } as const;
export type ChangeKind = (typeof ChangeKind)[keyof typeof ChangeKind];

const INSERT_ONE = `INSERT INTO changes
    (tenant_id, id, xid, node, at, post_id, community_id, kind, acl_changed, before_live, before_visibility, before_principals,
     history_types)
  SELECT p.tenant_id, $9, portico_transaction(p.tenant_id), portico_node(p.tenant_id), $3, p.id, p.community_id, $4, $5, $6, $7, $8, $10
    FROM posts p WHERE p.tenant_id = $1 AND p.id = $2`;

const INSERT_MANY = `INSERT INTO changes
    (tenant_id, id, xid, node, at, post_id, community_id, kind, acl_changed, before_live, before_principals)
  SELECT p.tenant_id, c.id, portico_transaction(p.tenant_id), portico_node(p.tenant_id), $3, p.id, p.community_id, $4, $5, $6, $7
    FROM posts p JOIN unnest($2::bigint[], $8::bigint[]) AS c (post_id, id) ON c.post_id = p.id WHERE p.tenant_id = $1`;

/**
 * Writes the change row of one post. Without `aclBefore`, a creation (kind 1) states that no user
 * saw the post before, and any other kind states that its readers stayed the same.
 * @param aclBefore readers of the post before, when the write altered them (visibility, grants,
 *   draft, deletion)
 */
export async function recordChange(
  write: WriteScope,
  postId: number,
  kind: ChangeKind,
  aclBefore?: PostReaders,
): Promise<void> {
  const created = kind === ChangeKind.CREATED;
  const before = aclBefore ?? (created ? { live: false, visibility: null, principals: [] } : undefined);
  const {
    ids: [id],
  } = await write.tx.takeReservedIds('changes', 1);
  const row = [
    write.tx.tenantId,
    postId,
    new Date(write.now),
    kind,
    before !== undefined,
    before?.live ?? null,
    before?.visibility ?? null,
    before?.principals ?? null,
    id,
    takeRecordedTypes(write.tx, postId),
  ];
  await write.tx.sendChange('posts', [postId], INSERT_ONE, row, (count) => {
    if (count !== 1) throw new Error(`post ${postId} is not there to record a change of`);
  });
}

/**
 * Writes the change rows of many posts that changed in the same way and whose readers stayed the
 * same or are new.
 * @param changeIds ids of the rows, one per post, where the caller has reserved them with others
 */
export async function recordChanges(
  write: WriteScope,
  kind: ChangeKind,
  postIds: readonly number[],
  changeIds?: readonly number[],
): Promise<void> {
  if (postIds.length === 0) return;
  const created = kind === ChangeKind.CREATED;
  const ids = [...new Set(postIds)].sort((a, b) => a - b);
  const parameters = [
    write.tx.tenantId,
    ids,
    new Date(write.now),
    kind,
    created,
    created ? false : null,
    created ? [] : null,
    changeIds ?? (await write.tx.takeReservedIds('changes', ids.length)).ids,
  ];
  await write.tx.sendChange('posts', ids, INSERT_MANY, parameters, (count) => {
    if (count !== ids.length) throw new Error('some posts are not there to record changes of');
  });
}

/**
 * Returns the present readers of a post, for a verb that is about to change them. The verb locks
 * the post's row (`FOR UPDATE`), so that no other write changes them in between.
 */
export async function readAcl(write: WriteScope, postId: number): Promise<PostReaders> {
  const [row] = await write.tx.query<PostReaders>(
    `SELECT p.live, p.visibility,
            ${grantedPrincipalsSql('p.id')} AS principals
       FROM posts p WHERE p.tenant_id = $1 AND p.id = $2`,
    [write.tx.tenantId, postId],
  );
  if (!row) throw new Error(`post ${postId} is not there to read its readers`);
  return row;
}

/**
 * Returns the present readers of a private post, which a change of grants is about to alter;
 * undefined for other posts, whose readers do not depend on grants.
 */
export async function readGrantedReaders(
  write: WriteScope,
  post: { id: number; visibility: Visibility },
): Promise<PostReaders | undefined> {
  return post.visibility === Visibility.PRIVATE ? readAcl(write, post.id) : undefined;
}

/**
 * Returns whether two states of a post have the same readers, as far as they depend on the post.
 */
export function sameAcl(a: PostReaders, b: PostReaders): boolean {
  return (
    a.live === b.live &&
    a.visibility === b.visibility &&
    a.principals.length === b.principals.length &&
    a.principals.every((principal, index) => principal === b.principals[index])
  );
}
