import type { TaskListElement } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { Circle, CircleCheck, CircleDashed, Plus } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { sendOrKeep } from '../../offline/outbox.ts';
import { Failed, Loading } from '../../placeholders.tsx';
import { portal, queryClient } from '../../portal.ts';
import { useFocusReturn } from '../../shell/use-focus-return.ts';
import { useFormats } from '../../texts/index.ts';
import { useShowError } from '../../write/faults.ts';
import { Menu } from '../../write/menu.tsx';
import { showNotice } from '../../write/notices.ts';
import { newUid } from '../../write/post-draft.ts';
import { useAllTexts, useWriteTexts } from '../../write/texts.ts';
import { useBrowserDraft } from '../../write/use-browser-draft.ts';
import { useRemoval } from '../../write/use-removal.ts';
import { explanationText } from '../explanation-text.ts';
import { useAnchor, useWantedId } from '../use-anchor.ts';
import { useSentences } from '../use-sentences.ts';
import { tasksKey, useTasks } from '../use-tasks.ts';
import { nameOf } from '../user-name.ts';
import type { Capabilities, Post } from './save-part.ts';
import { draftOf, EMPTY, NORMAL, refetchTasks, type TaskDraft, TaskForm } from './task-form.tsx';

/** States of a task by their codes, from 1: to do, in review, closed. */
const STATES = [1, 2, 3] as const;
const ICONS = [Circle, CircleDashed, CircleCheck] as const;
const CLOSED = 3;

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
    await refetchTasks(postId);
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
      create={async (task) => {
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
  const { title = '', capabilities } = task.data;
  const remove = () =>
    removal({
      text: texts.deleted(title || texts.untitled),
      remove: () => portal.tasks.delete({ taskId }),
      restore: () => portal.tasks.restore({ taskId }),
      refetch: () => refetchTasks(post.id!),
      removed: close,
    });
  return (
    <TaskForm
      post={post}
      readOnly={!capabilities?.canModify}
      whyNot={why && explanationText(why, sentences)}
      initial={draftOf(task.data)}
      submit={texts.save}
      close={close}
      {...(capabilities?.canDelete && { remove: () => void remove() })}
      saved={task.data}
    />
  );
}
