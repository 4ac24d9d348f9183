/** SQL of a move: the post's row and the rows that name its community. */
import { GrantSource, type WriteScope } from '../../../kernel/access/index.ts';
import { type FieldRule, insertFieldValues } from '../../post-parts/index.ts';
import { moveReferences, removeGrants } from '../../records/index.ts';
import type { PostState } from '../writing/open-post.ts';
import { takeNumbers } from '../writing/take-numbers.ts';
import type { CarriedValues } from './check-carried.ts';

/** A post between two communities. */
interface Move {
  postId: number;
  /** Id of the community that the post leaves. */
  from: number;
  /** Id of the community that the post enters. */
  to: number;
}

/** Locks the post against writes that add comments, tasks or files to it: their rows name its community. */
export async function lockPost({ tx }: WriteScope, postId: number): Promise<void> {
  await tx.query('SELECT FROM posts WHERE tenant_id = $1 AND id = $2 FOR UPDATE', [tx.tenantId, postId]);
}

/** Number, state and token of a post when it left a community. */
export interface FormerPlace {
  customNo: number;
  /** null without a workflow, and for moves of earlier versions of the service. */
  stateId: number | null;
  /** The token of the post after it had left. */
  version: number | null;
  /** True when nobody wrote to screens of its workflow since. */
  screens: boolean;
  /** The workflow that the two communities shared then. */
  workflowId: number | null;
}

/**
 * Returns the place of the post when it last left the community; undefined if it was never there.
 */
export async function formerPlace({ tx }: WriteScope, { postId, to }: Move): Promise<FormerPlace | undefined> {
  const [row] = await tx.query<FormerPlace>(
    `SELECT (details->'movedFrom'->>'customNo')::bigint AS "customNo", (details->'movedFrom'->>'stateId')::bigint AS "stateId",
            (details->'movedFrom'->>'version')::bigint AS version, (details->'movedFrom'->>'workflowId')::bigint AS "workflowId",
            coalesce((details->'movedFrom'->>'screenVersion')::bigint
                     = (SELECT screen_version FROM posts WHERE tenant_id = $1 AND id = $2), false) AS screens
       FROM history_events
      WHERE tenant_id = $1 AND post_id = $2 AND (details->'movedFrom'->>'communityId')::bigint = $3
      ORDER BY id DESC LIMIT 1`,
    [tx.tenantId, postId, to],
  );
  return row;
}

/**
 * Returns the values that the fields of a community held when the post left it, by id; for posts
 * that nobody edited since.
 */
export async function formerValues({ tx }: WriteScope, postId: number): Promise<Record<string, unknown>> {
  const [row] = await tx.query<{ content: Record<string, unknown> }>(
    'SELECT content FROM post_versions WHERE tenant_id = $1 AND post_id = $2 ORDER BY id DESC LIMIT 1',
    [tx.tenantId, postId],
  );
  return Object.fromEntries(
    Object.entries(row?.content ?? {}).flatMap(([part, value]) =>
      part.startsWith('field.') ? [[part.slice('field.'.length), value]] : [],
    ),
  );
}

/**
 * @returns the number of the post before, and the token of its screens after; undefined when its
 *   token has changed
 */
export async function updateMoved(
  write: WriteScope,
  { id, version }: PostState,
  communityId: number,
  row: CarriedValues & {
    stateId: number | null;
    initStateId: number | null;
    /** null: the next number of the community. */
    customNo: number | null;
    pinPost: boolean;
    announce: boolean;
  },
): Promise<{ customNoBefore: number; screenVersion: number } | undefined> {
  const { tx, actor, now } = write;
  const [before] = await tx.query<{ customNo: number; screenVersion: number }>(
    'SELECT custom_no AS "customNo", screen_version AS "screenVersion" FROM posts WHERE tenant_id = $1 AND id = $2',
    [tx.tenantId, id],
  );
  const customNo = row.customNo ?? (await takeNumbers(write, communityId, 1));
  const count = await tx.execute(
    `UPDATE posts
        SET community_id = $4, custom_no = $5, version = version + 1, token_by = $6, token_at = $7, modifier_id = $6,
            modified_at = $7, operated_at = greatest(operated_at, $7), active_at = greatest(active_at, $7),
            recent_at = greatest(recent_at, $7), recent_by = $6, custom_data = $8, screen_data = $9, state_id = $10, init_state_id = $11,
            screen_version = screen_version + 1, screen_token_by = $6, screen_token_at = $7, pinned = pinned AND $12,
            announcement = announcement AND $13
      WHERE tenant_id = $1 AND id = $2 AND version = $3`,
    [
      tx.tenantId,
      id,
      version,
      communityId,
      customNo,
      actor.userId,
      new Date(now),
      JSON.stringify(row.customData),
      JSON.stringify(row.screenData),
      row.stateId,
      row.initStateId,
      row.pinPost,
      row.announce,
    ],
  );
  return count === 1 && before
    ? { customNoBefore: before.customNo, screenVersion: before.screenVersion + 1 }
    : undefined;
}

/**
 * Deletes the value rows of the former fields, and inserts the rows of the fields of the other
 * community.
 */
export async function moveValues(
  write: WriteScope,
  postId: number,
  formerIds: readonly number[],
  { fields, stored }: { fields: readonly FieldRule[]; stored: Readonly<Record<string, unknown>> },
): Promise<void> {
  const { tx } = write;
  const former = [tx.tenantId, postId, formerIds];
  await tx.send(
    'DELETE FROM post_values WHERE tenant_id = $1 AND post_id = $2 AND field_id = ANY ($3::bigint[])',
    former,
  );
  await tx.send(
    'DELETE FROM post_texts WHERE tenant_id = $1 AND post_id = $2 AND field_id = ANY ($3::bigint[])',
    former,
  );
  await removeGrants(write, GrantSource.FIELD, postId, { sourceIds: formerIds });
  await insertFieldValues(write, [{ postId, fields, stored }]);
}

/** Updates rows of the post that name its community, and values of other posts that refer to it. */
export async function moveRows({ tx }: WriteScope, { postId, to }: Move): Promise<void> {
  const moved = [tx.tenantId, postId, to];
  await tx.send('UPDATE post_user_state SET community_id = $3 WHERE tenant_id = $1 AND post_id = $2', moved);
  await tx.send('UPDATE post_versions SET community_id = $3 WHERE tenant_id = $1 AND post_id = $2', moved);
  await moveReferences(tx, postId, to);
}
