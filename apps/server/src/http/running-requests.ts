/**
 * Requests of operations that an account has in progress. A few reads and a few writes of them are worked on at once, so that
 * the objects of few answers are in memory; the others wait. Beyond the bound further ones are refused.
 */

import { DatabaseUnavailable } from '@portico/platform/db/pg-errors';
import { PorticoError } from '../kernel/errors.ts';
import { type NodeLimits, Portion } from '../kernel/node-limits.ts';

/** Reads, and writes, of an account that are worked on at once: as many as find a connection of the default pool. */
const AT_ONCE = 8;

/** Seconds after which a request that was refused may come again. */
const RETRY_SECONDS = 1;

interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

interface Account {
  inProgress: number;
  /** Writes that wait for a lock keep no read waiting. */
  readonly read: Line;
  readonly write: Line;
}

const newLine = (): Line => ({ running: 0, waiting: [] });

/** Counts the requests of each account on the node, and lets few of them run in this process. */
export class RunningRequests {
  readonly #most: number;
  readonly #portion: Portion;
  readonly #accounts = new Map<string, Account>();

  /** @param most requests of an account in progress on the node */
  constructor(node: NodeLimits, most: number) {
    this.#most = most;
    this.#portion = new Portion(node, 'requests in progress', most);
  }

  /**
   * Counts a request as in progress.
   * @returns ends it
   * @throws PorticoError TOO_MANY_AT_ONCE
   */
  async begin(key: string): Promise<() => void> {
    const release = await this.#portion.take(key);
    if (!release)
      throw new PorticoError('TOO_MANY_AT_ONCE', {
        message: `${this.#most} requests of this account are in progress; wait for their responses, or retry in ${RETRY_SECONDS} second.`,
        headers: { 'Retry-After': String(RETRY_SECONDS) },
      });
    const account = this.#accounts.get(key) ?? { inProgress: 0, read: newLine(), write: newLine() };
    this.#accounts.set(key, account);
    account.inProgress++;
    return () => {
      release();
      account.inProgress--;
      if (account.inProgress === 0) this.#accounts.delete(key);
    };
  }

  /**
   * Runs the work of a request that is in progress, once few others of its kind and account run.
   * @param signal aborted when its response is not wanted any more, or its time has passed
   * @throws DatabaseUnavailable when that was before its turn
   */
  async run<T>(key: string, kind: 'read' | 'write', signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const line = this.#accounts.get(key)?.[kind];
    // Its client has disconnected.
    if (!line) return work();
    if (line.running >= AT_ONCE) await turnOf(line, signal);
    else line.running++;
    try {
      return await work();
    } finally {
      // The next one takes its place, so that none that arrives meanwhile does.
      const next = line.waiting.shift();
      if (next) next();
      else line.running--;
    }
  }
}

async function turnOf({ waiting }: Line, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const giveUp = () => {
    const index = waiting.indexOf(resolve);
    if (index < 0) return;
    waiting.splice(index, 1);
    const { reason } = signal;
    reject(reason instanceof DatabaseUnavailable ? reason : new DatabaseUnavailable(String(reason), reason));
  };
  waiting.push(resolve);
  signal.addEventListener('abort', giveUp, { once: true });
  if (signal.aborted) giveUp();
  try {
    await promise;
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}
