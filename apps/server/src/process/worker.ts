/**
 * Background jobs, run on every node at intervals. What is due is stored in the rows themselves and processed under row
 * locks, so that several nodes do it once and an interruption loses nothing
 * (docs/adr/0007-jobs.md).
 */
import { chainAuditLog } from '../jobs/chain-audit-log.ts';
import { changeDefinitions } from '../jobs/change-definitions.ts';
import { deliverDueNotifications } from '../jobs/deliver-notifications.ts';
import { eraseRowsOfPeople } from '../jobs/erase-people.ts';
import { eraseDuePosts } from '../jobs/erase-posts.ts';
import { tellOfDueTasks } from '../jobs/notify-of-due-tasks.ts';
import { nextScheduledPost, publishDuePosts } from '../jobs/publish-due-posts.ts';
import { forgetOldImports, runImports } from '../jobs/run-imports.ts';
import { sendMails } from '../jobs/send-mails.ts';
import { tidy } from '../jobs/tidy.ts';
import { sweepFiles, workOnFiles } from '../jobs/work-on-files.ts';
import type { Tenant } from '../kernel/scope.ts';
import { runFor } from '../platform/main-thread.ts';
import type { Services } from './services.ts';
import { Turns } from './turns.ts';

interface Task {
  name: string;
  /** Milliseconds between the end of one run and the next. */
  every: number;
  /** @param stop the worker is to stop: what runs long ends soon  @returns true when there may be more to do */
  run(services: Services, tenant: Tenant, stop: AbortSignal): Promise<unknown>;
  /** When something is due that no write announces at that time, if known. Epoch milliseconds. */
  next?(services: Services, tenant: Tenant): Promise<number | undefined>;
}

/** How long a tenant is in use after a write or after work was found. Milliseconds. */
const IN_USE_MS = 60_000;

const tasks: readonly Task[] = [
  { name: 'publish due posts', every: 2_000, run: publishDuePosts, next: nextScheduledPost },
  { name: 'work on files', every: 2_000, run: workOnFiles },
  { name: 'change definitions', every: 2_000, run: changeDefinitions },
  { name: 'run imports', every: 2_000, run: runImports },
  { name: 'forget imports', every: 3_600_000, run: forgetOldImports },
  { name: 'deliver notifications', every: 2_000, run: deliverDueNotifications },
  { name: 'notify of due tasks', every: 60_000, run: tellOfDueTasks },
  { name: 'send mails', every: 2_000, run: sendMails },
  { name: 'note accesses', every: 30_000, run: (services) => services.accesses.flush() },
  { name: 'note costs of lists', every: 60_000, run: (services) => services.listShapes.flush() },
  { name: 'chain the audit log', every: 10_000, run: chainAuditLog },
  { name: 'tidy', every: 60_000, run: tidy },
  { name: 'erase posts', every: 600_000, run: eraseDuePosts },
  { name: 'erase people', every: 60_000, run: eraseRowsOfPeople },
  { name: 'sweep files', every: 86_400_000, run: sweepFiles },
];

interface Worker {
  /** Stops after the running job has ended. */
  stop(): Promise<void>;
}

/** Starts the worker. */
export function startWorker(services: Services): Worker {
  const stopping = new AbortController();
  const loops = tasks.map((task) => loop(services, task, stopping.signal));
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all(loops);
    },
  };
}

async function loop(services: Services, task: Task, stop: AbortSignal): Promise<void> {
  const turns = new Turns(task.every);
  while (!stop.aborted) {
    try {
      await runForAll(services, task, turns, stop);
    } catch (error) {
      services.log.error({ err: error, task: task.name }, 'background work failed; it is tried again');
    }
    await pause(task.every, stop);
  }
}

/**
 * Runs a task for every tenant that has its turn. In a cluster some may be on a worker that is away: the others do not wait
 * for it.
 * @throws the first failure
 */
async function runForAll(services: Services, task: Task, turns: Turns, stop: AbortSignal): Promise<void> {
  const failures: unknown[] = [];
  const all = await services.tenants.all();
  const now = services.clock.now();
  for (const tenant of all) {
    if (stop.aborted) break;
    if (!turns.has(tenant.id, now, services.recentWrites.has(tenant.id, now - IN_USE_MS))) continue;
    try {
      const more = (await runFor({ tenant: tenant.id }, () => task.run(services, tenant, stop))) === true;
      await turns.done(tenant.id, now, { tenants: all.length, more, next: () => task.next?.(services, tenant) });
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
