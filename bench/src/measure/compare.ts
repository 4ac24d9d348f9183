/** Compares ratios, never times, with the committed table. */
import { readKept } from './report.ts';
import type { Results } from './results.ts';

/**
 * Tolerated fall of a ratio: it counts as fallen if it lost more than this share and more than this
 * amount. On two busy cores, ratios of medians of three rounds differ by a tenth between runs.
 */
const TOLERANCE = { share: 0.2, absolute: 0.05 };

/** Whether a ratio has fallen by more than chance. */
export function fell(before: number, now: number): boolean {
  return now < before * (1 - TOLERANCE.share) && now < before - TOLERANCE.absolute;
}

/** The p99 ratio compares two rare events: it counts only if it doubled and is above the target. */
function roseAtTheEnd(before: number, now: number): boolean {
  return now > 2 * before && now > 2.5;
}

/**
 * Prints the fallen ratios, and the operations of the table that were not measured.
 * @param only the requested operations
 * @returns the exit code: 1 if a ratio fell
 */
export async function compareRun(
  results: Results,
  log: (line: string) => void,
  only: RegExp | undefined,
): Promise<number> {
  const kept = await readKept();
  const before = kept.runs.find((run) => run.posts === results.posts);
  if (!before) {
    log(`The table has no run with ${results.posts} posts, but with ${kept.runs.map((run) => run.posts).join(', ')}`);
    return 2;
  }
  let worse = results.faults.length;
  let compared = 0;
  for (const { name, levels } of results.operations) {
    const known = before.operations.find((operation) => operation.name === name);
    for (const { connections, ratio, p99Ratio, portico } of levels) {
      const level = known?.levels.find((candidate) => candidate.connections === connections);
      if (!level) continue;
      compared += 1;
      const slowEnd = roseAtTheEnd(level.p99Ratio, p99Ratio);
      const bad = fell(level.ratio, ratio) || slowEnd || portico.failed > level.portico.failed;
      if (bad) worse += 1;
      const percent = (value: number) => `${Math.round(value * 100)}%`;
      log(
        `${bad ? 'FELL' : 'ok  '} ${name}, ${connections} connections: ${percent(ratio)} of the limit, was ${percent(level.ratio)}${slowEnd ? `, p99 ${p99Ratio} × the limit’s, was ${level.p99Ratio} ×` : ''}${portico.failed > 0 ? `, ${portico.failed} requests failed` : ''}`,
      );
    }
  }
  for (const { name } of before.operations) {
    if ((only && !only.test(name)) || results.operations.some((operation) => operation.name === name)) continue;
    worse += 1;
    log(`GONE ${name}: in the table, not measured`);
  }
  if (compared === 0) {
    log('nothing was compared');
    return 2;
  }
  log(
    `${compared} ratios compared; ${worse} fell by more than ${TOLERANCE.share * 100}% of what they were, are gone, or failed`,
  );
  return worse > 0 ? 1 : 0;
}
