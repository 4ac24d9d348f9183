/** Runs a step and tells of it. */
import type { Input } from '@portico/sdk';
import { portal, queries } from '../../portal.ts';
import { definitionQuery } from '../../read.ts';
import type { Texts } from '../../texts/index.ts';
import { say } from '../../write/notices.ts';
import { refresh } from './save-part.ts';

/** Where the page does not show the post: the notice names it, and leads to it where there is no way back. */
export interface Elsewhere {
  readonly title: string;
  readonly open: () => Promise<void>;
}

type Screen = Pick<Input<'executePostWorkflowOperation'>, 'screenData' | 'screenOccToken'>;

/**
 * Runs a step and tells of it: with Undo where a step without a screen leads back that the caller may take then, else with a way to a
 * post that is elsewhere.
 * @throws whatever the client library throws where the step is refused
 */
export async function takeStep(
  post: { id: number; communityId: number },
  stepId: number,
  texts: Texts,
  { screen = {}, elsewhere }: { screen?: Screen; elsewhere?: Elsewhere | undefined } = {},
): Promise<void> {
  const postId = post.id;
  const told = (state = '') =>
    say(
      elsewhere === undefined ? texts.stepDone(state) : texts.stepDoneOf(elsewhere.title, state),
      way ?? (elsewhere && { label: texts.openPost, run: elsewhere.open }),
    );
  let way: { label: string; run: () => Promise<void> } | undefined;
  const { newCurrentState: state, newCurrentWorkflowPermittedOperations: next = [] } = await portal.workflow.execute({
    postId,
    workflowOperationId: stepId,
    ...screen,
  });
  const from = await stateBefore(post.communityId, stepId);
  const back = next.find(({ toState, screen: asks }) => !asks && toState?.id !== state?.id && toState?.id === from);
  if (from !== undefined && back)
    way = {
      label: texts.undo,
      run: async () => {
        way = undefined;
        try {
          told((await portal.workflow.execute({ postId, workflowOperationId: back.id! })).newCurrentState?.name);
        } catch {
          say(texts.stepTaken);
        }
        await refresh(postId);
      },
    };
  told(state?.name);
}

/** @returns the state that a step leads away from; undefined where that may be any, or is not known */
async function stateBefore(communityId: number, stepId: number): Promise<number | undefined> {
  try {
    const { workflowDefinition } = await queries.ensureQueryData(definitionQuery(communityId));
    return workflowDefinition?.transitions?.find(({ id }) => id === stepId)?.fromState?.id;
  } catch {
    return undefined;
  }
}
