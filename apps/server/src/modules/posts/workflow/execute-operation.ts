/** executePostWorkflowOperation: moves a post to its next state. */
import {
  type ExecutePostWorkflowOperationRequest,
  type ExecutePostWorkflowOperationResponse,
  HistoryType,
} from '@portico/contract';
import { type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { forbidden, invalid, notFound, PorticoError } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { loadPresentation, presentState, presentTransition } from '../../communities/index.ts';
import {
  definitionOf,
  lockPost,
  mayRunTransition,
  permittedTransitions,
  postCapabilities,
} from '../../post-parts/index.ts';
import { applyStep, setValues, staleScreen, validateScreen } from './screen-values.ts';

/**
 * Runs a transition. A transition with a screen requires its values and the screen token; without a
 * screen it requires neither. A token that is sent is always compared: two callers that read the
 * same screen cannot both continue from it.
 * @throws PorticoError NOT_FOUND (post not visible, no such transition in its workflow), FORBIDDEN
 *   (the transition is not open to the caller), CONFLICT_STALE_TOKEN,
 *   WORKFLOW_OPERATION_NOT_PERMITTED (not from the present state); ValidationError
 */
export async function executeOperation(
  scope: Scope,
  postId: number,
  operationId: number,
  body: ExecutePostWorkflowOperationRequest | undefined,
): Promise<ExecutePostWorkflowOperationResponse> {
  return writeTransaction(scope, 'none', async (write) => {
    const { definition, workflow, transition, result } = await runTransition(write, postId, operationId, body ?? {});
    const state = workflow.stateById.get(transition.toStateId);
    const capabilities = postCapabilities(write.actor, definition, result.post);
    const presentation = await loadPresentation(write, [definition]);
    return {
      newCurrentState: state && presentState(state),
      newScreenData: result.screenData,
      newCurrentWorkflowPermittedOperations: capabilities.transitions.map((next) =>
        presentTransition(next, workflow, presentation),
      ),
      newCanEditWorkflowScreenData: capabilities.canEditWorkflowScreenData,
      newLastModifyTimestamp: result.post.modifiedAt,
      postDataHasChanged: result.postDataHasChanged,
    };
  });
}

/**
 * Runs a transition within a write.
 * @param options `many`: the values are for many posts; a transition with a screen needs no token,
 *   and omitted fields of the screen keep their values
 * @throws as {@link executeOperation}
 */
export async function runTransition(
  write: WriteScope,
  postId: number,
  operationId: number,
  input: ExecutePostWorkflowOperationRequest,
  options: { many?: boolean } = {},
) {
  const post = await lockPost(write, postId);
  const definition = await definitionOf(write, post.communityId);
  const { workflow } = definition;
  const transition = workflow?.transitionById.get(operationId);
  if (!workflow || !transition || transition.deleted) throw notFound();
  // Permission is checked before the concurrency token, so that nothing is disclosed to a user without it. The state is checked
  // after the token, so that a user who lost a race gets the conflict and not WORKFLOW_OPERATION_NOT_PERMITTED.
  if (!mayRunTransition(write.actor, transition, post)) throw forbidden('You may not run this transition.');
  if (input.screenOccToken !== undefined && input.screenOccToken !== post.screenVersion)
    throw await staleScreen(write, post);
  if (!permittedTransitions(write.actor, workflow, post).some((one) => one.id === operationId)) {
    throw new PorticoError('WORKFLOW_OPERATION_NOT_PERMITTED');
  }
  const screen = transition.screenId === null ? undefined : workflow.screenById.get(transition.screenId);
  if (screen && input.screenOccToken === undefined && !options.many) {
    throw invalid(
      'screenOccToken',
      'REQUIRED_FIELD',
      'This transition has a screen: send the screenOccToken it was read with.',
    );
  }
  if (!screen && Object.keys(input.screenData ?? {}).length > 0) {
    throw invalid('screenData', 'INVALID_VALUE', 'This transition has no screen; leave screenData out.');
  }
  const given = screen
    ? await validateScreen(write, definition, workflow, screen, post.screenData, {
        ...input,
        keepsOthers: options.many,
      })
    : { stored: post.screenData, changedFieldIds: [] };
  const values = setValues(write, workflow, transition, given);
  const result = await applyStep(write, {
    post,
    definition,
    workflow,
    stateId: transition.toStateId,
    screen,
    values,
    event: { typeId: HistoryType.WORKFLOW_OPERATION, transitionId: transition.id },
  });
  return { definition, workflow, transition, result };
}
