/** The side of a thread that does jobs, see {@link JobThread}. */
import { platform, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';

/** Nice value: the main thread, which serves everybody, comes first. */
const PRIORITY = 10;

/** Does the jobs that the main thread sends. */
export function serveJobs<Job, Result>(work: (job: Job) => Result | Promise<Result>): void {
  // On Linux the priority is that of the calling thread, elsewhere that of the process.
  if (platform() === 'linux') setPriority(0, PRIORITY);
  // The faults of a text may be many, and a stack trace costs more than a fault.
  Error.stackTraceLimit = 0;
  parentPort?.on('message', async (job: Job) => parentPort?.postMessage(await work(job)));
  parentPort?.postMessage('ready');
}
