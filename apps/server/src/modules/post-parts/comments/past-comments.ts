/**
 * Writes the comments that a post had in another portal. Like `createPosts` for imports it checks
 * no rights; texts and files are checked as in requests.
 */
import { AttachmentEntityType, HistoryType, type InputPostAttachment } from '@portico/contract';
import { takeIds } from '@portico/platform/db/take-ids';
import type { RichText } from '@portico/platform/richtext';
import type { WriteScope } from '../../../kernel/access/index.ts';
import { type FieldError, FieldErrors } from '../../../kernel/errors.ts';
import type { CommunityDefinition } from '../../communities/index.ts';
import { applyFiles, planFiles } from '../../files/index.ts';
import { recordHistory, touchPost } from '../../records/index.ts';
import { readCommentText } from './comment-text.ts';

/** A comment of the past. */
export interface PastComment {
  readonly authorId: number;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Delta as JSON text. */
  readonly comment: string;
  /** Place of the answered comment in the list. */
  readonly answers?: number | undefined;
  readonly attachments: readonly InputPostAttachment[];
}

/**
 * Adds comments to a post that this transaction created.
 * @returns the errors of each comment: one with errors in its text is left out, else its faulty
 * files are
 */
export async function addPastComments(
  write: WriteScope,
  definition: CommunityDefinition,
  postId: number,
  comments: readonly PastComment[],
): Promise<(readonly FieldError[])[]> {
  const errors = comments.map(() => new FieldErrors());
  const read = comments.map((comment, index): RichText | undefined => {
    const text = readCommentText({ comment: comment.comment }, comment.attachments.length > 0, errors[index]!);
    return errors[index]!.length > 0 ? undefined : text;
  });
  const good = read.flatMap((text, index) => (text ? [{ text, index, of: comments[index]! }] : []));
  if (good.length === 0) return errors.map(({ list }) => list);
  const ids = await takeIds(write.tx, 'comments', good.length);
  const idAt = new Map(good.map(({ index }, place) => [index, ids[place]!]));
  await insertComments(write, postId, good, idAt);
  await recordHistory(
    write,
    good.map(({ of, index }) => ({
      typeId: HistoryType.COMMENT_ADDED,
      postId,
      communityId: definition.id,
      commentId: idAt.get(index)!,
      authorId: of.authorId,
      at: of.at,
    })),
  );
  for (const { of, index } of good)
    if (of.attachments.length > 0) {
      const commentId = idAt.get(index)!;
      const author = { ...write, actor: { ...write.actor, userId: of.authorId }, now: of.at };
      const files = await planFiles(
        write,
        { communityId: definition.id, postId, entityType: AttachmentEntityType.COMMENT, commentId },
        { add: of.attachments },
        definition.community,
        { add: 'attachments' },
        errors[index]!,
      );
      await applyFiles(author, files, { postId, commentId });
    }
  const last = good.reduce((latest, { of }) => Math.max(latest, of.at), 0);
  await touchPost({ ...write, now: last }, postId, { comments: good.length, active: true, news: false });
  return errors.map(({ list }) => list);
}

function insertComments(
  write: WriteScope,
  postId: number,
  good: readonly { text: RichText; of: PastComment }[],
  idAt: ReadonlyMap<number, number>,
): Promise<number> {
  const { tx } = write;
  const ids = [...idAt.values()];
  const rows = good.map(({ text, of }, place) => ({
    id: ids[place],
    parent_id: (of.answers === undefined ? undefined : idAt.get(of.answers)) ?? null,
    delta: text.delta,
    plain: text.plain,
    creator_id: of.authorId,
    at: new Date(of.at).toISOString(),
  }));
  return tx.createAs(
    'comments',
    ids,
    `INSERT INTO comments (tenant_id, id, post_id, parent_id, delta, plain, creator_id, created_at, modified_at)
     SELECT a.tenant_id, r.id, $2, r.parent_id, r.delta, r.plain, r.creator_id, r.at, r.at
       FROM tenant_versions a, jsonb_to_recordset($3::jsonb) AS r (id bigint, parent_id bigint, delta text, plain text,
              creator_id bigint, at timestamptz)
      WHERE a.tenant_id = $1`,
    [tx.tenantId, postId, JSON.stringify(rows)],
  );
}
