import { Button } from '@mantine/core';
import type { BulkPostOutcome } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Loading } from '../../placeholders.tsx';
import { portal } from '../../portal.ts';
import { useDefinition } from '../../shared-queries.ts';
import { useFormats } from '../../texts/index.ts';
import type { Count } from '../../texts/plurals.ts';
import { Fault } from '../../write/fault.tsx';
import { type Faults, faultBeside, faultsOf, NO_FAULTS } from '../../write/faults.ts';
import { checkFields, FieldForm, screenFields, writtenValues } from '../../write/field-form.tsx';
import { FieldInput } from '../../write/field-input.tsx';
import { FormDialog } from '../../write/form-dialog.tsx';
import { defaultOf, type InputValue, type InputValues, inputOf, wireOf } from '../../write/input-values.ts';
import { withRequired } from '../../write/required-fields.ts';
import { useAllTexts } from '../../write/texts.ts';
import type { ListedPost } from '../use-posts.ts';
import type { BulkAction, BulkInput } from './bulk-action.ts';
import { Outcomes } from './bulk-outcomes.tsx';
import { PORTION } from './bulk-run.ts';
import { useBulkTexts } from './texts.ts';
import { type BulkDialogProps, useBulkRun } from './use-bulk-run.ts';

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

/** Dialog of an action on many posts: its input, its dry run and its execution. */
export function BulkDialog(props: BulkDialogProps) {
  const { action, communityId } = props;
  const bulk = useBulkTexts();
  const formats = useFormats();
  // Posts are read when the dialog opens: later changes by others do not change the request.
  const [posts] = useState(props.posts);
  const input = useBulkInput(action, posts, communityId);
  const { busy, result, done, run, preview, start, stop, close, clear } = useBulkRun(props, posts, input);
  const title = titleOf(action, formats.count(posts.length), bulk);
  const many = posts.length > PORTION;
  // An action without input is tried at once.
  const asks = action.kind === 'edit' || (action.kind === 'step' && action.step.screen);
  const tried = useRef(false);
  useEffect(() => {
    if (asks || many || tried.current) return;
    tried.current = true;
    void preview();
  });
  const left = run ? posts.length - done : 0;

  const name = action.kind === 'step' ? (action.step.name ?? bulk.apply) : bulk.apply;
  const label = many || action.kind === 'delete' ? title : name;
  const writes = busy === 'run' || busy === 'stop';
  return (
    <FormDialog
      label={title}
      className="bulk-dialog"
      formClassName=""
      send={{
        label: left > 0 ? bulk.goOn(formats.count(left)) : label,
        busy: writes,
        disabled: (run !== undefined && left === 0) || (result?.outcomes.every(isRefused) ?? false),
      }}
      onSend={() => void start()}
      onClose={close}
      more={
        writes && many ? (
          <Button variant="default" loading={busy === 'stop'} onClick={stop}>
            {bulk.stop}
          </Button>
        ) : (
          !run && (
            <Button variant="default" loading={busy === 'preview'} onClick={() => void preview()}>
              {bulk.preview}
            </Button>
          )
        )
      }
    >
      <BulkFields
        action={action}
        input={input}
        communityId={communityId}
        screenOf={posts[0]!.id!}
        fixed={run !== undefined || writes}
        changed={clear}
      />
      {busy === 'preview' && !result && <p className="bulk-outcome muted">{bulk.previewing}</p>}
      {writes && many && (
        <div className="bulk-outcome">
          <p>{bulk.progress(formats.number(done), formats.number(posts.length))}</p>
          <progress aria-label={title} value={done} max={posts.length} />
        </div>
      )}
      {result && <Outcomes action={action} {...result} posts={posts} />}
    </FormDialog>
  );
}

const isRefused = ({ outcome }: BulkPostOutcome): boolean => outcome === 'ERROR';

/** The inputs of the action: the value of a field, or the fields of a screen. */
function BulkFields({
  action,
  input: { value, setValue, values, setValues, faults, fields },
  communityId,
  screenOf,
  fixed,
  changed,
}: {
  action: BulkAction;
  input: ReturnType<typeof useBulkInput>;
  communityId: number;
  screenOf: number;
  /** Whether the input does not change any more. */
  fixed: boolean;
  /** Called when the outcomes no longer belong to the input. */
  changed: () => void;
}) {
  const bulk = useBulkTexts();
  const edited = action.kind === 'edit' ? action.field : undefined;
  const asks = action.kind === 'step' && action.step.screen;
  const own = edited ? [edited] : (fields ?? []);
  const other = faultBeside(
    faults,
    own.map(({ id }) => id),
  );
  return (
    <>
      <div inert={fixed}>
        {edited && (
          <>
            <FieldInput
              field={{ ...edited, required: false }}
              value={value}
              onChange={(next) => {
                setValue(next);
                changed();
              }}
              error={faults[String(edited.id)]}
              communityId={communityId}
              values={{}}
              unlabelled
              active
            />
            <p className="muted">{bulk.emptyField}</p>
          </>
        )}
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
      </div>
      <Fault text={other} />
    </>
  );
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
