import { Button } from '@mantine/core';
import type { BulkPostOutcome, PostWorkflowDefinition } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { portal, queries } from '../../portal.ts';
import { useExplanations } from '../../post/explanations.ts';
import { sentenceOf } from '../../post/sentence.ts';
import { useDefinition } from '../../read.ts';
import { Loading } from '../../states.tsx';
import { useFormats, useTexts } from '../../texts/index.ts';
import { type Faults, faultsOf, NONE } from '../../write/faults.ts';
import { checkFields, FieldForm, screenFields, writtenValues } from '../../write/field-form.tsx';
import { FieldInput } from '../../write/field-input.tsx';
import { FormDialog } from '../../write/form-dialog.tsx';
import { say } from '../../write/notices.ts';
import { useWriteTexts } from '../../write/texts.ts';
import { defaultOf, type InputValue, type InputValues, inputOf, wireOf } from '../../write/values.ts';
import type { ListedPost } from '../use-posts.ts';
import { type Filled, type Job, runJob, undoOf } from './job.ts';
import { useBulkTexts } from './texts.ts';

/** Refusals that are listed one by one. */
const SHOWN = 20;
/** Refusals for want of a right whose reason is read. */
const EXPLAINED = 5;
const FORBIDDEN = 403;
const OPERATIONS = { edit: 'patchPost', step: 'executePostWorkflowOperation' } as const;

