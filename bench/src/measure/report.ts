import type { Results } from './results.ts';
/** What is kept: the last run of each size. */
export interface Kept {
  readonly runs: readonly Omit<Results, 'plans'>[];
}
export async function writeReport(_results: Results, _log: (line: string) => void): Promise<void> {}
