/** Operation transitionPosts: runs one transition on many posts. */

import type { BulkPostsResponse, TransitionPostsRequest } from '@portico/contract';
import { type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { forEachPost } from '../../../kernel/bulk.ts';
import { PorticoError } from '../../../kernel/errors.ts';
import { requireFields } from '../../../kernel/missing-fields.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { definitionOf, lockPost } from '../../post-parts/index.ts';
import { runTransition } from './execute-operation.ts';

/** @throws ValidationError for a body without a transition, or with invalid posts */
export async function transitionPosts(scope: Scope, body: TransitionPostsRequest): Promise<BulkPostsResponse> {
  const { workflowOperationId, screenData, applyDefaults, deltaAreaFormat } = body;
  requireFields(scope);
  const common = {
    screenData,
    applyDefaults: applyDefaults || undefined,
    deltaAreaFormat,
  };
  return forEachPost(scope, body, (within, { postId, screenOccToken }) =>
    writeTransaction(within, 'none', async (write) => {
      const input = { ...common, ...(screenOccToken !== undefined && { screenOccToken }) };
      try {
        await runTransition(write, postId, workflowOperationId!, input, { many: true });
        return { outcome: 'OK' };
      } catch (error) {
        const impossible = error instanceof PorticoError && error.code === 'WORKFLOW_OPERATION_NOT_PERMITTED';
        if (impossible && (await isThere(write, postId, workflowOperationId!))) return { outcome: 'UNCHANGED' };
        throw error;
      }
    }),
  );
}

/** Returns whether a post is in the state to which a transition leads. */
async function isThere(write: WriteScope, postId: number, transitionId: number): Promise<boolean> {
  const { communityId, stateId } = await lockPost(write, postId);
  const { workflow } = await definitionOf(write, communityId);
  return workflow?.transitionById.get(transitionId)?.toStateId === stateId;
}
