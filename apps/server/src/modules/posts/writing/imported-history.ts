/**
 * Writes that only imports use: the history before the import, references between posts imported
 * together, and the workflow state of the source. Like `createPosts` they check no rights, and the
 * number of statements does not grow with the number of posts (except for references, which are
 * few).
 */
import { HistoryType, type PostType } from '@portico/contract';
import type { WriteScope } from '../../../kernel/access/index.ts';
import type { FieldError } from '../../../kernel/errors.ts';
import type { CommunityDefinition } from '../../communities/index.ts';
import { refreshPostSearch, validateFieldData, writeFieldValues } from '../../post-parts/index.ts';
import {
  ChangeKind,
  noteModifiedBy,
  type PostEvent,
  recordChanges,
  recordHistory,
  recordPost,
} from '../../records/index.ts';
import { postFields } from './create-posts.ts';

/** A change of a post before its import. */
interface PastChange {
  postId: number;
  /** Epoch milliseconds. */
  at: number;
  authorId: number;
  /** True for the creation of the post. */
  first: boolean;
  notes?: string;
}

/**
 * Writes past changes into the history of posts of one community: modifications (kind 2), while the
 * first gives its time and author to the event of the creation (kind 1). Updates the posts' last
 * modification.
 */
export async function recordPastChanges(
  write: WriteScope,
  communityId: number,
  changes: readonly PastChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const first = changes.filter((change) => change.first);
  if (first.length > 0) {
    await write.tx.send(
      `UPDATE history_events e SET at = c.at, author_id = c.author_id,
              details = e.details || c.added
         FROM unnest($2::bigint[], $3::timestamptz[], $4::bigint[], $5::jsonb[]) AS c (post_id, at, author_id, added)
        WHERE e.tenant_id = $1 AND e.post_id = c.post_id AND e.type_id = ${HistoryType.POST_CREATED}`,
      [
        write.tx.tenantId,
        first.map((change) => change.postId),
        first.map((change) => new Date(change.at)),
        first.map((change) => change.authorId),
        first.map(({ notes }) => JSON.stringify({ notes })),
      ],
    );
  }
  await recordHistory(
    write,
    changes
      .filter((change) => !change.first)
      .map(({ postId, at, authorId, notes }) => ({
        postId,
        communityId,
        at,
        authorId,
        typeId: HistoryType.POST_MODIFIED,
        details: notes !== undefined ? { notes } : undefined,
      })),
  );
  await noteLastModification(write, communityId, changes);
}

/** Sets the last editor of posts and the time, unless a later modification is known. */
export async function noteLastModification(
  write: WriteScope,
  communityId: number,
  modifications: readonly { postId: number; at: number; authorId: number }[],
): Promise<void> {
  if (modifications.length === 0) return;
  const parameters = [
    write.tx.tenantId,
    modifications.map((one) => one.postId),
    modifications.map((one) => new Date(one.at)),
    modifications.map((one) => one.authorId),
  ];
  const rows = await write.tx.query<{ postId: number }>(
    `UPDATE posts p SET modified_at = m.at, modifier_id = m.author_id, operated_at = greatest(p.operated_at, m.at),
            recent_at = greatest(p.recent_at, m.at), active_at = greatest(p.active_at, m.at),
            recent_by = CASE WHEN m.at >= p.recent_at THEN m.author_id ELSE p.recent_by END
       FROM (SELECT DISTINCT ON (post_id) * FROM unnest($2::bigint[], $3::timestamptz[], $4::bigint[]) WITH ORDINALITY
               AS m (post_id, at, author_id, ord) ORDER BY post_id, at DESC, ord DESC) m
      WHERE p.tenant_id = $1 AND p.id = m.post_id AND m.at >= p.modified_at
      RETURNING p.id AS "postId"`,
    parameters,
  );
  await noteModifiedBy(write, communityId, modifications);
  await recordChanges(
    write,
    ChangeKind.MODIFIED,
    rows.map(({ postId }) => postId),
  );
}

/**
 * Sets reference fields of a post that was created together with the posts it refers to, before
 * they existed. It completes the creation: neither the concurrency token nor the history records
 * it. Existing values are kept.
 * @param values ids by field id; the caller has checked that they may be referred to
 */
export async function completeReferences(
  write: WriteScope,
  definition: CommunityDefinition,
  postId: number,
  values: ReadonlyMap<number, readonly number[]>,
): Promise<void> {
  const [post] = await write.tx.query<{ type: PostType; customData: Record<string, unknown> }>(
    `SELECT type, custom_data AS "customData" FROM posts WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE`,
    [write.tx.tenantId, postId],
  );
  if (!post) return;
  const stored = { ...post.customData };
  for (const [fieldId, ids] of values) stored[String(fieldId)] = ids;
  await write.tx.send('UPDATE posts SET custom_data = $3 WHERE tenant_id = $1 AND id = $2', [
    write.tx.tenantId,
    postId,
    JSON.stringify(stored),
  ]);
  await writeFieldValues(write, postId, postFields(definition, post.type), stored, [...values.keys()]);
  await recordPost(write, { id: postId, communityId: definition.id }, { kind: ChangeKind.MODIFIED });
}

/**
 * Sets the workflow state of a post, whether or not a transition leads to it. The history records
 * the transition between the two states if one exists, else a modification of the post.
 * @returns whether the post was in another state before
 */
export async function moveToState(
  write: WriteScope,
  definition: CommunityDefinition,
  postId: number,
  stateId: number,
): Promise<boolean> {
  const [post] = await write.tx.query<{ stateId: number | null; draft: boolean }>(
    'SELECT state_id AS "stateId", draft FROM posts WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE',
    [write.tx.tenantId, postId],
  );
  if (!post || post.draft || post.stateId === stateId) return false;
  await write.tx.send(
    `UPDATE posts SET state_id = $3, screen_version = screen_version + 1, screen_token_by = $4, screen_token_at = $5,
            operated_at = greatest(operated_at, $5), recent_at = greatest(recent_at, $5), recent_by = $4
      WHERE tenant_id = $1 AND id = $2`,
    [write.tx.tenantId, postId, stateId, write.actor.userId, new Date(write.now)],
  );
  const transition = definition.workflow?.transitions.find(
    (one) => one.fromStateId === post.stateId && one.toStateId === stateId,
  );
  const event: PostEvent = transition
    ? { typeId: HistoryType.WORKFLOW_OPERATION, transitionId: transition.id }
    : { typeId: HistoryType.POST_MODIFIED, details: { changedParts: ['workflowState'] } };
  await recordPost(write, { id: postId, communityId: definition.id }, { events: event });
  return true;
}

/**
 * Writes values of screens of a post that was just imported, checked as those of a form.
 * @param screenData values by field id as text
 * @returns errors of values, with which nothing was written
 */
export async function writeScreenData(
  write: WriteScope,
  definition: CommunityDefinition,
  postId: number,
  screenData: Readonly<Record<string, unknown>>,
): Promise<readonly FieldError[]> {
  const fields = definition.workflow?.fields ?? [];
  const { stored, changedFieldIds, errors } = await validateFieldData({
    write,
    fields,
    input: screenData,
    current: {},
    mode: 'patch',
    fieldPath: 'screenData',
    trusted: true,
  });
  if (errors.length > 0) return errors.list;
  await write.tx.send('UPDATE posts SET screen_data = $3 WHERE tenant_id = $1 AND id = $2', [
    write.tx.tenantId,
    postId,
    JSON.stringify(stored),
  ]);
  await writeFieldValues(write, postId, fields, stored, changedFieldIds);
  await refreshPostSearch(write, postId);
  return [];
}
