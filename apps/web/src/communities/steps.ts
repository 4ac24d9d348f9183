/** Moving a post to another state of the workflow. */
import type { Explanation, PostWorkflowDefinition, PostWorkflowDefinitionTransition } from '@portico/sdk';
import { portal, queryClient } from '../portal.ts';
import type { Sentences } from '../posts/explanation-patterns.ts';
import { explanationText } from '../posts/explanation-text.ts';
import type { useListTexts } from './texts.ts';
import type { ListedPost } from './use-posts.ts';

/** The steps that the caller may take with a post now. */
export const permittedSteps = (postId: number): Promise<readonly PostWorkflowDefinitionTransition[]> =>
  queryClient.fetchQuery({
    queryKey: ['capabilities', postId, 'steps'],
    queryFn: async () => (await portal.posts.capabilities({ postId })).workflowPermittedOperations ?? [],
    staleTime: 5_000,
  });

/** Why the caller may not take steps with a post, by the id of the step. */
export const whyNotSteps = (items: readonly Explanation[], sentences: Sentences): ReadonlyMap<number, string> =>
  new Map(
    items.flatMap((item) =>
      item.workflowOperationId === undefined || item.permitted
        ? []
        : [[item.workflowOperationId, explanationText(item, sentences)] as const],
    ),
  );

/** How a post gets into a state: the steps, or why there is none. */
interface StepsToState {
  readonly steps: readonly PostWorkflowDefinitionTransition[];
  readonly whyNot?: string;
}

/** @param permitted undefined as long as it is not known */
export function stepsTo(
  stateId: number,
  post: ListedPost,
  workflow: PostWorkflowDefinition | undefined,
  permitted: readonly PostWorkflowDefinitionTransition[] | undefined,
  texts: ReturnType<typeof useListTexts>,
  reasons?: ReadonlyMap<number, string>,
): StepsToState {
  const from = post.currentWorkflowState;
  if (from?.id === stateId) return { steps: [], whyNot: texts.here };
  const steps = (permitted ?? []).filter(({ toState }) => toState?.id === stateId);
  if (steps.length > 0 || permitted === undefined) return { steps };
  const transition = workflow?.transitions?.find(
    ({ fromState, toState }) => toState?.id === stateId && (fromState === undefined || fromState.id === from?.id),
  );
  if (!transition) return { steps: [], whyNot: texts.noStep(from?.name ?? '') };
  return { steps: [], whyNot: reasons?.get(transition.id!) ?? texts.noRight };
}
