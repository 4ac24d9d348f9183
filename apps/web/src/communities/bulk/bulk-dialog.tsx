import { Button } from '@mantine/core';
import type { BulkPostOutcome, PostWorkflowDefinition } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Loading } from '../../placeholders.tsx';
import { portal, queryClient } from '../../portal.ts';
import { explanationText } from '../../posts/explanation-text.ts';
import { useExplanations } from '../../posts/explanations.ts';
import { useSentences } from '../../posts/use-sentences.ts';
import { useDefinition } from '../../shared-queries.ts';
import { useFormats, useTexts } from '../../texts/index.ts';
import type { Count } from '../../texts/plurals.ts';
import { Fault } from '../../write/fault.tsx';
import { type Faults, faultBeside, faultsOf, NO_FAULTS } from '../../write/faults.ts';
import { checkFields, FieldForm, screenFields, writtenValues } from '../../write/field-form.tsx';
import { FieldInput } from '../../write/field-input.tsx';
import { FormDialog } from '../../write/form-dialog.tsx';
import { defaultOf, type InputValue, type InputValues, inputOf, wireOf } from '../../write/input-values.ts';
import { showNotice } from '../../write/notices.ts';
import { withRequired } from '../../write/required-fields.ts';
import { useAllTexts } from '../../write/texts.ts';
import type { ListedPost } from '../use-posts.ts';
import { type BulkAction, type BulkInput, runBulkAction, undoOf } from './bulk-action.ts';
import { useBulkTexts } from './texts.ts';

/** Maximum number of refusals listed one by one. */
const SHOWN = 20;
/** Maximum number of missing rights whose reason is read. */
const EXPLAINED = 5;
const FORBIDDEN = 403;
const OPERATIONS = { edit: 'patchPost', step: 'executePostWorkflowOperation' } as const;

function titleOf(action: BulkAction, posts: Count, bulk: ReturnType<typeof useBulkTexts>): string {
  switch (action.kind) {
    case 'delete':
      return bulk.deleteTitle(posts);
    case 'edit':
      return bulk.editTitle(action.field.label ?? '', posts);
    default:
      return bulk.stepTitle(action.step.name ?? '', posts);
  }
}

interface BulkDialogProps {
  action: BulkAction;
  posts: readonly ListedPost[];
  communityId: number;
  workflow: PostWorkflowDefinition | undefined;
  select: (ids: readonly number[]) => void;
  onClose: () => void;
}

/** The typed input of the dialog, and its faults. */
function useBulkInput(action: BulkAction, posts: readonly ListedPost[], communityId: number) {
  const texts = useAllTexts();
  const [value, setValue] = useState<InputValue>();
  const [values, setValues] = useState<InputValues>({});
  const [faults, setFaults] = useState<Faults>(NO_FAULTS);
  const screen = useScreen(action, posts, communityId, setValues);
  const fields = screen && withRequired(screen, values);
  /** The input; undefined until it is valid. */
  const filled = (): BulkInput | undefined => {
    if (action.kind === 'delete') return {};
    const found =
      action.kind === 'edit'
        ? checkFields([{ ...action.field, required: false }], { [String(action.field.id)]: value }, texts)
        : checkFields(fields ?? [], values, texts);
    setFaults(found);
    if (Object.keys(found).length > 0) return undefined;
    if (action.kind === 'edit') return { value: wireOf(action.field, value) };
    return fields && fields.length > 0 ? { screenData: writtenValues(fields, values) } : {};
  };
  const refuse = (error: unknown) =>
    setFaults(faultsOf(error, texts, action.kind === 'edit' ? [action.field] : fields));
  return { value, setValue, values, setValues, faults, fields, filled, refuse };
}

