import { Button } from '@mantine/core';
import { ConflictError, type PostWorkflowDefinitionTransition } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { Ellipsis } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { portal } from '../../portal.ts';
import { useDefinition } from '../../read.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { Failed, Loading } from '../../states.tsx';
import { useTexts } from '../../texts/index.ts';
import { type Faults, faultsOf, NONE } from '../../write/faults.ts';
import { checkFields, FieldForm, screenFields, useFocusOnFault, writtenValues } from '../../write/field-form.tsx';
import { Menu, type MenuItem } from '../../write/menu.tsx';
import { say } from '../../write/notices.ts';
import { useWriteTexts } from '../../write/texts.ts';
import { defaultOf, type InputValues, inputOf } from '../../write/values.ts';
import { sentenceOf, useExplanations } from '../explanations.ts';
import { type Capabilities, type Post, refresh } from './save-part.ts';

/** What the screen of a step needs to know of a post. */
type ScreenPost = Pick<Post, 'id' | 'communityId' | 'currentWorkflowState'>;

/** More steps than these are in a menu. */
const BUTTONS = 2;

/** The steps that the caller may take now, those that they may not with the reason, and the screen of the present state. */
export function Steps({ post, capabilities }: { post: Post; capabilities: Capabilities }) {
  const texts = useWriteTexts();
  const [asked, setAsked] = useState<{ step: PostWorkflowDefinitionTransition | undefined }>();
  const [running, setRunning] = useState<number>();
  const steps = capabilities.workflowPermittedOperations ?? [];
  const undoStep = async (back: PostWorkflowDefinitionTransition) => {
    try {
      const { newCurrentState } = await portal.workflow.execute({ postId: post.id!, workflowOperationId: back.id! });
      say(texts.stepDone(newCurrentState?.name ?? ''));
    } catch {
      say(texts.stepTaken);
    }
    await refresh(post.id!);
  };
  const run = async (step: PostWorkflowDefinitionTransition) => {
    if (step.screen) return setAsked({ step });
    setRunning(step.id);
    try {
      const { newCurrentState } = await portal.workflow.execute({ postId: post.id!, workflowOperationId: step.id! });
      const { workflowPermittedOperations: next = [] } = await portal.posts.capabilities({ postId: post.id! });
      const back = next.find(({ toState, screen }) => !screen && toState?.id === post.currentWorkflowState?.id);
      say(
        texts.stepDone(newCurrentState?.name ?? ''),
        back && newCurrentState?.id !== post.currentWorkflowState?.id
          ? { label: texts.undo, run: () => undoStep(back) }
          : undefined,
      );
    } catch (error) {
      say(error instanceof ConflictError ? texts.stepTaken : texts.refused);
    } finally {
      await refresh(post.id!);
      setRunning(undefined);
    }
  };
  const rest = steps.slice(BUTTONS).map((step) => ({
    label: step.name ?? '',
    hint: texts.toState(step.toState?.name ?? ''),
    run: () => void run(step),
  }));
  const [wondering, setWondering] = useState(false);
  const reasons = useExplanations(post.id!, wondering).data;
  const from = post.currentWorkflowState?.id;
  const refused = (useDefinition(post.communityId!).data?.workflowDefinition?.transitions ?? [])
    .filter(
      ({ id, fromState }) => fromState?.id === from && from !== undefined && !steps.some((step) => step.id === id),
    )
    .map((step) => {
      const why = reasons?.find(({ workflowOperationId }) => workflowOperationId === step.id);
      return { label: step.name ?? '', whyNot: why ? sentenceOf(why) : '…', run: () => undefined };
    });
  const items: MenuItem[] = [
    ...rest,
    ...(capabilities.canEditWorkflowScreenData
      ? [
          {
            label: texts.editScreen(post.currentWorkflowState?.name ?? ''),
            run: () => setAsked({ step: undefined }),
          },
        ]
      : []),
    ...(post.draft ? [] : refused),
  ];
  if (steps.length === 0 && items.length === 0) return null;
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
          label={texts.moreSteps}
          className={steps.length > 0 ? 'tool' : 'quiet'}
          button={
            <>
              {steps.length === 0 && texts.stepNow} <Ellipsis size={16} aria-hidden />
            </>
          }
          items={items}
          onOpen={() => setWondering(true)}
        />
      )}
      {asked && <ScreenDialog post={post} step={asked.step} onClose={() => setAsked(undefined)} />}
    </div>
  );
}

