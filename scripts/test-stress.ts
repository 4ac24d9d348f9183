/**
 * Runs layers of tests five times each to find tests that fail by chance (`npm run test:stress`). Arguments name layers
 * (`unit`, `modules`, `system`; default unit and modules); other arguments select files by a part of their paths. Each round
 * shuffles the files and the tests within them, has another time zone and locale, and keeps all cores loaded beside it.
 * Ends, when it is interrupted too, with a table of the runs, and with 1 when a test failed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Layer, layers } from './test-layers.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Surroundings of each round. A locale need not be installed: Node.js formats by its name all the same. */
const ROUNDS = [
  { timeZone: 'Pacific/Kiritimati', locale: 'tr_TR.UTF-8' },
  { timeZone: 'America/St_Johns', locale: 'C' },
  { timeZone: 'Asia/Kathmandu', locale: 'ar_EG.UTF-8' },
  { timeZone: 'Pacific/Pago_Pago', locale: 'de_DE.UTF-8' },
  { timeZone: 'Australia/Lord_Howe', locale: 'ja_JP.UTF-8' },
] as const;

interface Run {
  readonly layer: Layer;
  readonly round: number;
  readonly seed: number;
  readonly tests: number;
  readonly seconds: number;
  /** File and name of each test that failed; the file alone where it could not run. */
  readonly failed: readonly string[];
}

/** The part of the JSON report that counts. */
interface Report {
  numTotalTests: number;
  testResults: {
    name: string;
    status: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
}

const children = new Set<ChildProcess>();

function start(command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): ChildProcess {
  const child = spawn(command, args, { cwd: ROOT, env, stdio: ['ignore', 'inherit', 'inherit'] });
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

function endAll(): void {
  for (const child of children) child.kill();
}

function failuresOf({ testResults }: Report): string[] {
  return testResults.flatMap(({ name, status, assertionResults }) => {
    const file = name.replace(ROOT, '');
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length === 0) return status === 'failed' ? [file] : [];
    return failed.map(({ fullName }) => `${file}: ${fullName}`);
  });
}

async function run(layer: Layer, round: number, files: readonly string[], folder: string): Promise<Run> {
  const { timeZone, locale } = ROUNDS[round]!;
  const seed = Math.floor(Math.random() * 2 ** 31);
  const output = join(folder, `${layer}-${round}.json`);
  const begin = performance.now();
  console.log(`\n== ${layer}, round ${round + 1}: seed ${seed}, ${timeZone}, ${locale}`);
  const env = {
    ...process.env,
    TZ: timeZone,
    LANG: locale,
    LC_ALL: locale,
    PORTICO_TEST_SHUFFLE: String(seed),
  };
  const reporters = ['--reporter=minimal', '--reporter=json', `--outputFile.json=${output}`];
  const child = start(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', '--project', `${layer}*`, '--passWithNoTests', ...reporters, ...files],
    env,
  );
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  const seconds = Math.round((performance.now() - begin) / 1000);
  const report = JSON.parse(readFileSync(output, 'utf8')) as Report;
  const failed = failuresOf(report);
  // An error between tests, such as an unhandled rejection, belongs to none of them.
  if (code !== 0 && failed.length === 0) failed.push(`vitest ended with ${code}`);
  return { layer, round, seed, tests: report.numTotalTests, seconds, failed };
}

function print(runs: readonly Run[]): void {
  console.log('\nlayer    round        seed  time zone            locale       tests  failed  seconds');
  for (const { layer, round, seed, tests, seconds, failed } of runs) {
    const { timeZone, locale } = ROUNDS[round]!;
    const cells = [
      layer.padEnd(7),
      String(round + 1).padStart(6),
      String(seed).padStart(12),
      ` ${timeZone.padEnd(20)}`,
      locale.padEnd(11),
      String(tests).padStart(6),
      String(failed.length).padStart(7),
      String(seconds).padStart(8),
    ];
    console.log(cells.join(' '));
  }
  for (const { layer, round, seed, failed } of runs) {
    if (failed.length === 0) continue;
    console.log(
      `\n${layer}, round ${round + 1}; the same order again: PORTICO_TEST_SHUFFLE=${seed} npx vitest run FILE`,
    );
    for (const name of failed) console.log(`  ${name}`);
  }
  const count = runs.reduce((sum, { failed }) => sum + failed.length, 0);
  console.log(`\n${runs.length} runs, ${count} failures`);
  if (count > 0) process.exitCode = 1;
}

const args = process.argv.slice(2);
const isLayer = (arg: string): arg is Layer => Object.hasOwn(layers, arg);
const named = args.filter(isLayer);
const chosen: readonly Layer[] = named.length > 0 ? named : ['unit', 'modules'];
const files = args.filter((arg) => !isLayer(arg));
const runs: Run[] = [];
const folder = mkdtempSync(join(tmpdir(), 'portico-stress-'));
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    endAll();
    print(runs);
    process.exit(1);
  });
try {
  for (let core = 0; core < availableParallelism(); core++) start(process.execPath, ['-e', 'for (;;);']);
  for (const layer of chosen)
    for (let round = 0; round < ROUNDS.length; round++) runs.push(await run(layer, round, files, folder));
  print(runs);
} finally {
  endAll();
  rmSync(folder, { recursive: true, force: true });
}
