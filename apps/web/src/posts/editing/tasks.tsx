import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import type { TaskListElement } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { Circle, CircleCheck, CircleDashed, Plus, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { sendOrKeep } from '../../offline/outbox.ts';
import { Failed, Loading } from '../../placeholders.tsx';
import { portal, queryClient } from '../../portal.ts';
import { useFocusReturn } from '../../shell/use-focus-return.ts';
import { useFormats } from '../../texts/index.ts';
import { timeZone } from '../../texts/time-zone.ts';
import { MomentInput } from '../../write/day-input.tsx';
import { Fault } from '../../write/fault.tsx';
import { type Faults, faultBeside, faultsOf, NO_FAULTS, useShowError } from '../../write/faults.ts';
import { useFocusOnFault } from '../../write/field-form.tsx';
import { type Choice, toDatetimeLocal } from '../../write/input-values.ts';
import { Menu } from '../../write/menu.tsx';
import { showNotice } from '../../write/notices.ts';
import { Picker } from '../../write/picker.tsx';
import { newUid } from '../../write/post-draft.ts';
import { useAllTexts, useWriteTexts } from '../../write/texts.ts';
import { useBrowserDraft } from '../../write/use-browser-draft.ts';
import { useRemoval } from '../../write/use-removal.ts';
import { explanationText } from '../explanation-text.ts';
import { useAnchor, useWantedId } from '../use-anchor.ts';
import { useSentences } from '../use-sentences.ts';
import { tasksKey, useTasks } from '../use-tasks.ts';
import { nameOf } from '../user-name.ts';
import { type Capabilities, type Post, refetchPost } from './save-part.ts';

/** States of a task by their codes, from 1: to do, in review, closed. */
const STATES = [1, 2, 3] as const;
const ICONS = [Circle, CircleDashed, CircleCheck] as const;
const CLOSED = 3;
/** The time of a task that is due on a day. */
const END_OF_DAY = '23:59';
const NORMAL = 2;

const refetch = async (postId: number) => {
  await queryClient.invalidateQueries({ queryKey: ['tasks'] });
  await refetchPost(postId);
};

/** The tasks of a post, open ones first, and a form for a new one. */
export function Tasks({ post, capabilities }: { post: Post; capabilities: Capabilities }) {
  const texts = useWriteTexts();
  const postId = post.id!;
  const tasks = useTasks(postId);
  const [open, setOpen] = useState<number | 'new'>();
  const wanted = useWantedId('task');
  useEffect(() => {
    if (wanted !== undefined) setOpen(wanted);
  }, [wanted]);
  const newButton = useFocusReturn(open === 'new');
  const items = (tasks.data ?? []).toSorted((a, b) => Number(a.state === CLOSED) - Number(b.state === CLOSED));
  if (tasks.isError) return <Failed query={tasks} />;
  if (items.length === 0 && !capabilities.canCreateTask) return null;
  const close = () => setOpen(undefined);
  return (
    <section className="tasks">
      {items.length > 0 && <h2>{texts.tasks}</h2>}
      <ul>
        {items.map((task) => (
          <TaskItem key={task.id} id={task.id!}>
            <TaskRow
              task={task}
              postId={postId}
              onOpen={() => setOpen(open === task.id ? undefined : task.id)}
              open={open === task.id}
            />
            {open === task.id && <EditTask taskId={task.id!} post={post} close={close} />}
          </TaskItem>
        ))}
      </ul>
      {capabilities.canCreateTask &&
        (open === 'new' ? (
          <NewTask post={post} close={close} />
        ) : (
          <button ref={newButton} type="button" className="quiet muted add-field" onClick={() => setOpen('new')}>
            <Plus size={14} aria-hidden /> {texts.newTask}
          </button>
        ))}
    </section>
  );
}

/** The place of a task, to which an address can lead. */
function TaskItem({ id, children }: { id: number; children: ReactNode }) {
  return <li {...useAnchor<HTMLLIElement>(`task-${id}`)}>{children}</li>;
}

function TaskRow({
  task,
  postId,
  open,
  onOpen,
}: {
  task: TaskListElement;
  postId: number;
  open: boolean;
  onOpen: () => void;
}) {
  const texts = useAllTexts();
  const showError = useShowError();
  const formats = useFormats();
  const { id, title = '', state = 1, expiration, priority = NORMAL, assigneeUser, assigneeGroup } = task;
  const titleButton = useFocusReturn(open);
  const Icon = ICONS[state - 1]!;
  const due = expiration?.zonedDatetime === undefined ? undefined : Date.parse(expiration.zonedDatetime);
  const late = due !== undefined && due < Date.now() && state !== CLOSED;
  const show = (shown: number) =>
    queryClient.setQueryData<TaskListElement[]>(tasksKey(postId), (before) =>
      before?.map((one) => (one.id === id ? { ...one, state: shown as typeof state } : one)),
    );
  const set = async (next: (typeof STATES)[number]) => {
    show(next);
    try {
      await portal.tasks.setState({ taskId: id!, state: next });
    } catch (error) {
      show(state);
      showError(error, () => set(next));
    }
    await refetch(postId);
  };
  return (
    <div className="task" data-closed={state === CLOSED ? '' : undefined}>
      <Menu
        label={`${texts.taskState(title)}: ${texts.taskStates[state - 1]}`}
        button={<Icon size={16} aria-hidden />}
        items={STATES.filter((other) => other !== state).map((other) => ({
          label: texts.taskStates[other - 1]!,
          run: () => void set(other),
        }))}
      />
      <button ref={titleButton} type="button" className="task-title" aria-expanded={open} onClick={onOpen}>
        <bdi>{title}</bdi>
      </button>
      <span className="task-facts muted">
        {priority > NORMAL && <span className="task-priority">{texts.priorities[priority - 1]}</span>}
        {due !== undefined && (
          <span className={late ? 'fault' : undefined}>
            {formats.dayOf(due)}
            {late && `, ${texts.overdue}`}
          </span>
        )}
        <span>{nameOf(assigneeUser) || assigneeGroup?.name}</span>
      </span>
    </div>
  );
}

interface TaskDraft {
  readonly title: string;
  readonly text: string;
  readonly person: readonly Choice[];
  readonly group: readonly Choice[];
  readonly due: string;
  readonly priority: 1 | 2 | 3 | 4;
  readonly checklist: readonly { readonly description: string; readonly state: 1 | 2 }[];
}

const EMPTY: TaskDraft = { title: '', text: '', person: [], group: [], due: '', priority: NORMAL, checklist: [] };

/** The form of a task. */
const toRequest = ({ title, text, person, group, due, priority, checklist }: TaskDraft) => ({
  title: title.trim(),
  ...(text !== '' && { descriptionPlainText: text }),
  expiration: { datetime: `${due}:00`, timezone: timeZone() },
  priority,
  subTasks: checklist.filter(({ description }) => description.trim() !== ''),
  ...(person[0] ? { assigneeUserId: person[0].id } : { assigneeGroupId: group[0]?.id }),
});

/**
 * The form of a new task: typed text stays in this browser until the task is added or cancelled.
 */
function NewTask({ post, close }: { post: Post; close: () => void }) {
  const texts = useAllTexts();
  const postId = post.id!;
  const draft = useBrowserDraft<TaskDraft>(`task/${postId}`, EMPTY);
  if (draft.value === undefined) return null;
  return (
    <TaskForm
      post={post}
      label={texts.newTask}
      initial={draft.value}
      onChange={draft.change}
      submit={texts.addTask}
      close={close}
      cancel={() => void draft.drop().then(close)}
      save={async (task) => {
        const answer = await sendOrKeep({
          key: newUid(),
          operation: 'createTask',
          input: { postId, ...task },
          label: task.title,
          postId,
        });
        await draft.drop();
        if (answer === undefined) showNotice(texts.writingKept);
      }}
    />
  );
}

function EditTask({ taskId, post, close }: { taskId: number; post: Post; close: () => void }) {
  const texts = useAllTexts();
  const removal = useRemoval();
  const task = useQuery({
    // Changes by others change neither the form nor its token, so that saving detects the conflict.
    queryKey: ['task form', taskId],
    queryFn: () => portal.tasks.get({ taskId }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  const refused = task.data?.capabilities?.canModify === false;
  const reasons = useQuery({
    queryKey: ['tasks', 'why', taskId],
    enabled: refused,
    queryFn: async () => (await portal.explain.task({ taskId, capability: 'canModify' })).items ?? [],
  }).data;
  const sentences = useSentences();
  const why = reasons?.find(({ permitted }) => !permitted);
  if (task.isPending) return <Loading />;
  if (task.isError) return <Failed query={task} />;
  const {
    title = '',
    descriptionPlainText = '',
    descriptionDelta,
    assigneeUser,
    assigneeGroup,
    expiration,
    priority = NORMAL,
  } = task.data;
  const { subTasks = [], capabilities, occToken } = task.data;
  const due = expiration?.zonedDatetime === undefined ? '' : toDatetimeLocal(Date.parse(expiration.zonedDatetime));
  const remove = () =>
    removal({
      text: texts.deleted(title || texts.untitled),
      remove: () => portal.tasks.delete({ taskId }),
      restore: () => portal.tasks.restore({ taskId }),
      refetch: () => refetch(post.id!),
      removed: close,
    });
  return (
    <TaskForm
      post={post}
      readOnly={!capabilities?.canModify}
      whyNot={why && explanationText(why, sentences)}
      initial={{
        title,
        text: descriptionPlainText,
        person: assigneeUser ? [{ id: assigneeUser.id!, label: nameOf(assigneeUser) }] : [],
        group: assigneeGroup ? [{ id: assigneeGroup.id!, label: assigneeGroup.name ?? '' }] : [],
        due,
        priority,
        checklist: subTasks.map(({ description = '', state = 1 }) => ({ description, state })),
      }}
      submit={texts.save}
      close={close}
      {...(capabilities?.canDelete && { remove: () => void remove() })}
      save={({ descriptionPlainText: text, ...changed }) =>
        portal.tasks.edit({
          taskId,
          occToken: occToken!,
          ...changed,
          // An unchanged text keeps its formats.
          ...(text === descriptionPlainText && descriptionDelta !== undefined
            ? { descriptionDelta }
            : text !== undefined && { descriptionPlainText: text }),
        })
      }
    />
  );
}

function TaskForm({
  post,
  initial,
  label = initial.title,
  onChange,
  submit,
  save,
  close,
  cancel = close,
  remove,
  readOnly = false,
  whyNot,
}: {
  post: Post;
  initial: TaskDraft;
  /** Name of the form. */
  label?: string;
  onChange?: (task: TaskDraft) => void;
  submit: string;
  save: (task: ReturnType<typeof toRequest>) => Promise<unknown>;
  close: () => void;
  /** Closes the form and discards the input. */
  cancel?: () => void;
  remove?: () => void;
  readOnly?: boolean;
  /** The reason why the task cannot be changed. */
  whyNot?: string | undefined;
}) {
  const texts = useAllTexts();
  const form = useRef<HTMLFormElement>(null);
  const [task, setTask] = useState(initial);
  const [faults, setFaults] = useState<Faults>(NO_FAULTS);
  const [busy, setBusy] = useState(false);
  useFocusOnFault(form, faults);
  const set = (changes: Partial<TaskDraft>) => {
    const next = { ...task, ...changes };
    setTask(next);
    onChange?.(next);
  };
  const send = async () => {
    const found: Faults = {
      ...(task.title.trim() === '' && { title: texts.required }),
      ...(task.person.length === 0 && task.group.length === 0 && { assigneeUserId: texts.required }),
      ...(task.due === '' && { expiration: texts.required }),
    };
    setFaults(found);
    if (busy || Object.keys(found).length > 0) return;
    setBusy(true);
    try {
      await save(toRequest(task));
      close();
      await refetch(post.id!);
    } catch (error) {
      setFaults(faultsOf(error, texts));
      setBusy(false);
    }
  };
  const other = faultBeside(faults, ['title', 'assigneeUserId', 'expiration']);
  return (
    <form
      noValidate
      ref={form}
      className="task-form"
      aria-label={label || texts.untitled}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send();
        else if (event.key === 'Escape' && form.current?.querySelector('[aria-expanded="true"]') == null) close();
      }}
    >
      {whyNot && <p className="muted">{whyNot}</p>}
      <fieldset className="labelled form-fields" disabled={readOnly}>
        <legend className="visually-hidden">{texts.details}</legend>
        <div data-place="title">
          <TextInput
            aria-label={texts.taskTitle}
            placeholder={texts.taskTitle}
            autoFocus
            dir="auto"
            value={task.title}
            error={faults['title']}
            onChange={({ currentTarget: { value } }) => set({ title: value })}
          />
        </div>
        <div className="task-inputs">
          <div data-place="assigneeUserId">
            <Picker
              label={texts.assigneePerson}
              several={false}
              offer={{ source: { of: 'people', postId: post.id } }}
              value={task.person}
              onChange={(person) => set({ person, group: [] })}
              error={faults['assigneeUserId']}
            />
          </div>
          <Picker
            label={texts.assigneeGroup}
            several={false}
            offer={{ source: { of: 'groups', id: post.communityId } }}
            value={task.group}
            onChange={(group) => set({ group, person: [] })}
          />
          <div data-place="expiration">
            <MomentInput
              label={texts.due}
              required
              withAsterisk
              value={task.due}
              error={faults['expiration']}
              onChange={(due) => set({ due })}
              time={END_OF_DAY}
            />
          </div>
          <NativeSelect
            label={texts.priority}
            value={String(task.priority)}
            data={texts.priorities.map((label, index) => ({ value: String(index + 1), label }))}
            onChange={({ currentTarget: { value } }) => set({ priority: Number(value) as TaskDraft['priority'] })}
          />
        </div>
        <Textarea
          label={texts.description}
          autosize
          minRows={1}
          maxRows={12}
          dir="auto"
          value={task.text}
          onChange={({ currentTarget: { value } }) => set({ text: value })}
        />
        {task.checklist.map((item, index) => (
          <ChecklistItem
            // biome-ignore lint/suspicious/noArrayIndexKey: items have no identity but their place
            key={index}
            item={item}
            onChange={(next) => set({ checklist: task.checklist.map((one, at) => (at === index ? next : one)) })}
            onRemove={() => set({ checklist: task.checklist.filter((_, at) => at !== index) })}
          />
        ))}
        <button
          type="button"
          className="quiet muted add-field"
          onClick={() => set({ checklist: [...task.checklist, { description: '', state: 1 }] })}
        >
          <Plus size={14} aria-hidden /> {texts.addChecklistItem}
        </button>
      </fieldset>
      <Fault text={other} />
      <div className="buttons">
        {!readOnly && (
          <Button size="xs" type="submit" loading={busy}>
            {submit}
          </Button>
        )}
        <Button size="xs" variant="default" onClick={cancel}>
          {readOnly ? texts.close : texts.cancel}
        </Button>
        {remove && (
          <Button size="xs" variant="subtle" color="red" onClick={remove}>
            {texts.deleteTask}
          </Button>
        )}
      </div>
    </form>
  );
}

function ChecklistItem({
  item,
  onChange,
  onRemove,
}: {
  item: TaskDraft['checklist'][number];
  onChange: (item: TaskDraft['checklist'][number]) => void;
  onRemove: () => void;
}) {
  const texts = useWriteTexts();
  return (
    <div className="checklist-item">
      <input
        type="checkbox"
        aria-label={item.description || texts.addChecklistItem}
        checked={item.state === 2}
        onChange={({ currentTarget: { checked } }) => onChange({ ...item, state: checked ? 2 : 1 })}
      />
      <input
        className="field"
        aria-label={texts.checklistItem}
        dir="auto"
        // biome-ignore lint/a11y/noAutofocus: the user has just added the item
        autoFocus={item.description === ''}
        value={item.description}
        onChange={({ currentTarget: { value } }) => onChange({ ...item, description: value })}
      />
      <button type="button" className="tool" aria-label={texts.removeField(item.description)} onClick={onRemove}>
        <X size={14} aria-hidden />
      </button>
    </div>
  );
}