/** The screen of a step, or of the present state, as a form. */
export function ScreenDialog({
  post,
  step,
  onClose,
}: {
  post: ScreenPost;
  step: Pick<PostWorkflowDefinitionTransition, 'id' | 'name'> | undefined;
  onClose: () => void;
}) {
  const texts = { ...useTexts(), ...useWriteTexts() };
  const screen = useQuery({
    queryKey: ['screen', post.id, step?.id],
    queryFn: () => portal.workflow.screen({ postId: post.id!, ...(step && { workflowOperationId: step.id! }) }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  const title = step?.name ?? texts.editScreen(post.currentWorkflowState?.name ?? '');
  return (
    <Dialog label={title} className="screen" lightly={false} onClose={onClose}>
      <h2>{title}</h2>
      {screen.isPending ? (
        <Loading />
      ) : screen.isError ? (
        <Failed error={screen.error} retry={() => void screen.refetch()} />
      ) : (
        <ScreenForm post={post} step={step} form={screen.data} close={onClose} />
      )}
    </Dialog>
  );
}

function ScreenForm({
  post,
  step,
  form,
  close,
}: {
  post: ScreenPost;
  step: Pick<PostWorkflowDefinitionTransition, 'id' | 'name'> | undefined;
  form: Awaited<ReturnType<typeof portal.workflow.screen>>;
  close: () => void;
}) {
  const texts = { ...useTexts(), ...useWriteTexts() };
  const known = useDefinition(post.communityId!).data?.workflowDefinition?.screenFieldMetadatas ?? [];
  const fields = screenFields(form, known);
  const writable = fields.filter(({ readonly }) => !readonly);
  const [values, setValues] = useState<InputValues>(() =>
    Object.fromEntries(
      fields.map((field) => [
        String(field.id),
        inputOf(field, form.screenData?.[String(field.id)] ?? (step && defaultOf(field))),
      ]),
    ),
  );
  const [faults, setFaults] = useState<Faults>(NONE);
  const [busy, setBusy] = useState(false);
  const box = useRef<HTMLFormElement>(null);
  useFocusOnFault(box, faults);
  useEffect(() => {
    box.current?.querySelector<HTMLElement>('[data-place] :is(input, textarea, [contenteditable])')?.focus();
  }, []);
  const send = async () => {
    const found = checkFields(writable, values, texts);
    setFaults(found);
    if (busy || Object.keys(found).length > 0) return;
    setBusy(true);
    const shared = {
      postId: post.id!,
      screenData: writtenValues(writable, values),
      screenOccToken: form.screenOccToken!,
    };
    try {
      if (step) {
        const { newCurrentState } = await portal.workflow.execute({ ...shared, workflowOperationId: step.id! });
        say(texts.stepDone(newCurrentState?.name ?? ''));
      } else await portal.workflow.editScreen(shared);
      close();
      await refresh(post.id!);
    } catch (error) {
      setFaults(error instanceof ConflictError ? { '': texts.stepTaken } : faultsOf(error, texts));
    } finally {
      setBusy(false);
    }
  };
  const other = Object.entries(faults).find(([place]) => !fields.some(({ id }) => String(id) === place))?.[1];
  return (
    <form
      noValidate
      ref={box}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send();
      }}
    >
      {form.screen?.message && <p className="muted">{form.screen.message}</p>}
      <FieldForm
        fields={writable}
        values={values}
        onChange={setValues}
        shown={writable.map(({ id }) => id!)}
        faults={faults}
        communityId={post.communityId!}
        screenOf={post.id!}
      />
      {other && (
        <p className="fault" role="alert">
          {other}
        </p>
      )}
      <div className="buttons">
        <Button type="submit" loading={busy}>
          {step?.name ?? texts.save}
        </Button>
        <Button variant="default" onClick={close}>
          {texts.cancel}
        </Button>
      </div>
    </form>
  );
}