/** Closes the dialog after the action, or keeps it open with the refusals; offers Undo. */
function useFinish({ action, workflow, select, onClose }: BulkDialogProps, posts: readonly ListedPost[]) {
  const texts = useAllTexts();
  const bulk = useBulkTexts();
  const formats = useFormats();
  return async (items: readonly BulkPostOutcome[], keep: (items: readonly BulkPostOutcome[]) => void) => {
    const done = items.filter(({ outcome }) => outcome === 'OK').length;
    const failed = items.filter(({ outcome }) => outcome === 'ERROR' || outcome === 'NOT_RUN');
    const undo = undoOf(action, posts, items, workflow);
    await queryClient.invalidateQueries();
    select(failed.map(({ postId }) => postId!));
    if (failed.length > 0) keep(items);
    else onClose();
    const number = formats.count(done);
    const success = action.kind === 'delete' ? bulk.deleted(number) : bulk.done(number);
    showNotice(
      failed.length > 0 ? bulk.partly(number, formats.number(failed.length)) : success,
      undo && {
        label: texts.undo,
        run: async () => {
          const { undone, failed: left } = await undo().catch(() => ({ undone: 0, failed: 1 }));
          await queryClient.invalidateQueries();
          showNotice(left > 0 ? bulk.undoFailed : bulk.undone(formats.count(undone)));
        },
      },
    );
  };
}

/** Dialog of an action on many posts: its input, its dry run and its execution. */
export function BulkDialog(props: BulkDialogProps) {
  const { action, communityId, onClose } = props;
  const bulk = useBulkTexts();
  const formats = useFormats();
  // Posts are read when the dialog opens: later changes by others do not change the request.
  const [posts] = useState(props.posts);
  const [busy, setBusy] = useState<'preview' | 'run'>();
  const [outcomes, setOutcomes] = useState<readonly BulkPostOutcome[]>();
  const input = useBulkInput(action, posts, communityId);
  const finish = useFinish(props, posts);
  const title = titleOf(action, formats.count(posts.length), bulk);
  const attempt = async (what: 'preview' | 'run') => {
    const given = input.filled();
    if (!given || busy) return;
    setBusy(what);
    try {
      const items = await runBulkAction(action, given, posts, what === 'preview');
      if (what === 'preview') setOutcomes(items);
      else await finish(items, setOutcomes);
    } catch (error) {
      input.refuse(error);
    }
    setBusy(undefined);
  };
  // An action without input is tried at once.
  const asks = action.kind === 'edit' || (action.kind === 'step' && action.step.screen);
  const tried = useRef(false);
  useEffect(() => {
    if (asks || tried.current) return;
    tried.current = true;
    void attempt('preview');
  });
  const stepName = action.kind === 'step' ? action.step.name : undefined;
  return (
    <FormDialog
      label={title}
      className="bulk-dialog"
      formClassName=""
      send={{
        label: action.kind === 'delete' ? title : (stepName ?? bulk.apply),
        busy: busy === 'run',
        disabled: outcomes?.every(({ outcome }) => outcome === 'ERROR') ?? false,
      }}
      onSend={() => void attempt('run')}
      onClose={onClose}
      more={
        <Button variant="default" loading={busy === 'preview'} onClick={() => void attempt('preview')}>
          {bulk.preview}
        </Button>
      }
    >
      <BulkFields
        action={action}
        input={input}
        communityId={communityId}
        screenOf={posts[0]!.id!}
        changed={() => setOutcomes(undefined)}
      />
      {busy === 'preview' && !outcomes && <p className="bulk-outcome muted">{bulk.previewing}</p>}
      {outcomes && <Outcomes action={action} outcomes={outcomes} posts={posts} />}
    </FormDialog>
  );
}

/** The inputs of the action: the value of a field, or the fields of a screen. */
function BulkFields({
  action,
  input: { value, setValue, values, setValues, faults, fields },
  communityId,
  screenOf,
  changed,
}: {
  action: BulkAction;
  input: ReturnType<typeof useBulkInput>;
  communityId: number;
  screenOf: number;
  /** Called when the outcomes no longer belong to the input. */
  changed: () => void;
}) {
  const bulk = useBulkTexts();
  const other = faultBeside(
    faults,
    (fields ?? []).map(({ id }) => id),
  );
  if (action.kind === 'edit')
    return (
      <>
        <FieldInput
          field={{ ...action.field, required: false }}
          value={value}
          onChange={(next) => {
            setValue(next);
            changed();
          }}
          error={faults[String(action.field.id)]}
          communityId={communityId}
          values={{}}
          unlabelled
          active
        />
        <p className="muted">{bulk.emptyField}</p>
      </>
    );
  const asks = action.kind === 'step' && action.step.screen;
  return (
    <>
      {asks && !fields && <Loading />}
      {asks && fields && (
        <FieldForm
          fields={fields}
          values={values}
          onChange={(next) => {
            setValues(next);
            changed();
          }}
          shown={fields.map(({ id }) => id!)}
          faults={faults}
          communityId={communityId}
          screenOf={screenOf}
        />
      )}
      <Fault text={other} />
    </>
  );
}

