import { CommunitySelect } from '../communities/community-select.tsx';
import './tasks.css';
import '../home/home.css';
import type { TaskListElement } from '@portico/sdk';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Circle, CircleCheck, CircleDashed, type LucideIcon, Signal } from 'lucide-react';
import { useAttempt } from '../failures/attempt.ts';
import { LoadMore } from '../load-more.tsx';
import { Empty, Loaded } from '../placeholders.tsx';
import { portal, queryClient } from '../portal.ts';
import type { Sentences } from '../posts/explanation-patterns.ts';
import { explanationText } from '../posts/explanation-text.ts';
import { useSentences } from '../posts/use-sentences.ts';
import { nameOf } from '../posts/user-name.ts';
import { useCommunities } from '../shared-queries.ts';
import { Avatar } from '../shell/avatar.tsx';
import { focusedItem, moveKeys, useKeys } from '../shell/keys.ts';
import { SegmentedControl } from '../shell/segmented-control.tsx';
import { useFormats, useTexts } from '../texts/index.ts';
import { instantOf, wallDay } from '../texts/time-zone.ts';
import { usePages } from '../use-pages.ts';
import { useTitle } from '../use-title.ts';
import { showNotice } from '../write/notices.ts';
import { dues, priorities, relations, type TaskSearch } from './task-search.ts';
import { useTaskTexts } from './texts.ts';

/** States and kinds of tasks, as the interface numbers them. */
const [TO_DO, IN_REVIEW, CLOSED] = [1, 2, 3] as const;
const STATE_ICONS: Readonly<Record<number, LucideIcon>> = { [IN_REVIEW]: CircleDashed, [CLOSED]: CircleCheck };
const [HIGH, STANDARD] = [3, 1];
const DAY = 86_400_000;

type Group = 'overdue' | 'today' | 'week' | 'later' | 'undated' | 'finished';

const dueOf = ({ expiration }: TaskListElement) =>
  expiration?.zonedDatetime === undefined ? undefined : Date.parse(expiration.zonedDatetime);

function groupOf(task: TaskListElement): Group {
  const due = dueOf(task);
  if (task.state === CLOSED) return 'finished';
  if (due === undefined) return 'undated';
  if (due < Date.now()) return 'overdue';
  const midnight = instantOf(`${wallDay(Date.now())}T24:00`);
  if (due < midnight) return 'today';
  return due < midnight + 6 * DAY ? 'week' : 'later';
}

/** The first moment after today, or after the next seven days. */
const endOf = (due: 'today' | 'week'): Date =>
  new Date(instantOf(`${wallDay(Date.now())}T24:00`) + (due === 'week' ? 6 * DAY : 0));

/** Closes a task or opens it again, and says so with Undo. */
function useSetState() {
  const texts = useTexts();
  const words = useTaskTexts();
  const attempt = useAttempt();
  const set = async (task: TaskListElement, state: 1 | 3) => {
    await attempt(async () => {
      await portal.tasks.setState({ taskId: task.id!, state });
      showNotice(state === CLOSED ? words.wasClosed : words.wasOpened, {
        label: texts.undo,
        run: () => set(task, state === CLOSED ? TO_DO : CLOSED),
      });
      await Promise.all(['tasks', 'waiting'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })));
    }, words.failed);
  };
  return set;
}

/** Tasks across communities, by when they are due. */
export function TasksPage() {
  const texts = useTexts();
  const words = useTaskTexts();
  const navigate = useNavigate();
  const search = useSearch({ from: '/shell/tasks' });
  const { relation = 'assigned', closed = false, community, due, priority } = search;
  const tasks = usePages(['tasks', relation, closed, community, due, priority], (page) =>
    portal.tasks.list({
      relation,
      open: !closed,
      ...(community !== undefined && { communityId: community }),
      ...(priority && { priorities: [priority] }),
      ...(due === 'overdue' ? { overdue: true } : due && { expirationTo: endOf(due) }),
      ...(closed && { orderDesc: true }),
      pageSize: 50,
      ...page,
    }),
  );
  const items = tasks.data ?? [];
  const groups = new Map<Group, TaskListElement[]>();
  for (const task of items) groups.set(groupOf(task), [...(groups.get(groupOf(task)) ?? []), task]);
  const show = (change: { [K in keyof TaskSearch]: TaskSearch[K] | undefined }) =>
    void navigate({ to: '/tasks', search: { ...search, ...change } as TaskSearch, replace: true });
  const set = useSetState();
  const toggle = (task: TaskListElement) => set(task, task.state === CLOSED ? TO_DO : CLOSED);
  useTitle(texts.tasks);
  useKeys([
    ...moveKeys(texts),
    {
      key: 'e',
      label: words.closeKey,
      run: () => {
        const task = items.find(({ id }) => `task-${id}` === focusedItem()?.dataset['item']);
        return task !== undefined && mayToggle(task) && toggle(task);
      },
    },
  ]);
  return (
    <div className="page">
      <TaskFilters search={search} show={show} />
      <Loaded query={tasks}>
        {() =>
          items.length === 0 ? (
            <Empty>
              <p>{words.empty}</p>
              {!closed && !due && !priority && <p>{words.emptyHint}</p>}
            </Empty>
          ) : (
            <div className="task-groups">
              {[...groups].map(([group, listed]) => (
                <TaskGroup key={group} group={group} tasks={listed} toggle={(task) => void toggle(task)} />
              ))}
              <LoadMore query={tasks} quiet />
            </div>
          )
        }
      </Loaded>
    </div>
  );
}

