/** Finding out how well this system can keep a process that looks at files from its neighbours. */
import { once } from 'node:events';
import { existsSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Isolation, isOpenToOthers, launch } from './launch.ts';
import { makeWorkplace, removeWorkplace, type Workplace } from './workplace.ts';

const SCRIPT = fileURLToPath(new URL('./isolation-check.ts', import.meta.url));
const LIMITS = { memoryBytes: 1024 ** 3, jobMs: 30_000 };
/** Longest reason of a failed start that is kept. UTF-16 units */
const REASON_LENGTH = 300;

/** The isolation that works here, and why a better one does not. */
interface ChosenIsolation {
  readonly isolation: Isolation;
  /**
   * Directories that processes that look at files must not reach, and whose owners they must not
   * be.
   */
  readonly hidden: readonly string[];
  /** Phrases of the system, one for each kind that was tried in vain. */
  readonly reasons: readonly string[];
}

let hidden: readonly string[] = [];
let chosen: Promise<ChosenIsolation> | undefined;

/**
 * Names directories of the server, from which all processes that look at files are kept from now
 * on.
 */
export function keepFrom(directories: readonly string[]): void {
  hidden = directories;
  chosen = undefined;
}

/**
 * Finds the best isolation that works on this system, at the first call, which takes as long as a
 * process needs to start.
 * @throws the system's error where no temporary directory can be made; the next call tries again
 */
export function chooseIsolation(): Promise<ChosenIsolation> {
  chosen ??= find(hidden.filter(existsSync).map((path) => realpathSync(path))).catch((error: unknown) => {
    chosen = undefined;
    throw error;
  });
  return chosen;
}

/**
 * Tells the operator where nothing keeps a broken decoder from the server and its database;
 * undefined elsewhere.
 */
export function isolationWarning({ isolation, reasons }: ChosenIsolation): string | undefined {
  if (isolation.account || isolation.namespaces) return undefined;
  return (
    'files of users are decoded as the user of the server, which a flaw in a decoder would reach with its database: ' +
    `this system gives neither another account nor namespaces (${reasons.at(-1)}); see docs/security.md`
  );
}

/**
 * Starts a process that loads the native packages with each kind of isolation, the best first,
 * until one works.
 */
async function find(hidden: readonly string[]): Promise<ChosenIsolation> {
  const none = { account: false, namespaces: false };
  if (process.platform !== 'linux') return { isolation: none, hidden, reasons: ['only Linux has them'] };
  const reasons: string[] = [];
  const place = makeWorkplace(hidden);
  try {
    for (const isolation of candidates(place)) {
      const reason = await attempt(place, isolation, hidden);
      if (reason === undefined) return { isolation, hidden, reasons };
      reasons.push(reason);
    }
    return { isolation: none, hidden, reasons };
  } finally {
    removeWorkplace(place);
  }
}

function candidates(place: Workplace): Isolation[] {
  const namespaces = { account: false, namespaces: true };
  if (place.account === undefined) return [namespaces];
  const account = { account: true, namespaces: false };
  return [{ account: true, namespaces: true }, ...(isOpenToOthers(place) ? [account] : []), namespaces];
}

/** @returns why it does not work, or undefined where it does */
async function attempt(place: Workplace, isolation: Isolation, hidden: readonly string[]): Promise<string | undefined> {
  const signal = AbortSignal.timeout(LIMITS.jobMs);
  try {
    const child = launch(place, { script: SCRIPT, limits: LIMITS, native: true, isolation, hidden, told: true });
    let said = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(0, REASON_LENGTH);
    });
    try {
      const ended = once(child, 'close', { signal }).then(() => 'ended');
      if ((await Promise.race([once(child, 'message', { signal }), ended])) === 'ended')
        return said.trim().replaceAll(/\s+/g, ' ') || 'the process ended at once';
      child.kill('SIGKILL');
      await ended;
      return undefined;
    } finally {
      child.kill('SIGKILL');
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
