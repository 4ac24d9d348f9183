/**
 * Changes of the values and states of many posts after a change of their definition. They are no
 * edits: tokens stay.
 */
import { GrantSource, type WriteScope } from '../../../kernel/access/index.ts';
import type { FieldDefinition } from '../../communities/index.ts';
import { holdsText, type StoredValue, sameValue } from '../../fields/index.ts';
import { extendsVisibility, insertFieldValues } from '../../post-parts/index.ts';
import { readAcl, recordPost, sameAcl } from '../../records/index.ts';

/** The data of a post that changes of definitions read. */
export interface PostData {
  readonly id: number;
  readonly communityId: number;
  readonly customData: Readonly<Record<string, unknown>>;
  readonly screenData: Readonly<Record<string, unknown>>;
  readonly stateId: number | null;
  readonly deleted: boolean;
}

/** Locks posts until the write ends, in the order of their ids. */
export async function holdPostData(write: WriteScope, postIds: readonly number[]): Promise<PostData[]> {
  return write.tx.query<PostData>(
    `SELECT id, community_id AS "communityId", custom_data AS "customData", screen_data AS "screenData", state_id AS "stateId",
            deleted_at IS NOT NULL AS deleted
       FROM posts WHERE tenant_id = $1 AND id = ANY ($2::bigint[]) ORDER BY id FOR NO KEY UPDATE`,
    [write.tx.tenantId, postIds],
  );
}

/** Returns the value of a field in a post. */
export function heldValue(post: PostData, field: Pick<FieldDefinition, 'id' | 'owner'>): StoredValue | undefined {
  return (field.owner === 'post' ? post.customData : post.screenData)[String(field.id)] as StoredValue | undefined;
}

/**
 * Sets a field of posts that the write has locked, and writes the rows that follow. Five statements
 * at most, however many posts. A deleted post gets its grants
 * alone: a restore writes the other rows.
 * @param values undefined removes the value
 */
export async function writeFieldOfPosts(
  write: WriteScope,
  field: FieldDefinition,
  values: ReadonlyMap<PostData, StoredValue | undefined>,
): Promise<void> {
  if (values.size === 0) return;
  const { tx } = write;
  const key = String(field.id);
  const column = field.owner === 'post' ? 'custom_data' : 'screen_data';
  const changed = [...values].filter(([post, value]) => !sameValue(heldValue(post, field), value));
  if (changed.length > 0)
    await tx.send(
      `UPDATE posts p SET ${column} = (p.${column} - $2::text) || v.patch
         FROM unnest($3::bigint[], $4::jsonb[]) AS v (id, patch) WHERE p.tenant_id = $1 AND p.id = v.id`,
      [
        tx.tenantId,
        key,
        changed.map(([{ id }]) => id),
        changed.map(([, value]) => JSON.stringify(value === undefined ? {} : { [key]: value })),
      ],
    );
  const ids = [...values.keys()].map(({ id }) => id);
  const rows = [tx.tenantId, field.id, ids];
  await tx.send(
    'DELETE FROM post_values WHERE tenant_id = $1 AND field_id = $2 AND post_id = ANY ($3::bigint[])',
    rows,
  );
  if (holdsText(field))
    await tx.send(
      'DELETE FROM post_texts WHERE tenant_id = $1 AND field_id = $2 AND post_id = ANY ($3::bigint[])',
      rows,
    );
  if (extendsVisibility(field)) await deleteGrants(write, field.id, ids);
  await insertFieldValues(
    write,
    [...values].map(([{ id, deleted }, value]) => ({
      postId: id,
      fields: [field],
      stored: value === undefined ? {} : { [key]: value },
      deleted,
    })),
  );
}

async function deleteGrants({ tx }: WriteScope, fieldId: number, postIds: readonly number[]): Promise<void> {
  await tx.send(
    `DELETE FROM post_grants WHERE tenant_id = $1 AND post_id = ANY ($2::bigint[]) AND source = ${GrantSource.FIELD} AND source_id = $3`,
    [tx.tenantId, postIds, fieldId],
  );
}

/** Removes the grants of a field; followers who lose sight of a post receive the change. */
export async function dropFieldGrants(write: WriteScope, fieldId: number, posts: readonly PostData[]): Promise<void> {
  for (const post of posts) {
    const readers = await readAcl(write, post.id);
    await deleteGrants(write, fieldId, [post.id]);
    if (!sameAcl(readers, await readAcl(write, post.id))) await recordPost(write, post, { readers });
  }
}

/** Sets the states of posts that the write has locked. The tokens of open screens become stale. */
export async function setStates(write: WriteScope, states: ReadonlyMap<PostData, number>): Promise<void> {
  if (states.size === 0) return;
  await write.tx.send(
    `UPDATE posts p SET state_id = v.state_id, screen_version = p.screen_version + 1
       FROM unnest($2::bigint[], $3::bigint[]) AS v (id, state_id) WHERE p.tenant_id = $1 AND p.id = v.id`,
    [write.tx.tenantId, [...states.keys()].map(({ id }) => id), [...states.values()]],
  );
}