/** Something that is done with many posts: what it asks for, what it would do, and doing it. */
export function BulkDialog({
  job,
  posts: selected,
  communityId,
  workflow,
  select,
  onClose,
}: {
  job: Job;
  posts: readonly ListedPost[];
  communityId: number;
  workflow: PostWorkflowDefinition | undefined;
  select: (ids: readonly number[]) => void;
  onClose: () => void;
}) {
  const texts = { ...useTexts(), ...useWriteTexts() };
  const bulk = useBulkTexts();
  const formats = useFormats();
  // What is written to others meanwhile does not change what was asked.
  const [posts] = useState(selected);
  const [value, setValue] = useState<InputValue>();
  const [values, setValues] = useState<InputValues>({});
  const [faults, setFaults] = useState<Faults>(NONE);
  const [busy, setBusy] = useState<'preview' | 'run'>();
  const [outcomes, setOutcomes] = useState<readonly BulkPostOutcome[]>();
  const fields = useScreen(job, posts, communityId, setValues);
  const count = formats.number(posts.length);
  const title =
    job.kind === 'delete'
      ? posts.length === 1
        ? bulk.deleteOne
        : bulk.deleteTitle(count)
      : job.kind === 'edit'
        ? bulk.editTitle(job.field.label ?? '', count)
        : bulk.stepTitle(job.step.name ?? '', count);

  /** What was filled in; undefined where it is not right yet. */
  const filled = (): Filled | undefined => {
    if (job.kind === 'delete') return {};
    const found =
      job.kind === 'edit'
        ? checkFields([{ ...job.field, required: false }], { [String(job.field.id)]: value }, texts)
        : checkFields(fields ?? [], values, texts);
    setFaults(found);
    if (Object.keys(found).length > 0) return undefined;
    return job.kind === 'edit'
      ? { value: wireOf(job.field, value) }
      : fields && fields.length > 0
        ? { screenData: writtenValues(fields, values) }
        : {};
  };
  const attempt = async (what: 'preview' | 'run') => {
    const given = filled();
    if (!given || busy) return;
    setBusy(what);
    try {
      const items = await runJob(job, given, posts, what === 'preview');
      if (what === 'preview') setOutcomes(items);
      else await finish(items);
    } catch (error) {
      setFaults(faultsOf(error, texts));
    }
    setBusy(undefined);
  };
  const finish = async (items: readonly BulkPostOutcome[]) => {
    const done = items.filter(({ outcome }) => outcome === 'OK').length;
    const failed = items.filter(({ outcome }) => outcome === 'ERROR' || outcome === 'NOT_RUN');
    const undo = undoOf(job, posts, items, workflow);
    await queries.invalidateQueries();
    if (failed.length > 0) {
      select(failed.map(({ postId }) => postId!));
      setOutcomes(items);
    } else {
      select([]);
      onClose();
    }
    const number = formats.number(done);
    say(
      failed.length > 0
        ? bulk.partly(number, formats.number(failed.length))
        : job.kind === 'delete'
          ? bulk.deleted(number)
          : bulk.done(number),
      undo && {
        label: texts.undo,
        run: async () => {
          const { undone, failed: left } = await undo().catch(() => ({ undone: 0, failed: 1 }));
          await queries.invalidateQueries();
          say(left > 0 ? bulk.undoFailed : bulk.undone(formats.number(undone)));
        },
      },
    );
  };

  // What asks for nothing is tried at once.
  const asks = job.kind === 'edit' || (job.kind === 'step' && job.step.screen);
  const tried = useRef(false);
  useEffect(() => {
    if (asks || tried.current) return;
    tried.current = true;
    void attempt('preview');
  });
  const other = Object.entries(faults).find(
    ([place]) => place === '' || !(fields ?? []).some(({ id }) => String(id) === place),
  )?.[1];
  return (
    <FormDialog
      label={title}
      className="bulk-dialog"
      formClassName=""
      send={{
        label: job.kind === 'delete' ? title : job.kind === 'step' ? (job.step.name ?? bulk.apply) : bulk.apply,
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
      {job.kind === 'edit' && (
        <>
          <FieldInput
            field={{ ...job.field, required: false }}
            value={value}
            onChange={(next) => {
              setValue(next);
              setOutcomes(undefined);
            }}
            error={faults[String(job.field.id)]}
            communityId={communityId}
            values={{}}
            unlabelled
            active
          />
          <p className="muted">{bulk.emptyField}</p>
        </>
      )}
      {job.kind === 'step' &&
        job.step.screen &&
        (fields ? (
          <FieldForm
            fields={fields}
            values={values}
            onChange={(next) => {
              setValues(next);
              setOutcomes(undefined);
            }}
            shown={fields.map(({ id }) => id!)}
            faults={faults}
            communityId={communityId}
            screenOf={posts[0]!.id!}
          />
        ) : (
          <Loading />
        ))}
      {other && job.kind !== 'edit' && (
        <p className="fault" role="alert">
          {other}
        </p>
      )}
      {busy === 'preview' && !outcomes && <p className="bulk-outcome muted">{bulk.previewing}</p>}
      {outcomes && <Outcomes job={job} outcomes={outcomes} posts={posts} />}
    </FormDialog>
  );
}

/** What became of the posts, or would: how many, and why some are refused. */
function Outcomes({
  job,
  outcomes,
  posts,
}: {
  job: Job;
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
                  <Reason job={job} postId={postId!} message={error.message} />
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
function Reason({ job, postId, message }: { job: Job; postId: number; message: string | undefined }) {
  const items = useExplanations(postId).data;
  const why = items?.find(
    ({ capability, operationIds, permitted, workflowOperationId }) =>
      !permitted &&
      (job.kind === 'delete' ? capability === 'canDelete' : operationIds?.includes(OPERATIONS[job.kind])) &&
      (job.kind !== 'step' || workflowOperationId === job.step.id),
  );
  return why ? sentenceOf(why) : message;
}

/** The fields that the screen of a step asks for, as the first post that can take it shows them; undefined until they are known. */
function useScreen(
  job: Job,
  posts: readonly ListedPost[],
  communityId: number,
  begin: (values: InputValues) => void,
): ReturnType<typeof screenFields> | undefined {
  const step = job.kind === 'step' && job.step.screen ? job.step : undefined;
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is filled in begins once, empty
  useEffect(() => {
    if (fields) begin(Object.fromEntries(fields.map((field) => [String(field.id), inputOf(field, defaultOf(field))])));
  }, [screen.data]);
  return fields;
}
