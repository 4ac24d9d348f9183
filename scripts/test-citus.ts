/**
 * Tests on a Citus cluster (`npm run test:citus`): the files below and a short rehearsal of failures, or the arguments. The
 * script that makes the cluster is not in the repository; without it, or without Debian's packages that it builds on, one line
 * says that nothing was run.
 * `PORTICO_TEST_CITUS` names a directory in which the cluster is kept; otherwise it is made for the run and removed.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What `vitest run` takes: parts of paths. Each of these files passes on Citus. */
const FILES = [
  'modules/tasks/tasks',
  'modules/workflow/workflow',
  'operator/nodes/nodes',
  'posts/writing/create-post.',
  'posts/writing/edit-post',
  'posts/writing/event-post',
];

const SCRIPT = new URL('../../shared/tools/citus-cluster.sh', import.meta.url).pathname;
/** Breaks the cluster under load, and moves a tenant. */
const REHEARSAL = new URL('../examples/citus/rehearse.mjs', import.meta.url).pathname;
const PG_CONFIG = '/usr/lib/postgresql/15/bin/pg_config';

/** What the cluster cannot be made without, or nothing. */
function missing(kept: string | undefined): string | undefined {
  if (!existsSync(SCRIPT)) return 'no script for a cluster beside the repository';
  if (kept && existsSync(join(kept, 'server/built'))) return undefined;
  if (!existsSync(PG_CONFIG)) return 'postgresql-15 is not installed';
  const headers = execFileSync(PG_CONFIG, ['--includedir-server'], { encoding: 'utf8' }).trim();
  if (!existsSync(join(headers, 'postgres.h'))) return 'postgresql-server-dev-15 is not installed';
  for (const program of ['gcc', 'make', 'xz'])
    if (spawnSync(program, ['--version']).error) return `${program} is not installed`;
  return undefined;
}

const kept = process.env['PORTICO_TEST_CITUS'];
const reason = missing(kept);
if (reason) {
  console.log(`NOT RUN: tests on Citus: ${reason}`);
} else {
  const directory = kept ?? mkdtempSync(join(tmpdir(), 'portico-citus-'));
  // An interrupt reaches the tests as well: their end is awaited before the cluster is removed.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  const args = process.argv.slice(2);
  const all = !args.some((arg) => !arg.startsWith('-'));
  const { status } = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', ...(all ? FILES : []), ...args],
    { stdio: 'inherit', env: { ...process.env, PORTICO_TEST_CITUS: directory } },
  );
  // In full: npm run rehearse:citus.
  const rehearsal = all
    ? spawnSync(process.execPath, [REHEARSAL, '--short', directory], { stdio: 'inherit' }).status
    : 0;
  if (!kept) {
    spawnSync('sh', [SCRIPT, 'stop', directory], { stdio: 'inherit' });
    rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
  }
  process.exitCode = status || (rehearsal ?? 1);
}
