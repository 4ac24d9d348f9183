/** Answers the jobs of isolated-process.ts, in a script that works on files of users. */
import { Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import type { Outcome } from './isolated-process.ts';
import { type IsolationLimits, LIMITS_VARIABLE } from './launch.ts';

/**
 * Answers jobs until the parent goes. The process is ended when it takes too much memory, and
 * reaches no network.
 */
export function answerJobs<Job, Answer>(work: (job: Job) => Promise<Answer>): void {
  const { memoryBytes } = JSON.parse(process.env[LIMITS_VARIABLE] ?? '{}') as IsolationLimits;
  forbidNetwork();
  // Decoders may hold this thread for seconds while they grow: another one watches.
  new Worker(new URL('./memory-watch.ts', import.meta.url), { workerData: memoryBytes }).unref();
  process.on('disconnect', () => process.exit(0));
  process.on('message', (job: Job) => {
    if (process.memoryUsage.rss() > memoryBytes) process.kill(process.pid, 'SIGKILL');
    work(job)
      .then(
        (answer): Outcome<Answer> => ({ answer }),
        (error: unknown): Outcome<Answer> => ({ failed: error instanceof Error ? error.message : String(error) }),
      )
      .then((outcome) => process.send?.(outcome));
  });
}

/** Code that reads a file of a user has nothing to fetch: attempts are refused. */
function forbidNetwork(): void {
  Socket.prototype.connect = () => {
    throw new Error('files are looked at without a network');
  };
}
