/** Operations requestAcknowledgements and withdrawAcknowledgements. */

import {
  HistoryType,
  listLimits,
  type RequestAcknowledgementsRequest,
  type RequestAcknowledgementsResponse,
  type WithdrawAcknowledgementsRequest,
  type WithdrawAcknowledgementsResponse,
} from '@portico/contract';
import type { ResolvedZoned } from '@portico/platform/time';
import { type WriteScope, writeTransaction } from '../../../../kernel/access/index.ts';
import { FieldErrors, forbidden } from '../../../../kernel/errors.ts';
import type { Scope } from '../../../../kernel/scope.ts';
import { recordPost } from '../../../records/index.ts';
import { definitionOf } from '../../common/definition-of.ts';
import { lockPost, type PostRow } from '../../common/post-row.ts';
import { findPrincipals } from '../../common/references.ts';
import { postCapabilities } from '../../policy/post-capabilities.ts';
import { readReminders } from '../edit-task-reminders.ts';
import { insertReminders } from '../reminders.repository.ts';
import { type ReminderInput, readExpiration } from '../task-input.ts';
import { findReaders, insertRequests, withdrawRequests } from './acknowledgements.repository.ts';

/** Maximum number of people in one request. */
const MOST_ASKED = listLimits.acknowledgements;

/**
 * Asks readers of a post to acknowledge it. People asked before keep their request, so a
 * repeat asks nobody twice.
 * @throws PorticoError NOT_FOUND, FORBIDDEN; ValidationError with every error
 */
export async function requestAcknowledgements(
  scope: Scope,
  postId: number,
  input: RequestAcknowledgementsRequest,
): Promise<RequestAcknowledgementsResponse> {
  return writeTransaction(scope, 'none', async (write) => {
    const post = await holdForRequests(write, postId);
    const { userIds, expiration, reminders } = await readRequest(write, post, input);
    if (userIds.length > 0) {
      const taskIds = await insertRequests(write, postId, userIds, { title: post.title, expiration });
      await insertReminders(write, taskIds, reminders);
      await recordPost(write, post, {
        touch: { tasks: taskIds.length },
        events: { typeId: HistoryType.TASK_ASSIGNED, taskIds },
      });
    }
    return { postId, askedCount: userIds.length };
  });
}

/** @throws PorticoError NOT_FOUND, FORBIDDEN */
export async function withdrawAcknowledgements(
  scope: Scope,
  postId: number,
  { userIds }: WithdrawAcknowledgementsRequest,
): Promise<WithdrawAcknowledgementsResponse> {
  return writeTransaction(scope, 'none', async (write) => {
    const post = await holdForRequests(write, postId);
    const withdrawnCount = await withdrawRequests(write, postId, userIds);
    if (withdrawnCount > 0) await recordPost(write, post, { touch: { tasks: -withdrawnCount } });
    return { postId, withdrawnCount };
  });
}

/**
 * Locks a post about which the caller may ask for the rest of the write. @throws PorticoError
 * NOT_FOUND, FORBIDDEN
 */
async function holdForRequests(write: WriteScope, postId: number): Promise<PostRow> {
  const post = await lockPost(write, postId);
  const definition = await definitionOf(write, post.communityId);
  if (!postCapabilities(write.actor, definition, post).canRequestAcknowledgements) {
    throw forbidden('Missing capability: canRequestAcknowledgements.');
  }
  return post;
}

interface NewRequests {
  /** People without a request so far. */
  userIds: number[];
  expiration: ResolvedZoned | undefined;
  reminders: ReminderInput[];
}

/** @throws ValidationError with every error */
async function readRequest(
  write: WriteScope,
  post: PostRow,
  input: RequestAcknowledgementsRequest,
): Promise<NewRequests> {
  const { userIds = [], groupIds = [] } = input;
  const errors = new FieldErrors();
  if (userIds.length === 0 && groupIds.length === 0) {
    errors.add('userIds', 'REQUIRED_FIELD', 'Send userIds or groupIds.');
  }
  const reminders = readReminders(input.reminders, errors);
  const expiration = input.expiration || reminders.length > 0 ? readExpiration(input, errors) : undefined;
  const { groups } = await findPrincipals(write, [], groupIds);
  for (const [index, id] of groupIds.entries()) {
    if (!groups.has(id)) errors.add(`groupIds[${index}]`, 'UNKNOWN_REFERENCE');
  }
  const readers = await findReaders(write.tx, post.id, { userIds, groupIds: [...groups] }, MOST_ASKED + 1);
  if (readers.length > MOST_ASKED) {
    errors.add('groupIds', 'TOO_MANY_ITEMS', `Ask at most ${MOST_ASKED} people in one request.`, [MOST_ASKED]);
  } else {
    const canRead = new Set(readers.map(({ userId }) => userId));
    for (const [index, id] of userIds.entries()) {
      if (canRead.has(id)) continue;
      errors.add(`userIds[${index}]`, 'UNKNOWN_REFERENCE', 'There is no such person who can read the post.');
    }
  }
  errors.throwIfAny();
  return { userIds: readers.flatMap(({ userId, requested }) => (requested ? [] : [userId])), expiration, reminders };
}
