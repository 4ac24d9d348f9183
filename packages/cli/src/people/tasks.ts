/** `portico tasks`: the tasks of the caller. */
import { type TaskListElement, TaskPriority, TaskState } from '@portico/contract';
import type { Command } from 'commander';
import { commaList, parsePositive } from '../client/flags.ts';
import { UsageError } from '../errors.ts';
import { shownMoment } from '../output.ts';
import { openSession } from '../session.ts';
import { reads } from '../words.ts';
import { openPage } from './browser.ts';
import { addShownOptions, asksForData, type ListFlags, printData } from './flags.ts';
import { nameOf } from './labels.ts';
import { communityNamed, personNamed, postPage } from './names.ts';
import { printRows, rowsUpTo } from './posts.ts';

interface TaskFlags extends ListFlags {
  created?: boolean;
  watched?: boolean;
  assignee?: string;
  community?: string;
  closed?: boolean;
  overdue?: boolean;
  web?: boolean;
}

/** A task as people read it. */
interface TaskRow {
  id: number;
  title?: string;
  due?: string;
  state?: string;
  priority?: string;
  assignee?: string;
  post?: string;
  postId?: number;
  community?: string;
  overdue?: boolean;
  url: string;
}

const COLUMNS = ['id', 'title', 'due', 'priority', 'state', 'assignee', 'post', 'postId', 'community', 'url'] as const;
/** Columns of a table without `--columns`. */
const SHOWN_COLUMNS = ['id', 'title', 'due', 'priority', 'post', 'community'] as const;
const SHOWN = 30;

/** Adds `portico tasks`. */
export function tasksCommand(program: Command): void {
  const tasks = reads(program.command('tasks'))
    .summary('List your open tasks; "portico api tasks" has every operation')
    .description('List your open tasks, the next due first')
    .option('--created', 'tasks that you created instead')
    .option('--watched', 'tasks that you watch instead')
    .option('--assignee <person>', 'tasks of this person that you see: name, e-mail address or number')
    .option('--community <name>', 'only in this community, by name or number')
    .option('--closed', 'closed tasks instead of open ones')
    .option('--overdue', 'only overdue tasks')
    .option('--columns <names>', `columns, separated by commas: ${COLUMNS.join(', ')}`, commaList)
    .option('--limit <number>', `at most this many (default: ${SHOWN})`, parsePositive)
    .option('--all', 'all of them')
    .option('--csv', 'print CSV')
    .option('--web', 'open the page of tasks in the browser');
  addShownOptions(tasks)
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico tasks --overdue\n  $ portico tasks --created --community "IT Service Desk" --json id,title,due',
    )
    .action(() => runTasks(tasks.opts<TaskFlags>()));
}

async function runTasks(flags: TaskFlags): Promise<void> {
  if (flags.created && flags.watched) throw new UsageError('Use --created or --watched, not both.');
  const session = await openSession(flags);
  const { client, options } = session;
  if (flags.web) return openPage(`${client.baseUrl}/portal/tasks`);
  const names = flags.columns ?? (Array.isArray(flags.json) ? flags.json : undefined);
  const columns = (names ?? SHOWN_COLUMNS).map(columnOf);
  const input = {
    relation: relationOf(flags),
    ...(flags.assignee !== undefined && { assigneeUserIds: [await personNamed(session, flags.assignee)] }),
    ...(flags.community !== undefined && { communityId: (await communityNamed(session, flags.community)).id }),
    open: !flags.closed,
    ...(flags.overdue && { overdue: true }),
    orderBy: 'expiration',
    orderDesc: false,
  } as const;
  const limit = flags.all ? (flags.limit ?? Number.POSITIVE_INFINITY) : (flags.limit ?? SHOWN);
  const { rows, more } = await rowsUpTo(
    limit,
    client.tasks.iterate({ ...input, pageSize: Math.min(100, limit + 1) }, options),
  );
  const shown = rows.map((task) => taskRow(task, postPage(client, task.postId as number)));
  if (asksForData(flags)) {
    const chosen = names
      ? shown.map((row) => Object.fromEntries(columns.map(({ label, value }) => [label, value(row)])))
      : shown;
    await printData(chosen, flags);
  } else printRows(shown, columns, flags.csv === true);
  if (more) process.stderr.write(`The first ${limit}; --all lists all of them, --limit more.\n`);
}

function relationOf({ assignee, created, watched }: TaskFlags): 'any' | 'created' | 'watched' | 'assigned' {
  if (assignee !== undefined) return 'any';
  if (created) return 'created';
  return watched ? 'watched' : 'assigned';
}

/** @throws UsageError for an unknown name */
function columnOf(name: string): { label: string; value(row: TaskRow): unknown } {
  const label = COLUMNS.find((column) => column.toLowerCase() === name.toLowerCase());
  if (!label) throw new UsageError(`There is no column "${name}"; the columns are ${COLUMNS.join(', ')}.`);
  return { label, value: (row) => row[label] };
}

function taskRow(task: TaskListElement, url: string): TaskRow {
  const due = task.expiration;
  return {
    id: task.id as number,
    title: task.title,
    due: due?.zonedDatetime && shownMoment(Date.parse(due.zonedDatetime)),
    state: wordOf(TaskState, task.state),
    priority: wordOf(TaskPriority, task.priority),
    assignee: nameOf(task.assigneeUser) ?? nameOf(task.assigneeGroup),
    post: task.postTitle,
    postId: task.postId,
    community: task.communityName,
    overdue: task.overdue,
    url,
  };
}

/** The name of a code in words: `in progress` of `IN_PROGRESS`. */
function wordOf(codes: Readonly<Record<string, number>>, code: number | undefined): string | undefined {
  const name = Object.entries(codes).find(([, value]) => value === code)?.[0];
  return name?.toLowerCase().replaceAll('_', ' ');
}