/** Results of an action or of its dry run: the number of posts, and the reasons of refusals. */
function Outcomes({
  action,
  outcomes,
  posts,
}: {
  action: BulkAction;
  outcomes: readonly BulkPostOutcome[];
  posts: readonly ListedPost[];
}) {
  const texts = useTexts();
  const bulk = useBulkTexts();
  const formats = useFormats();
  const of = (wanted: BulkPostOutcome['outcome']) => outcomes.filter(({ outcome }) => outcome === wanted);
  const refused = of('ERROR');
  const counts = [
    [of('OK'), bulk.wouldChange],
    [of('UNCHANGED'), bulk.unchanged],
    [refused, bulk.refused],
    [of('NOT_RUN'), bulk.notRun],
  ] as const;
  const title = (postId: number | undefined) => posts.find(({ id }) => id === postId)?.title || texts.untitled;
  return (
    <div className="bulk-outcome" role="status">
      <p>
        {counts
          .flatMap(([items, words]) => (items.length > 0 ? [words(formats.number(items.length))] : []))
          .join(' · ')}
      </p>
      {refused.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <ul tabIndex={0}>
          {refused.slice(0, SHOWN).map(({ postId, error }, index) => (
            <li key={postId}>
              <strong>{title(postId)}</strong>:{' '}
              <span className="muted">
                {error?.status === FORBIDDEN && index < EXPLAINED ? (
                  <Reason action={action} postId={postId!} message={error.message} />
                ) : (
                  error?.message
                )}
              </span>
            </li>
          ))}
          {refused.length > SHOWN && <li>{bulk.more(formats.number(refused.length - SHOWN))}</li>}
        </ul>
      )}
    </div>
  );
}

/** Why the caller may not do it with this post. */
function Reason({ action, postId, message }: { action: BulkAction; postId: number; message: string | undefined }) {
  const sentences = useSentences();
  const items = useExplanations(postId).data;
  const why = items?.find(
    ({ capability, operationIds, permitted, workflowOperationId }) =>
      !permitted &&
      (action.kind === 'delete' ? capability === 'canDelete' : operationIds?.includes(OPERATIONS[action.kind])) &&
      (action.kind !== 'step' || workflowOperationId === action.step.id),
  );
  return why ? explanationText(why, sentences) : message;
}

/**
 * The fields of a step's screen, as the first post that can take the step shows them; undefined
 * until they are known.
 */
function useScreen(
  action: BulkAction,
  posts: readonly ListedPost[],
  communityId: number,
  begin: (values: InputValues) => void,
): ReturnType<typeof screenFields> | undefined {
  const step = action.kind === 'step' && action.step.screen ? action.step : undefined;
  const from = step?.fromState?.id;
  const post = posts.find(({ currentWorkflowState }) => from === undefined || currentWorkflowState?.id === from);
  const known = useDefinition(communityId).data?.workflowDefinition?.screenFieldMetadatas ?? [];
  const screen = useQuery({
    queryKey: ['screen', post?.id, step?.id],
    queryFn: () => portal.workflow.screen({ postId: post!.id!, workflowOperationId: step!.id! }),
    enabled: step !== undefined && post !== undefined,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  const fields = screen.data && screenFields(screen.data, known).filter(({ readonly }) => !readonly);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the input is set once, when the fields arrive
  useEffect(() => {
    if (fields) begin(Object.fromEntries(fields.map((field) => [String(field.id), inputOf(field, defaultOf(field))])));
  }, [screen.data]);
  return fields;
}
