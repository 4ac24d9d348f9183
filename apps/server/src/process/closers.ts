/** The end of a process: its reason, and the parts that are closed. */
import type { Log } from '../kernel/scope.ts';

/** Functions that close the parts of the process; the last one runs first. */
export type Closers = (() => Promise<unknown>)[];

/** The reason and the exit code of an end. */
export interface Ending {
  reason: string;
  exitCode: number;
}

/** Closes all parts; after one that fails, the others as well. */
export async function closeAll(closers: Closers, logger: Log): Promise<void> {
  for (const closer of closers.toReversed()) {
    try {
      await closer();
    } catch (error) {
      logger.error({ err: error }, 'a part could not be closed properly');
    }
  }
}
