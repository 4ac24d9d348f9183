/** Writes the results of a run: the table for machines, the plans, and the pages for people. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { Results } from './results.ts';
import { markedTables } from './small-tables.ts';
import {
  apartTable,
  groupsOfLists,
  growthTable,
  listTables,
  memoryTable,
  operationTable,
  pageTable,
  summaryTable,
  totalTable,
  touchedTable,
} from './tables.ts';
import { assess } from './targets.ts';

/** The kept results: the last run of each size. */
interface Kept {
  readonly runs: readonly Omit<Results, 'plans'>[];
}

const BENCH = new URL('../../', import.meta.url);
/** The table that `--compare` compares with. */
const TABLE = new URL('generated/performance.json', BENCH);
const PLANS = new URL('generated/plans/', BENCH);
/** Written pages, by their template. */
const PAGES: readonly (readonly [template: URL, page: URL])[] = ['performance', 'performance-appendix'].map((name) => [
  new URL(`${name}.template.md`, BENCH),
  new URL(`../docs/${name}.md`, BENCH),
]);

/** Reads the kept table; returns a table without runs if there is none yet. */
export async function readKept(): Promise<Kept> {
  try {
    return JSON.parse(await readFile(TABLE, 'utf8')) as Kept;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { runs: [] };
    throw error;
  }
}

/** @param met undefined: not measured */
function inWords(met: boolean | undefined, [unmeasured, yes, no]: readonly [string, string, string]): string {
  if (met === undefined) return unmeasured;
  return met ? yes : no;
}

/**
 * Keeps a run, replacing an earlier one of its size, and writes the page from the largest kept run.
 */
export async function writeReport({ plans, ...found }: Results, log: (line: string) => void): Promise<void> {
  const kept = (await readKept()).runs;
  const others = kept.filter(({ posts }) => posts !== found.posts);
  const before = kept.find(({ posts }) => posts === found.posts);
  // A brief run removes no results of a whole one; an operation that could not be measured then and
  // was measured now is no fault.
  const again = (fault: string) => found.operations.some(({ name }) => fault.startsWith(`${name}: `));
  const run =
    before && found.lists.length === 0
      ? {
          ...before,
          operations: found.operations,
          again: { date: found.date, minutes: found.minutes, seconds: found.seconds, rounds: found.rounds },
          faults: [...before.faults.filter((fault) => !again(fault)), ...found.faults],
        }
      : found;
  const runs = [...others, run].sort((a, b) => a.posts - b.posts);
  await mkdir(PLANS, { recursive: true });
  await writeFile(TABLE, asLines({ runs }));
  if (runs.at(-1) === run) {
    for (const [file, texts] of plans) await writeFile(new URL(`${file}.txt`, PLANS), `${texts.join('\n')}\n`);
    await writePages(run);
  }
  for (const { target, met, found } of assess({ ...run, plans }))
    log(`${inWords(met, ['—     ', 'met   ', 'MISSED'])} ${target}: ${found}`);
  log('written: docs/performance.md, docs/performance-appendix.md, bench/generated/');
}

/** Writes the pages anew from the kept table. */
async function writePages(run: Kept['runs'][number]): Promise<void> {
  const results: Results = { ...run, plans: new Map() };
  const small = await markedTables();
  const { machine } = run;
  const gibibytes = (bytes: number) => `${(bytes / 2 ** 30).toFixed(1)} GiB`;
  const parts: Readonly<Record<string, () => string>> = {
    posts: () => run.posts.toLocaleString('en'),
    machine: () =>
      `${machine.cores} cores (${machine.cpu}), ${gibibytes(machine.memory)} of memory, ${machine.system}, Node.js ${machine.node}, PostgreSQL ${machine.postgres} with ${machine.sharedBuffers} of shared buffers`,
    run: () =>
      `${run.date}, ${run.minutes} minutes; ${run.rounds} rounds of ${run.seconds} s a load; ${run.pool} database connections on either side${run.again ? `; the figures of the operations are of a run of their own on the same data, ${run.again.date}, ${run.again.minutes} minutes, ${run.again.rounds} rounds of ${run.again.seconds} s` : ''}`,
    data: () =>
      `${Object.entries(run.counts)
        .filter(([, count]) => count > 0)
        .map(([table, count]) => `${count.toLocaleString('en')} ${table}`)
        .join(', ')}; ${gibibytes(run.build.bytes)} on disk, built in ${Math.round(run.build.seconds / 60)} minutes`,
    targets: () =>
      [
        '| target | | figures |',
        '|---|---|---|',
        ...run.faults.map(
          (fault) => `| Everything can be measured | **missed** | ${fault.slice(0, 300).replaceAll('|', '/')} |`,
        ),
        ...assess(results).map(
          ({ target, met, found }) =>
            `| ${target} | ${inWords(met, ['not measured', 'met', '**missed**'])} | ${found} |`,
        ),
      ].join('\n'),
    ten: () => summaryTable(results),
    operations: () => operationTable(results),
    touched: () => touchedTable(results),
    groups: () => groupsOfLists(results),
    lists: () => listTables(results),
    pages: () => pageTable(results),
    totals: () => totalTable(results),
    apart: () => apartTable(results),
    memory: () => memoryTable(results),
    growth: () => growthTable(results),
    neighbours: () => small.neighbours,
    loop: () => small.loop,
  };
  for (const [template, page] of PAGES) {
    const text = await readFile(template, 'utf8');
    await writeFile(
      page,
      text
        .replaceAll(/\{\{(\w+)\}\}/g, (whole, name: string) => parts[name]?.() ?? whole)
        .replace('<!-- template -->', '<!-- Written by `npm run bench`: edit the template in bench/ instead. -->'),
    );
  }
}

/** JSON with one line for each element of the larger lists, so that a change is seen where it is. */
function asLines(kept: Kept): string {
  const runs = kept.runs.map((run) => {
    const members = Object.entries(run).map(([name, value]) => {
      const elements = Array.isArray(value)
        ? `[\n${value.map((element) => `   ${JSON.stringify(element)}`).join(',\n')}\n  ]`
        : JSON.stringify(value);
      return `  ${JSON.stringify(name)}: ${elements}`;
    });
    return ` {\n${members.join(',\n')}\n }`;
  });
  return `{"runs": [\n${runs.join(',\n')}\n]}\n`;
}
