/** Writes around a post that do not raise its token (docs/decisions/writes.md): watchers, attachments, answers to events. */

import {
  AttachmentEntityType,
  type EditPostAttachmentsRequest,
  type EditPostEventPartecipateRequest,
  type EditPostWatchersRequest,
  EventAnswer,
  PostType,
} from '@portico/contract';
import { isLongerThan, storableText } from '@portico/platform/text';
import { type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { FieldErrors, forbidden, invalid, ValidationError } from '../../../kernel/errors.ts';
import { requireFields } from '../../../kernel/missing-fields.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { type AppliedFiles, attachFiles } from '../../files/index.ts';
import { eventAnswerRule, findPrincipals, postCase, readText } from '../../post-parts/index.ts';
import { keepVersion, postFiles, postModified, recordPost } from '../../records/index.ts';
import { counts } from './edit-post.ts';
import { openPost } from './open-post.ts';
import { applyWatchers, readWatchers } from './watchers.ts';

const MAX_NOTES_LENGTH = 2_000;

/**
 * Operation editPostWatchers. Adding a user who watches and removing one who does not changes
 * nothing. The history does not record watchers.
 * @throws PorticoError NOT_FOUND, FORBIDDEN; ValidationError
 */
export async function editPostWatchers(scope: Scope, postId: number, body: EditPostWatchersRequest): Promise<void> {
  await writeTransaction(scope, 'none', async (write) => {
    const open = await openPost(write, postId, { need: 'canModify' });
    const errors = new FieldErrors();
    const existing = await findPrincipals(write, body.addWatcherUserIds ?? [], []);
    const changes = readWatchers(
      open.definition,
      { addUserIds: body.addWatcherUserIds, removeUserIds: body.removeWatcherUserIds },
      existing,
      { users: 'addWatcherUserIds', groups: 'addWatcherGroupIds' },
      errors,
    );
    errors.throwIfAny();
    if (!(await applyWatchers(write, open.definition, postId, changes))) return;
    await recordPost(write, open.post, { touch: {}, readers: open.acl, compare: true });
  });
}

/**
 * Operation editPostAttachments. Removing a removed attachment, and restoring an attachment that is
 * not removed, change nothing, so the write may be repeated.
 * @param answer reads the part of the response about the post, in the same transaction
 * @throws PorticoError NOT_FOUND, FORBIDDEN; ValidationError with all errors of the body
 */
export async function editPostAttachments<T>(
  scope: Scope,
  postId: number,
  body: EditPostAttachmentsRequest,
  answer: (write: WriteScope, applied: AppliedFiles) => Promise<T>,
): Promise<T> {
  return writeTransaction(scope, 'none', async (write) => {
    const open = await openPost(write, postId, { need: 'canEditAttachments' });
    const { post, definition } = open;
    const present = await postFiles(write.tx, postId);
    const applied = await attachFiles(
      write,
      { communityId: post.communityId, postId, entityType: AttachmentEntityType.POST },
      {
        add: body.addAttachments,
        update: body.updateAttachments,
        removeIds: body.removeAttachmentIds,
        restoreIds: body.restoreAttachmentIds,
      },
      definition.community,
      {
        add: 'addAttachments',
        update: 'updateAttachments',
        remove: 'removeAttachmentIds',
        restore: 'restoreAttachmentIds',
      },
    );
    const changed = counts(applied);
    if (Object.keys(changed).length === 0) return answer(write, applied);
    await keepVersion(write, post, { attachments: present });
    await recordPost(write, post, {
      touch: {},
      // The history records an added file by its own event kind only.
      events:
        applied.updatedIds.length + applied.removedIds.length > 0 ? postModified(post, ['attachments'], changed) : [],
      readers: open.acl,
      compare: true,
    });
    return answer(write, applied);
  });
}

/**
 * Reads a note as a delta: a Quill delta as JSON text, or plain text.
 * @throws ValidationError TEXT_TOO_LONG
 */
function readNotes(value: string | undefined): string | null {
  if (!value) return null;
  const delta = readText('notes', value, 1);
  const { text, error } = delta.text ? delta : readText('notes', storableText(value), 2);
  if (error) throw new ValidationError([error]);
  if (isLongerThan(text.plain, MAX_NOTES_LENGTH))
    throw invalid('notes', 'TEXT_TOO_LONG', undefined, [MAX_NOTES_LENGTH]);
  return text.delta;
}

/**
 * Operation editPostEventPartecipate: stores the caller's answer to an event, which may be changed
 * at any time.
 * @throws PorticoError NOT_FOUND (unknown, not visible, no event), FORBIDDEN (not published);
 *   ValidationError
 */
export async function editPostEventPartecipate(
  scope: Scope,
  postId: number,
  body: EditPostEventPartecipateRequest,
): Promise<void> {
  await writeTransaction(scope, 'none', async (write) => {
    const { post, definition } = await openPost(write, postId, { need: 'canViewDetail', types: [PostType.EVENT] });
    if (!eventAnswerRule.holds(postCase(write.actor, definition, post)))
      throw forbidden('You can respond only to a published event.');
    const allowed: readonly number[] = Object.values(EventAnswer);
    requireFields(write);
    const typeId = body.typeId!;
    if (!allowed.includes(typeId)) throw invalid('typeId', 'INVALID_VALUE', undefined, allowed);
    const notes = readNotes(body.notes);
    const { tx } = write;
    await tx.send(
      `INSERT INTO event_answers (tenant_id, post_id, user_id, type_id, notes, answered_at) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (tenant_id, post_id, user_id)
         DO UPDATE SET type_id = excluded.type_id, notes = excluded.notes, answered_at = excluded.answered_at`,
      [tx.tenantId, postId, write.actor.userId, typeId, notes, new Date(write.now)],
    );
    await tx.send(
      `UPDATE posts SET participants_count = (SELECT count(*) FROM event_answers a
                WHERE a.tenant_id = $1 AND a.post_id = $2 AND a.type_id = ${EventAnswer.YES})
        WHERE tenant_id = $1 AND id = $2`,
      [tx.tenantId, postId],
    );
    await recordPost(write, post, { touch: {} });
  });
}
