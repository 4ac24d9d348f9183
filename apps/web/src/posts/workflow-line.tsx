import type { PostDetail } from '@portico/sdk';
import { useDefinition } from '../shared-queries.ts';
import { useTexts } from '../texts/index.ts';
import { StateLabel } from './state-label.tsx';

/** The states of the workflow in their order, and in which of them the post is. */
export function WorkflowLine({ post }: { post: Pick<PostDetail, 'communityId' | 'currentWorkflowState'> }) {
  const texts = useTexts();
  const definition = useDefinition(post.communityId!);
  const states = definition.data?.workflowDefinition?.states ?? [];
  const current = post.currentWorkflowState?.id;
  const shown = states.filter(({ id, deleted }) => !deleted || id === current);
  // Keeps the place of the line until the states are known.
  if (definition.isPending && current !== undefined) return <div className="workflow" />;
  if (shown.length === 0) return null;
  return (
    <ol className="workflow" aria-label={texts.workflow}>
      {shown.map((state) => (
        <li key={state.id} {...(state.id === current && { 'aria-current': 'step' as const })}>
          <StateLabel state={state} />
        </li>
      ))}
    </ol>
  );
}