/** The choices above the list. */
function TaskFilters({
  search: { relation = 'assigned', closed = false, community, due, priority },
  show,
}: {
  search: TaskSearch;
  show: (change: { [K in keyof TaskSearch]: TaskSearch[K] | undefined }) => void;
}) {
  const texts = useTexts();
  const words = useTaskTexts();
  const communities = useCommunities().data ?? [];
  return (
    <header className="toolbar">
      <h1>{texts.tasks}</h1>
      <SegmentedControl
        label={texts.tasks}
        options={relations.map((each) => ({ value: each, label: words.relations[each] }))}
        value={relation}
        onChange={(each) => show({ relation: each === 'assigned' ? undefined : each })}
      />
      <SegmentedControl
        label={texts.state}
        options={[
          { value: 'open', label: words.open },
          { value: 'closed', label: words.closed },
        ]}
        value={closed ? 'closed' : 'open'}
        onChange={(state) => show({ closed: state === 'closed' })}
      />
      <CommunitySelect
        communities={communities}
        value={community}
        all={words.allCommunities}
        onChange={(id) => show({ community: id })}
      />
      <select
        className="field auto"
        aria-label={words.due}
        value={due ?? ''}
        onChange={({ currentTarget: { value } }) => show({ due: (value || undefined) as TaskSearch['due'] })}
      >
        <option value="">{words.anyDue}</option>
        {dues.map((each) => (
          <option key={each} value={each}>
            {words[each]}
          </option>
        ))}
      </select>
      <select
        className="field auto"
        aria-label={words.priority}
        value={priority ?? ''}
        onChange={({ currentTarget: { value } }) =>
          show({ priority: value === '' ? undefined : (Number(value) as TaskSearch['priority']) })
        }
      >
        <option value="">{words.anyPriority}</option>
        {priorities.map((each) => (
          <option key={each} value={each}>
            {words.priorities[each]}
          </option>
        ))}
      </select>
    </header>
  );
}

/** The tasks that are due in the same time. */
function TaskGroup({
  group,
  tasks,
  toggle,
}: {
  group: Group;
  tasks: readonly TaskListElement[];
  toggle: (task: TaskListElement) => void;
}) {
  const words = useTaskTexts();
  const formats = useFormats();
  return (
    <section className="row-list">
      <header>
        <h2 {...(group === 'overdue' && { className: 'late' })}>{words[group]}</h2>
        <span className="muted">{formats.number(tasks.length)}</span>
      </header>
      <ul>
        {tasks.map((task) => (
          <Task key={task.id} task={task} toggle={() => toggle(task)} />
        ))}
      </ul>
    </section>
  );
}

/** Says why the state of a task cannot be changed. */
async function showWhyNot({ id }: TaskListElement, sentences: Sentences): Promise<void> {
  const { items = [] } = await portal.explain.task({ taskId: id!, capability: 'canUpdateState' });
  const [why] = items.filter(({ permitted }) => !permitted);
  if (why) showNotice(explanationText(why, sentences));
}

/** Requests to confirm a post are answered in the post. */
const mayToggle = ({ type, capabilities }: TaskListElement) =>
  (type === undefined || type === STANDARD) && capabilities?.canUpdateState !== false;

function Task({ task, toggle }: { task: TaskListElement; toggle: () => void }) {
  const texts = useTexts();
  const words = useTaskTexts();
  const formats = useFormats();
  const sentences = useSentences();
  const due = dueOf(task);
  const closed = task.state === CLOSED;
  const Icon = STATE_ICONS[task.state ?? TO_DO] ?? Circle;
  const title = task.title || texts.untitled;
  const checklist = task.subTasks ?? [];
  return (
    <li className="list-row">
      <button
        type="button"
        className="tick"
        aria-disabled={!mayToggle(task)}
        aria-label={closed ? words.reopen(title) : words.close(title)}
        onClick={mayToggle(task) ? toggle : () => void showWhyNot(task, sentences)}
      >
        <Icon size={16} aria-hidden />
      </button>
      <div className="list-row-text">
        <Link
          to="/post/$postId"
          params={{ postId: String(task.postId) }}
          className={closed ? 'list-row-title closed' : 'list-row-title'}
          data-item={`task-${task.id}`}
        >
          {title}
        </Link>
        <span className="list-row-details">
          <span>{task.postTitle || texts.untitled}</span>
          <span>{task.communityName}</span>
          {checklist.length > 0 && (
            <span>
              {words.checklist(
                formats.number(checklist.filter(({ state }) => state === 2).length),
                formats.number(checklist.length),
              )}
            </span>
          )}
          {task.state === IN_REVIEW && <span>{words.review}</span>}
        </span>
      </div>
      {(task.priority ?? 0) >= HIGH && (
        <span className={task.priority === 4 ? 'late priority' : 'priority'}>
          <Signal size={14} aria-hidden /> {words.priorities[task.priority as 3 | 4]}
        </span>
      )}
      {(task.assigneeUser ?? task.assigneeGroup) && (
        <span className="assignee" title={nameOf(task.assigneeUser) || task.assigneeGroup?.name}>
          {task.assigneeUser ? <Avatar user={task.assigneeUser} /> : task.assigneeGroup?.name}
        </span>
      )}
      <time className={task.overdue ? 'list-row-time late' : 'list-row-time'}>
        {due !== undefined && formats.shortDay(due)}
      </time>
    </li>
  );
}
