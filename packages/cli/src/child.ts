/** Runs a script as a process of its own, in place of this one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';

/** Signals that end or restart the script; this process ends with it. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs a script with the terminal of this process.
 * @param words flags of Node.js, the script, its arguments
 * @returns its exit code
 */
export async function runScript(words: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, words, { stdio: 'inherit' });
  // On a terminal the script gets Ctrl-C itself, and does nothing at the second signal.
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  return signal ? 128 + constants.signals[signal] : (code ?? 1);
}
