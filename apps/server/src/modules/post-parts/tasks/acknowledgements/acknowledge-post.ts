/** Operation acknowledgePost: a person confirms that they have read a post. */

import { type AcknowledgePostResponse, TaskState } from '@portico/contract';
import { writeTransaction } from '../../../../kernel/access/index.ts';
import { forbidden } from '../../../../kernel/errors.ts';
import type { Scope } from '../../../../kernel/scope.ts';
import { recordPost } from '../../../records/index.ts';
import { lockPost } from '../../common/post-row.ts';
import { updateTaskState } from '../tasks.repository.ts';
import { findRequestsTo } from './acknowledgements.repository.ts';

/**
 * Closes the request to the caller; a repeat returns the time of the first. An acknowledgement does
 * not mark the post as changed: otherwise its readers would find it new with each acknowledgement.
 * @throws PorticoError NOT_FOUND; FORBIDDEN for a person without a request
 */
export async function acknowledgePost(scope: Scope, postId: number): Promise<AcknowledgePostResponse> {
  return writeTransaction(scope, 'none', async (write) => {
    const post = await lockPost(write, postId);
    const requests = await findRequestsTo(write.tx, postId, write.actor.userId);
    const open = requests.filter(({ acknowledgedAt }) => acknowledgedAt === null);
    const before = requests.find(({ acknowledgedAt }) => acknowledgedAt !== null);
    if (requests.length === 0)
      throw forbidden('Missing capability: canAcknowledge. You are not asked to acknowledge it.');
    for (const { id } of open) {
      await updateTaskState(write, id, TaskState.CLOSED, { reviewed: false, closed: true });
    }
    if (open.length > 0) await recordPost(write, post, { touch: { news: false } });
    return { postId, acknowledgementTimestamp: before?.acknowledgedAt ?? write.now };
  });
}
