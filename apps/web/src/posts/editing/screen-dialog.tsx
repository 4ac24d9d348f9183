import { Button } from '@mantine/core';
import { ConflictError, type PostWorkflowDefinitionTransition } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { FieldValue } from '../../content/field-value.tsx';
import { Loaded } from '../../placeholders.tsx';
import { failureOf, portal } from '../../portal.ts';
import { postQuery, useDefinition } from '../../shared-queries.ts';
import { Dialog } from '../../shell/dialog.tsx';
import { useTexts } from '../../texts/index.ts';
import { Fault } from '../../write/fault.tsx';
import { type Faults, faultBeside, faultsOf, NO_FAULTS } from '../../write/faults.ts';
import { checkFields, FieldForm, screenFields, useFocusOnFault, writtenValues } from '../../write/field-form.tsx';
import { defaultOf, type InputValue, type InputValues, inputOf } from '../../write/input-values.ts';
import { withRequired } from '../../write/required-fields.ts';
import { useAllTexts } from '../../write/texts.ts';
import { type FormVersion, useMergedForm } from '../../write/use-merged-form.tsx';
import { StateLabel } from '../state-label.tsx';
import { nameOf } from '../user-name.ts';
import { mergeKindOf, shownInput } from './edit-field.tsx';
import { type Post, refetchPost } from './save-part.ts';
import { takeStep } from './take-step.ts';

interface ScreenProps {
  post: Pick<Post, 'id'> & Partial<Pick<Post, 'communityId' | 'currentWorkflowState'>>;
  /** Undefined: the screen of the present state. */
  step: Pick<PostWorkflowDefinitionTransition, 'id' | 'name'> | undefined;
  /** Whether the page does not show the post: the dialog and the notice afterwards link to it. */
  elsewhere?: boolean;
}

type ScreenRead = Awaited<ReturnType<typeof portal.workflow.screen>>;

const readScreen = (postId: number, step: ScreenProps['step']): Promise<ScreenRead> =>
  portal.workflow.screen({ postId, ...(step && { workflowOperationId: step.id! }) });

/** Fields of the post that the screen shows. */
const MOST_FIELDS = 6;

