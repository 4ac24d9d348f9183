/**
 * Background jobs, run on every node by one of its processes. Work is stored in the rows themselves
 * and processed under row locks, so several nodes do it once and an interruption loses nothing. A
 * single statement finds the tenants with work; all others are left alone (docs/adr/0007-jobs.md).
 */

import { runFor } from '@portico/platform/main-thread';
import { chainAuditLog } from '../jobs/chain-audit-log.ts';
import { changeDefinitions } from '../jobs/change-definitions.ts';
import { deliverDueNotifications } from '../jobs/deliver-notifications.ts';
import { deliverWebhooks } from '../jobs/deliver-webhooks.ts';
import { eraseRowsOfPeople } from '../jobs/erase-people.ts';
import { eraseDuePosts } from '../jobs/erase-posts.ts';
import { indexSearch } from '../jobs/index-search.ts';
import { nextDue } from '../jobs/next-due.ts';
import { tellOfDueTasks } from '../jobs/notify-of-due-tasks.ts';
import { publishDuePosts } from '../jobs/publish-due-posts.ts';
import { receiveReplies } from '../jobs/receive-replies.ts';
import { forgetOldImports, runImports } from '../jobs/run-imports.ts';
import { sendMails } from '../jobs/send-mails.ts';
import { sendNotificationMails } from '../jobs/send-notification-mails.ts';
import { sendPushes } from '../jobs/send-pushes.ts';
import { tidy } from '../jobs/tidy.ts';
import { sweepFiles, workOnFiles } from '../jobs/work-on-files.ts';
import type { Tenant } from '../kernel/scope.ts';
import type { DueTenant } from '../modules/tenants/index.ts';
import type { BackupSchedule } from './backup-schedule.ts';
import type { LogArchive } from './log-archive.ts';
import { Rounds } from './rounds.ts';
import type { Services } from './services.ts';
import type { TenantDeletions } from './tenant-deletions.ts';

interface Task {
  name: string;
  /** Milliseconds between two runs for a tenant that has work. */
  every: number;
  /** Milliseconds between two looks at the tenants that have work; default: two seconds. */
  look?: number;
  /**
   * @param stop the worker is to stop: long work ends soon @returns true when there may be more to
   *   do
   */
  run(services: Services, tenant: Tenant, stop: AbortSignal): Promise<unknown>;
}

/** Between two looks for tenants that have work. Milliseconds. */
const LOOK_MS = 2_000;
/** Between two looks for posts to index, which people search for. Milliseconds. */
const SEARCH_MS = 500;
/** Between two rounds of webhooks, which receivers wait for. Milliseconds. */
const WEBHOOKS_MS = 250;
/** Between two looks into the mailbox of answers. Milliseconds. */
const REPLIES_MS = 30_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Longest pause before work is tried again that was due and could not be done. Milliseconds. */
const LONGEST_PAUSE_MS = 3_600_000;

export const tasks: readonly Task[] = [
  { name: 'publish due posts', every: LOOK_MS, run: publishDuePosts },
  { name: 'work on files', every: LOOK_MS, run: workOnFiles },
  { name: 'change definitions', every: LOOK_MS, run: changeDefinitions },
  { name: 'run imports', every: LOOK_MS, run: runImports },
  { name: 'forget imports', every: MINUTE_MS, run: forgetOldImports },
  { name: 'index for the search', every: SEARCH_MS, look: SEARCH_MS, run: indexSearch },
  { name: 'deliver notifications', every: LOOK_MS, run: deliverDueNotifications },
  { name: 'notify of due tasks', every: MINUTE_MS, run: tellOfDueTasks },
  { name: 'send mails', every: LOOK_MS, run: sendMails },
  { name: 'send notification mails', every: LOOK_MS, run: sendNotificationMails },
  { name: 'send push messages', every: LOOK_MS, run: sendPushes },
  { name: 'deliver webhooks', every: WEBHOOKS_MS, look: WEBHOOKS_MS, run: deliverWebhooks },
  { name: 'chain the audit log', every: 10_000, run: chainAuditLog },
  { name: 'tidy', every: MINUTE_MS, run: tidy },
  { name: 'erase posts', every: MINUTE_MS, run: eraseDuePosts },
  { name: 'erase people', every: MINUTE_MS, run: eraseRowsOfPeople },
  // Finds remains, not due work: a tenant without work waits for its next look.
  { name: 'sweep files', every: DAY_MS, run: sweepFiles },
];
/** How often the archive of the log is looked at. Milliseconds. */
const LOG_MS = 5_000;
/** The tasks that a tenant waits for before it is left alone. */
const PROMPT = tasks.filter(({ every }) => every <= MINUTE_MS).map(({ name }) => name);

/** Runs a job of a tenant, and notes how it went. */
type ObserveJob = <T>(job: string, tenant: string, run: () => Promise<T>) => Promise<T>;

interface WorkerOptions {
  /** Undefined: the node makes none itself. */
  backups?: BackupSchedule;
  /** Undefined: the log of the database is not archived. */
  logArchive?: LogArchive;
  /** Undefined: the node deletes no tenants. */
  deletions?: TenantDeletions;
  /** Called with the name of a job that failed and is tried again. */
  failed?: (job: string) => void;
  observe?: ObserveJob;
}

