/** editPostWorkflowScreenData: replaces the values of the screen of the present state. */
import {
  type EditPostWorkflowScreenDataRequest,
  type EditPostWorkflowScreenDataResponse,
  HistoryType,
} from '@portico/contract';
import { writeTransaction } from '../../../kernel/access/index.ts';
import { forbidden } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { definitionOf, editableScreenState, lockPost, mayEditScreen } from '../../post-parts/index.ts';
import { applyStep, staleScreen, validateScreen } from './screen-values.ts';

/**
 * Replaces the values of the screen that the present state shows, without changing the state.
 * @param screenOccToken the token that the screen was read with; a stale one returns 409 and names
 *   the current one
 * @throws PorticoError NOT_FOUND, FORBIDDEN, CONFLICT_STALE_TOKEN; ValidationError with every error
 */
export async function editScreenData(
  scope: Scope,
  postId: number,
  screenOccToken: number,
  body: EditPostWorkflowScreenDataRequest,
): Promise<EditPostWorkflowScreenDataResponse> {
  return writeTransaction(scope, 'none', async (write) => {
    const post = await lockPost(write, postId);
    const definition = await definitionOf(write, post.communityId);
    const { workflow } = definition;
    // A stale token is reported before a missing permission: another user's transition may have
    // closed the screen since it was read. Only callers with the right to edit a screen of this
    // post in some state get that error.
    const open = workflow?.states.some((state) => mayEditScreen(write.actor, state, post)) ?? false;
    if (open && screenOccToken !== post.screenVersion) throw await staleScreen(write, post);
    const state = editableScreenState(write.actor, workflow, post);
    const screen = state?.screenId == null ? undefined : workflow?.screenById.get(state.screenId);
    if (!workflow || !state || !screen) {
      throw forbidden('Missing capability: canEditWorkflowScreenData.');
    }
    const input = { screenData: body.screenData ?? {}, deltaAreaFormat: body.deltaAreaFormat };
    const values = await validateScreen(write, definition, workflow, screen, post.screenData, input, true);
    const result = await applyStep(write, {
      post,
      definition,
      workflow,
      stateId: state.id,
      screen,
      values,
      event: { typeId: HistoryType.SCREEN_DATA_MODIFIED },
    });
    return {
      nextScreenOccToken: result.post.screenVersion,
      newScreenData: result.screenData,
      newLastModifyTimestamp: result.post.modifiedAt,
      postDataHasChanged: result.postDataHasChanged,
    };
  });
}
