import { Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { portal, queryClient } from '../../portal.ts';
import { useFormats } from '../../texts/index.ts';
import { timeZone } from '../../texts/time-zone.ts';
import { MomentInput } from '../../write/day-input.tsx';
import { Fault } from '../../write/fault.tsx';
import { type Faults, faultBeside, faultsOf, NO_FAULTS } from '../../write/faults.ts';
import { useFocusOnFault } from '../../write/field-form.tsx';
import { type Choice, toDatetimeLocal } from '../../write/input-values.ts';
import type { FormPart } from '../../write/merge/merge-fields.ts';
import { Picker } from '../../write/picker.tsx';
import { useAllTexts, useWriteTexts } from '../../write/texts.ts';
import { type FormVersion, useMergedForm } from '../../write/use-merged-form.tsx';
import { nameOf } from '../user-name.ts';
import { type Post, refetchPost } from './save-part.ts';

/** The time of a task that is due on a day. */
const END_OF_DAY = '23:59';
export const NORMAL = 2;

/** A task as it is read to be edited. */
type SavedTask = Awaited<ReturnType<typeof portal.tasks.get>>;

/** Reads again what a write of a task may have changed. */
export async function refetchTasks(postId: number): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ['tasks'] });
  await refetchPost(postId);
}

export interface TaskDraft {
  readonly title: string;
  readonly text: string;
  readonly person: readonly Choice[];
  readonly group: readonly Choice[];
  readonly due: string;
  readonly priority: 1 | 2 | 3 | 4;
  readonly checklist: readonly { readonly description: string; readonly state: 1 | 2 }[];
}

export const EMPTY: TaskDraft = {
  title: '',
  text: '',
  person: [],
  group: [],
  due: '',
  priority: NORMAL,
  checklist: [],
};

/** The form of a task. */
const toRequest = ({ title, text, person, group, due, priority, checklist }: TaskDraft) => ({
  title: title.trim(),
  ...(text !== '' && { descriptionPlainText: text }),
  expiration: { datetime: `${due}:00`, timezone: timeZone() },
  priority,
  subTasks: checklist.filter(({ description }) => description.trim() !== ''),
  ...(person[0] ? { assigneeUserId: person[0].id } : { assigneeGroupId: group[0]?.id }),
});

/** A task in the inputs of its form. */
export function draftOf(task: SavedTask): TaskDraft {
  const { title = '', descriptionPlainText = '', assigneeUser, assigneeGroup, expiration } = task;
  return {
    title,
    text: descriptionPlainText,
    person: assigneeUser ? [{ id: assigneeUser.id!, label: nameOf(assigneeUser) }] : [],
    group: assigneeGroup ? [{ id: assigneeGroup.id!, label: assigneeGroup.name ?? '' }] : [],
    due: expiration?.zonedDatetime === undefined ? '' : toDatetimeLocal(Date.parse(expiration.zonedDatetime)),
    priority: task.priority ?? NORMAL,
    checklist: (task.subTasks ?? []).map(({ description = '', state = 1 }) => ({ description, state })),
  };
}

/** A version of a task, with its text as it is stored. */
type TaskVersion = FormVersion<TaskDraft> & Pick<SavedTask, 'descriptionPlainText' | 'descriptionDelta'>;

const versionOf = (task: SavedTask): TaskVersion => ({
  form: draftOf(task),
  token: task.occToken!,
  by: nameOf(task.lastModifyUser),
  descriptionPlainText: task.descriptionPlainText ?? '',
  ...(task.descriptionDelta !== undefined && { descriptionDelta: task.descriptionDelta }),
});

function useMergedTask(
  name: string,
  saved: SavedTask | undefined,
  { change, send }: { change: (task: TaskDraft) => void; send: (task: TaskDraft) => void },
) {
  const taskId = saved?.id ?? 0;
  return useMergedForm<TaskDraft, TaskVersion>({
    name,
    parts: useTaskParts(),
    read: async () => versionOf(await portal.tasks.get({ taskId })),
    write: (task, { token, descriptionPlainText, descriptionDelta }) => {
      const { descriptionPlainText: text, ...changed } = toRequest(task);
      return portal.tasks.replace({
        taskId,
        occToken: token,
        ...changed,
        // An unchanged text keeps its formats.
        ...(text === descriptionPlainText && descriptionDelta !== undefined
          ? { descriptionDelta }
          : text !== undefined && { descriptionPlainText: text }),
      });
    },
    change,
    send,
  });
}

/** How two changes of a task are merged. */
function useTaskParts(): readonly FormPart<TaskDraft>[] {
  const texts = useAllTexts();
  const formats = useFormats();
  const of = <K extends keyof TaskDraft>(
    key: K,
    name: string,
    kind: FormPart<TaskDraft>['kind'],
    show: (value: TaskDraft[K]) => string,
  ): FormPart<TaskDraft> => ({
    ...{ key, name, kind },
    read: (task) => task[key],
    write: (task, value) => ({ ...task, [key]: value }),
    show: (value) => show(value as TaskDraft[K]),
  });
  return [
    of('title', texts.taskTitle, 'text', String),
    of('text', texts.description, 'text', String),
    {
      ...{ key: 'assignee', name: texts.assigneePerson, kind: 'value' },
      read: ({ person, group }) =>
        [...person, ...group].map(({ id, label }) => ({ id, label, isPerson: person[0]?.id === id })),
      write: (task, value) => {
        const chosen = value as readonly (Choice & { isPerson: boolean })[];
        return {
          ...task,
          person: chosen.filter(({ isPerson }) => isPerson),
          group: chosen.filter(({ isPerson }) => !isPerson),
        };
      },
      show: (value) => (value as readonly Choice[]).map(({ label }) => label).join(', '),
    },
    of('due', texts.due, 'value', (due) => formats.wall(Date.parse(`${due}Z`))),
    of('priority', texts.priority, 'value', (priority) => texts.priorities[priority - 1] ?? ''),
    of('checklist', texts.checklistItem, 'items', (items) =>
      items.map(({ description, state }) => `${state === 2 ? '☑' : '☐'} ${description}`).join('\n'),
    ),
  ];
}

/** The form of a task. A change that somebody else saved meanwhile is merged with it. */
export function TaskForm({
  post,
  initial,
  label = initial.title,
  onChange,
  submit,
  create,
  saved,
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
  /** Creates the task. */
  create?: (task: ReturnType<typeof toRequest>) => Promise<unknown>;
  /** The task that is edited, as it was read. */
  saved?: SavedTask;
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
  const send = async (written = task) => {
    const found: Faults = {
      ...(written.title.trim() === '' && { title: texts.required }),
      ...(written.person.length === 0 && written.group.length === 0 && { assigneeUserId: texts.required }),
      ...(written.due === '' && { expiration: texts.required }),
    };
    setFaults(found);
    if (busy || Object.keys(found).length > 0) return;
    setBusy(true);
    try {
      if (saved === undefined) await create?.(toRequest(written));
      else if (!(await save(written, versionOf(saved)))) return;
      close();
      await refetchTasks(post.id!);
    } catch (error) {
      setFaults(faultsOf(error, texts));
    } finally {
      setBusy(false);
    }
  };
  const { save, panel } = useMergedTask(initial.title, saved, {
    change: (merged) => {
      setTask(merged);
      onChange?.(merged);
    },
    send: (chosen) => void send(chosen),
  });
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
      {panel}
      <fieldset className="labelled form-fields" disabled={readOnly} hidden={panel !== undefined}>
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
        {!readOnly && panel === undefined && (
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