interface Worker {
  /** Stops after the running job has ended. */
  stop(): Promise<void>;
}

/**
 * Starts the worker.
 * @param which jobs: if a node has several processes, each process stores its `own` notes, and one
 *   runs the jobs of the node
 */
export function startWorker(services: Services, which: 'all' | 'own' | 'node', options: WorkerOptions = {}): Worker {
  const stopping = new AbortController();
  const stop = stopping.signal;
  const loops = [
    ...(which === 'node' ? [] : ownLoops(services, stop)),
    ...(which === 'own' ? [] : nodeLoops(services, options, stop)),
  ];
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

/** Stores the notes in this process's memory. */
const ownLoops = (services: Services, stop: AbortSignal) => [
  loop(services, 'note accesses', 30_000, stop, () => services.accesses.flush()),
];

function nodeLoops(
  services: Services,
  { backups, logArchive, deletions, failed, observe }: WorkerOptions,
  stop: AbortSignal,
): Promise<void>[] {
  // Jobs write without marks, which would keep a tenant in use for ever: their work is found in the rows.
  const unmarked = { ...services, databases: services.unmarkedDatabases };
  const rounds = new Rounds();
  return [
    ...(backups && services.config.backup.everyMs !== undefined
      ? [loop(services, 'back up', MINUTE_MS, stop, () => backups.run(stop), failed)]
      : []),
    ...(logArchive && services.config.backup.log
      ? [loop(services, 'archive the log', LOG_MS, stop, () => logArchive.run(stop), failed)]
      : []),
    ...repliesLoop(unmarked, stop, failed),
    ...(deletions ? [loop(services, 'delete tenants', MINUTE_MS, stop, () => deletions.run(stop), failed)] : []),
    loop(services, 'look for work', LOOK_MS, stop, () => look(unmarked, rounds, stop), failed),
    ...tasks.map((task) =>
      loop(
        services,
        task.name,
        task.look ?? LOOK_MS,
        stop,
        () => runForDue(unmarked, task, rounds, stop, observe),
        failed,
      ),
    ),
  ];
}

/** Reads the mailbox of answers, where there is one. */
function repliesLoop(services: Services, stop: AbortSignal, failed: ((job: string) => void) | undefined) {
  const { replies } = services.config;
  if (!replies?.mailbox) return [];
  return [loop(services, 'receive replies', REPLIES_MS, stop, () => receiveReplies(services, replies), failed)];
}

async function loop(
  services: Services,
  task: string,
  every: number,
  stop: AbortSignal,
  run: () => Promise<unknown>,
  failed?: (job: string) => void,
): Promise<void> {
  while (!stop.aborted) {
    try {
      await run();
    } catch (error) {
      failed?.(task);
      services.log.error({ err: error, task }, 'background work failed; it is tried again');
    }
    await pause(every, stop);
  }
}

/** Reads the tenants that have work, and drops tenants without any. */
async function look(services: Services, rounds: Rounds, stop: AbortSignal): Promise<void> {
  rounds.follow(await services.work.readDue());
  await forEach(services, rounds.due, stop, async (due) => {
    if (!due.inUse && rounds.hasRun(due.tenant.id, PROMPT)) await leave(services, due);
  });
}

/** Sets when a tenant is looked after next, unless some of its work waits. */
async function leave(services: Services, due: DueTenant): Promise<void> {
  const { waiting, at } = await nextDue(services, due.tenant);
  const now = services.clock.now();
  const late = at === undefined ? 0 : now - at;
  // It became due during the round: the next one does it.
  if (waiting || (late >= 0 && late < MINUTE_MS && at !== undefined)) return;
  await services.work.rest(due, late > 0 ? now + Math.min(late, LONGEST_PAUSE_MS) : at);
}

/** Runs a task for every tenant that has work. @throws the first failure */
function runForDue(
  services: Services,
  task: Task,
  rounds: Rounds,
  stop: AbortSignal,
  observe?: ObserveJob,
): Promise<void> {
  return forEach(services, rounds.due, stop, async ({ tenant }) => {
    const now = services.clock.now();
    if (!rounds.begin(tenant.id, task.name, now, task.every)) return;
    const run = () => runFor({ tenant: tenant.id }, () => task.run(services, tenant, stop));
    const more = (await (observe ? observe(task.name, tenant.name, run) : run())) === true;
    rounds.end(tenant.id, task.name, more);
  });
}

/**
 * Does something for each tenant. In a cluster some may be on a worker that is away: the others do not wait for it.
 * @throws the first failure
 */
async function forEach(
  services: Services,
  due: readonly DueTenant[],
  stop: AbortSignal,
  work: (due: DueTenant) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const one of due) {
    if (stop.aborted) break;
    try {
      await work(one);
    } catch (error) {
      failures.push(error);
      // Nobody is served then.
      if ((await services.monitor.check()).state !== 'ok') break;
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** Waits until the time has passed or the worker is stopped. */
function pause(ms: number, stop: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (stop.aborted) return Promise.resolve();
  const end = () => {
    clearTimeout(timer);
    stop.removeEventListener('abort', end);
    resolve();
  };
  const timer = setTimeout(end, ms);
  stop.addEventListener('abort', end);
  return promise;
}
