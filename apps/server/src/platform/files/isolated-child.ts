/** The other end of isolated-process.ts: what a script calls that works on files of users. */
import { type IsolationLimits, LIMITS_VARIABLE, type Outcome } from './isolated-process.ts';

/** Answers jobs until the parent goes. The process ends itself when it takes too much memory. */
export function answerJobs<Job, Answer>(work: (job: Job) => Promise<Answer>): void {
  const limits = JSON.parse(process.env[LIMITS_VARIABLE] ?? '{}') as IsolationLimits;
  const watch = () => {
    if (process.memoryUsage.rss() > limits.memoryBytes) process.exit(9);
  };
  setInterval(watch, 50).unref();
  process.on('disconnect', () => process.exit(0));
  process.on('message', (job: Job) => {
    watch();
    work(job)
      .then(
        (answer): Outcome<Answer> => ({ answer }),
        (error: unknown): Outcome<Answer> => ({ failed: error instanceof Error ? error.message : String(error) }),
      )
      .then((outcome) => process.send?.(outcome));
  });
}
