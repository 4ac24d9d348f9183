/** Takes a step and shows a notice of it. */
import type { Input } from '@portico/sdk';
import { attempt } from '../../failures/attempt.ts';
import { portal, queryClient } from '../../portal.ts';
import { definitionQuery } from '../../shared-queries.ts';
import type { Texts } from '../../texts/index.ts';
import { showNotice } from '../../write/notices.ts';
import { refetchPost } from './save-part.ts';

/** For a post that the page does not show: the notice names it, and links to it where there is no Undo. */
export interface Elsewhere {
  readonly title: string;
  readonly open: () => Promise<void>;
}

type Screen = Pick<Input<'executePostWorkflowOperation'>, 'screenData' | 'screenOccToken'>;

/**
 * Takes a step and shows a notice of it. The notice has Undo where the caller may then take a step back that has no screen, else a link
 * to a post that the page does not show.
 * @throws whatever the client library throws where the step is refused
 */
export async function takeStep(
  post: { id: number; communityId: number },
  stepId: number,
  texts: Texts,
  { screen = {}, elsewhere }: { screen?: Screen; elsewhere?: Elsewhere | undefined } = {},
): Promise<void> {
  const postId = post.id;
  const notify = (state = '') =>
    showNotice(
      elsewhere === undefined ? texts.stepDone(state) : texts.stepDoneOf(elsewhere.title, state),
      action ?? (elsewhere && { label: texts.openPost, run: elsewhere.open }),
    );
  let action: { label: string; run: () => Promise<void> } | undefined;
  const { newCurrentState: state, newCurrentWorkflowPermittedOperations: next = [] } = await portal.workflow.execute({
    postId,
    workflowOperationId: stepId,
    ...screen,
  });
  const from = await stateBefore(post.communityId, stepId);
  const back = next.find(({ toState, screen: asks }) => !asks && toState?.id !== state?.id && toState?.id === from);
  if (from !== undefined && back)
    action = {
      label: texts.undo,
      run: async () => {
        action = undefined;
        await attempt(async () => {
          const { newCurrentState: now } = await portal.workflow.execute({ postId, workflowOperationId: back.id! });
          notify(now?.name);
        }, texts);
        await refetchPost(postId);
      },
    };
  notify(state?.name);
}

/** @returns the state that a step starts from; undefined where it starts from any state, or is not known */
async function stateBefore(communityId: number, stepId: number): Promise<number | undefined> {
  try {
    const { workflowDefinition } = await queryClient.ensureQueryData(definitionQuery(communityId));
    return workflowDefinition?.transitions?.find(({ id }) => id === stepId)?.fromState?.id;
  } catch {
    return undefined;
  }
}
