/** The end of a process: why it ends, and what is closed then. */
import type { Log } from '../kernel/scope.ts';

/** What is closed when the process ends, in the reverse order of its making. */
export type Closers = (() => Promise<unknown>)[];

/** Why the process ends and with which code. */
export interface Ending {
  reason: string;
  exitCode: number;
}

/** Closes everything; whatever hangs or fails, the rest is closed too. */
export async function closeAll(closers: Closers, logger: Log): Promise<void> {
  for (const closer of closers.toReversed()) {
    try {
      await closer();
    } catch (error) {
      logger.error({ err: error }, 'a part could not be closed properly');
    }
  }
}
