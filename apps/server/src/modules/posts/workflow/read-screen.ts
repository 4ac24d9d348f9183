/** Reads of the workflow: the screen to be filled in, and the caller's capabilities on a post. */
import type { GetPostCapabilitiesResponse, GetPostWorkflowScreenDataForEditResponse } from '@portico/contract';
import { forbidden, notFound, PorticoError } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import {
  loadPresentation,
  presentScreen,
  presentState,
  presentTransition,
  refuseArchived,
  type WorkflowDefinition,
  type WorkflowScreen,
} from '../../communities/index.ts';
import {
  definitionOf,
  editableScreenState,
  mayRunTransition,
  type PostRow,
  permittedTransitions,
  postCapabilities,
  presentCapabilities,
  requirePost,
} from '../../post-parts/index.ts';
import { presentScreenValues, screenFields } from './screen-values.ts';

/**
 * Returns the caller's capabilities on a post (operation getPostCapabilities): exactly the writes
 * that are accepted.
 */
export async function getPostCapabilities(scope: Scope, postId: number): Promise<GetPostCapabilitiesResponse> {
  const post = await requirePost(scope.db, scope.actor, postId);
  const definition = await definitionOf(scope, post.communityId);
  const presentation = await loadPresentation(scope, [definition]);
  const { workflow } = definition;
  return presentCapabilities(postCapabilities(scope.actor, definition, post), (transition) =>
    presentTransition(transition, workflow as WorkflowDefinition, presentation),
  );
}

/**
 * Returns a screen with its present values (operation getPostWorkflowScreenDataForEdit): the screen
 * of a permitted transition, or, without `operationId`, of the present state. For a transition
 * without a screen the response has the token and no screen.
 * @throws PorticoError NOT_FOUND (post not visible, no such transition), FORBIDDEN and
 *   WORKFLOW_OPERATION_NOT_PERMITTED
 */
export async function getScreenForEdit(
  scope: Scope,
  postId: number,
  operationId: number | undefined,
): Promise<GetPostWorkflowScreenDataForEditResponse> {
  const post = await requirePost(scope.db, scope.actor, postId);
  const definition = await definitionOf(scope, post.communityId);
  refuseArchived(definition.community);
  const { workflow } = definition;
  const screen =
    operationId === undefined
      ? screenOfState(scope, workflow, post)
      : screenOfOperation(scope, workflow, post, operationId);
  const state = post.stateId === null ? undefined : workflow?.stateById.get(post.stateId);
  const presentation = await loadPresentation(scope, [definition]);
  return {
    screenData:
      screen && workflow
        ? await presentScreenValues(scope, scope.db, screenFields(workflow, screen), post.screenData, true)
        : {},
    screenOccToken: post.screenVersion,
    screen: screen && workflow ? presentScreen(screen, workflow, presentation) : undefined,
    currentWorkflowState: state && presentState(state),
  };
}

function screenOfState(scope: Scope, workflow: WorkflowDefinition | null, post: PostRow): WorkflowScreen {
  const state = editableScreenState(scope.actor, workflow, post);
  const screen = state?.screenId == null ? undefined : workflow?.screenById.get(state.screenId);
  if (!screen) throw forbidden('Missing capability: canEditWorkflowScreenData.');
  return screen;
}

function screenOfOperation(
  scope: Scope,
  workflow: WorkflowDefinition | null,
  post: PostRow,
  operationId: number,
): WorkflowScreen | undefined {
  const transition = workflow?.transitionById.get(operationId);
  if (!workflow || !transition || transition.deleted) throw notFound();
  if (!mayRunTransition(scope.actor, transition, post)) throw forbidden('You may not run this transition.');
  if (!permittedTransitions(scope.actor, workflow, post).some((one) => one.id === operationId)) {
    throw new PorticoError('WORKFLOW_OPERATION_NOT_PERMITTED');
  }
  return transition.screenId === null ? undefined : workflow.screenById.get(transition.screenId);
}