/** The screen of a step, or of the present state, as a form below the post that it is about. */
export function ScreenDialog({ post, step, elsewhere = false, onClose }: ScreenProps & { onClose: () => void }) {
  const texts = useAllTexts();
  const screen = useQuery({
    queryKey: ['screen', post.id, step?.id],
    queryFn: () => readScreen(post.id!, step),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  const title = step?.name ?? texts.editScreen(post.currentWorkflowState?.name ?? '');
  return (
    <Dialog label={title} className="screen" closeOnOutsideClick={false} onClose={onClose}>
      <h2>{title}</h2>
      <About postId={post.id!} linked={elsewhere} />
      <Loaded query={screen}>
        {(form) => <ScreenForm post={post} step={step} elsewhere={elsewhere} form={form} close={onClose} />}
      </Loaded>
    </Dialog>
  );
}

/** The post that the step is about, with the fields that its community shows in lists. */
function About({ postId, linked }: { postId: number; linked: boolean }) {
  const texts = useTexts();
  const { data: post } = useQuery(postQuery(postId));
  const definition = useDefinition(post?.communityId ?? 0, post !== undefined).data;
  if (!post) return null;
  const filled = (definition?.fieldDefinitions ?? []).filter(
    ({ id, visibleInDetail }) => visibleInDetail !== false && post.customData?.[String(id)] !== undefined,
  );
  const previewed = filled.filter(({ visibleInPreview }) => visibleInPreview);
  const fields = (previewed.length > 0 ? previewed : filled).slice(0, MOST_FIELDS);
  const title = post.title || texts.untitled;
  return (
    <section className="about" aria-label={title}>
      <p dir="auto">
        {post.customId && <span className="muted">{post.customId} </span>}
        {linked ? (
          <Link to="/post/$postId" params={{ postId: String(postId) }}>
            {title}
          </Link>
        ) : (
          title
        )}
      </p>
      <dl className="post-details">
        {post.currentWorkflowState && (
          <div>
            <dt>{texts.state}</dt>
            <dd>
              <StateLabel state={post.currentWorkflowState} />
            </dd>
          </div>
        )}
        <div>
          <dt>{texts.author}</dt>
          <dd>{nameOf(post.creatorUser)}</dd>
        </div>
        {fields.map((field) => (
          <div key={field.id}>
            <dt>{field.label}</dt>
            <dd>
              <FieldValue field={field} value={post.customData?.[String(field.id)]} unlinked />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function ScreenForm({ post, step, elsewhere, form, close }: ScreenProps & { form: ScreenRead; close: () => void }) {
  const texts = useAllTexts();
  const router = useRouter();
  const title = useQuery(postQuery(post.id!)).data?.title || texts.untitled;
  const known = useDefinition(post.communityId!).data?.workflowDefinition?.screenFieldMetadatas ?? [];
  const fields = screenFields(form, known);
  const versionOf = (read: ScreenRead): FormVersion<InputValues> => ({
    form: Object.fromEntries(
      fields.map((field) => [
        String(field.id),
        inputOf(field, read.screenData?.[String(field.id)] ?? (step && defaultOf(field))),
      ]),
    ),
    token: read.screenOccToken!,
    by: '',
  });
  const [begun] = useState(() => versionOf(form));
  const [values, setValues] = useState(begun.form);
  const writable = withRequired(
    fields.filter(({ readonly }) => !readonly),
    values,
  );
  const [faults, setFaults] = useState<Faults>(NO_FAULTS);
  const [busy, setBusy] = useState(false);
  const box = useRef<HTMLFormElement>(null);
  useFocusOnFault(box, faults);
  useEffect(() => {
    box.current?.querySelector<HTMLElement>('[data-place] :is(input, textarea, [contenteditable])')?.focus();
  }, []);
  const open = () => router.navigate({ to: '/post/$postId', params: { postId: String(post.id) } });
  const { save, panel } = useMergedForm<InputValues>({
    name: step?.name ?? texts.editScreen(post.currentWorkflowState?.name ?? ''),
    parts: writable.map((field) => ({
      key: String(field.id),
      name: field.label ?? '',
      kind: mergeKindOf(field),
      read: (of) => of[String(field.id)],
      write: (of, value) => ({ ...of, [String(field.id)]: value as InputValue }),
      show: (value) => shownInput(field, value as InputValue),
    })),
    read: async () => versionOf(await readScreen(post.id!, step)),
    write: async (written, { token }) => {
      const screen = { screenData: writtenValues(writable, written), screenOccToken: token };
      if (step)
        await takeStep({ id: post.id!, communityId: post.communityId! }, step.id!, texts, {
          screen,
          elsewhere: elsewhere ? { title, open } : undefined,
        });
      else await portal.workflow.replaceScreen({ postId: post.id!, ...screen });
    },
    change: setValues,
    send: (merged) => void send(merged),
  });
  const send = async (written = values) => {
    const found = checkFields(writable, written, texts);
    setFaults(found);
    if (busy || Object.keys(found).length > 0) return;
    setBusy(true);
    try {
      if (!(await save(written, begun))) return;
      close();
      await refetchPost(post.id!);
    } catch (error) {
      // The step can no longer be taken, where its screen cannot be read again either.
      const moved = error instanceof ConflictError || failureOf(error) === 'forbidden';
      setFaults(moved ? { '': texts.stepTaken } : faultsOf(error, texts, fields));
    } finally {
      setBusy(false);
    }
  };
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
      {panel}
      <div hidden={panel !== undefined}>
        <FieldForm
          fields={writable}
          values={values}
          onChange={setValues}
          shown={writable.map(({ id }) => id!)}
          faults={faults}
          communityId={post.communityId!}
          screenOf={post.id!}
        />
      </div>
      <Fault
        text={faultBeside(
          faults,
          fields.map(({ id }) => id),
        )}
      />
      <div className="buttons">
        {panel === undefined && (
          <Button type="submit" loading={busy}>
            {step?.name ?? texts.save}
          </Button>
        )}
        <Button variant="default" onClick={close}>
          {texts.cancel}
        </Button>
      </div>
    </form>
  );
}
