import { Button } from '@mantine/core';
import { ConflictError, type PostWorkflowDefinitionTransition } from '@portico/sdk';
import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { useDefinition } from '../../shared-queries.ts';
import { Menu, type MenuItem } from '../../write/menu.tsx';
import { showNotice } from '../../write/notices.ts';
import { useAllTexts } from '../../write/texts.ts';
import { explanationText } from '../explanation-text.ts';
import { useExplanations } from '../explanations.ts';
import { useSentences } from '../use-sentences.ts';
import { type Capabilities, type Post, refetchPost } from './save-part.ts';
import { ScreenDialog } from './screen-dialog.tsx';
import { takeStep } from './take-step.ts';

/** Steps that have a button each; the others are in a menu. */
const BUTTONS = 2;

/** The steps that the caller may take now, the others with the reason why not, and the screen of the present state. */
export function Steps({ post, capabilities }: { post: Post; capabilities: Capabilities }) {
  const texts = useAllTexts();
  const [openScreen, setOpenScreen] = useState<{ step: PostWorkflowDefinitionTransition | undefined }>();
  const [running, setRunning] = useState<number>();
  const steps = capabilities.workflowPermittedOperations ?? [];
  const run = async (step: PostWorkflowDefinitionTransition) => {
    if (step.screen) return setOpenScreen({ step });
    setRunning(step.id);
    try {
      await takeStep({ id: post.id!, communityId: post.communityId! }, step.id!, texts);
    } catch (error) {
      showNotice(error instanceof ConflictError ? texts.stepTaken : texts.refused);
    } finally {
      await refetchPost(post.id!);
      setRunning(undefined);
    }
  };
  const rest = steps.slice(BUTTONS).map((step) => ({
    label: step.name ?? '',
    hint: texts.toState(step.toState?.name ?? ''),
    run: () => void run(step),
  }));
  const sentences = useSentences();
  const [explaining, setExplaining] = useState(false);
  const reasons = useExplanations(post.id!, explaining).data;
  const from = post.currentWorkflowState?.id;
  const definition = useDefinition(post.communityId!);
  const refused = (definition.data?.workflowDefinition?.transitions ?? [])
    .filter(
      ({ id, fromState }) => fromState?.id === from && from !== undefined && !steps.some((step) => step.id === id),
    )
    .map((step) => {
      const why = reasons?.find(({ workflowOperationId }) => workflowOperationId === step.id);
      return { label: step.name ?? '', whyNot: why ? explanationText(why, sentences) : '…', run: () => undefined };
    });
  const editScreen: MenuItem = {
    label: texts.editScreen(post.currentWorkflowState?.name ?? ''),
    run: () => setOpenScreen({ step: undefined }),
  };
  const items: MenuItem[] = [
    ...rest,
    ...(capabilities.canEditWorkflowScreenData ? [editScreen] : []),
    ...(post.draft ? [] : refused),
  ];
  // Keeps the place until the steps that are refused are known.
  if (steps.length === 0 && items.length === 0) return definition.isPending ? <div className="steps" /> : null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: they are no fields of a form
    <div className="steps" role="group" aria-label={texts.stepNow}>
      {steps.slice(0, BUTTONS).map((step, index) => (
        <Button
          key={step.id}
          size="xs"
          variant={index === 0 ? 'filled' : 'default'}
          title={texts.toState(step.toState?.name ?? '')}
          loading={running === step.id}
          disabled={running !== undefined && running !== step.id}
          onClick={() => void run(step)}
        >
          {step.name}
        </Button>
      ))}
      {items.length > 0 && (
        <Menu
          label={steps.length > 0 ? texts.moreSteps : texts.noStepNow}
          className={steps.length > 0 ? 'tool' : 'quiet'}
          button={
            <>
              {steps.length === 0 && texts.noStepNow} <Ellipsis size={16} aria-hidden />
            </>
          }
          items={items}
          onOpen={() => setExplaining(true)}
        />
      )}
      {openScreen && <ScreenDialog post={post} step={openScreen.step} onClose={() => setOpenScreen(undefined)} />}
    </div>
  );
}
