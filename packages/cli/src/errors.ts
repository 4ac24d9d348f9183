/** Errors of the command line and the exit codes they end with (docs/cli.md). */

/** Exit codes by kind of failure. */
export const exitCodes = { ok: 0, failed: 1, usage: 2 } as const;

/** Something the user of the command can mend: wrong words, a missing file, a name that is taken. */
export class UsageError extends Error {
  override name = 'UsageError';
}
