/** Jobs of the test of threads. */
import { getPriority } from 'node:os';
import { serveJobs } from './thread-script.ts';

export interface TestJob {
  readonly do: 'nothing' | 'count' | 'priority' | 'loop' | 'fill' | 'throw' | 'exit';
}

let count = 0;

serveJobs((job: TestJob): unknown => {
  switch (job.do) {
    case 'count':
      return ++count;
    case 'priority':
      return getPriority(0);
    case 'loop':
      for (;;);
    case 'fill': {
      const held: number[][] = [];
      for (;;) held.push(Array.from({ length: 10_000 }, (_, n) => n));
    }
    case 'throw':
      throw new Error('no such job');
    case 'exit':
      process.exit();
  }
  return undefined;
});
