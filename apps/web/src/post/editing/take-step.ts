/** Takes a step and shows a notice of it. */
import type { Input } from '@portico/sdk';
import { portal, queries } from '../../portal.ts';
import { definitionQuery } from '../../read.ts';
import type { Texts } from '../../texts/index.ts';
import { say } from '../../write/notices.ts';
import { refresh } from './save-part.ts';

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

/** @returns the state that a step starts from; undefined where it starts from any state, or is not known */
async function stateBefore(communityId: number, stepId: number): Promise<number | undefined> {
  try {
    const { workflowDefinition } = await queries.ensureQueryData(definitionQuery(communityId));
    return workflowDefinition?.transitions?.find(({ id }) => id === stepId)?.fromState?.id;
  } catch {
    return undefined;
  }
}
