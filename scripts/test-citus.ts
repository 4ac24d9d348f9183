/**
 * Tests on a Citus cluster (`npm run test:citus`): what citus-files.ts lists, a short rehearsal of failures and a move to the cluster, with `--all` every
 * database test that holds there, or the arguments. Each statement that the service sends is explained
 * (apps/server/test/support/citus-statements.ts). The script that makes the cluster is not in the repository; without it, or
 * without Debian's packages that it builds on, one line says that nothing was run.
 * `PORTICO_TEST_CITUS` names a directory in which the cluster is kept; otherwise it is made for the run and removed.
 * `--exclusions` only prints arguments for a run on PostgreSQL that leaves out the listed files; nothing where no cluster can be made.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LISTED, NOT_ON_CITUS, WALKS } from './citus-files.ts';

const SCRIPT = new URL('../../shared/tools/citus-cluster.sh', import.meta.url).pathname;
/** Breaks the cluster under load, and moves a tenant. */
const REHEARSAL = new URL('../examples/citus/rehearse.mjs', import.meta.url).pathname;
/** Moves an installation there from an embedded PostgreSQL by way of a server. */
const MOVES = new URL('../examples/moves.mjs', import.meta.url).pathname;
const PG_CONFIG = '/usr/lib/postgresql/15/bin/pg_config';

/** Returns a missing requirement of the cluster, or undefined. */
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
const ALL = '--all';
const args = process.argv.slice(2);
if (args.includes('--exclusions')) {
  if (!reason) console.log(LISTED.flatMap((file) => ['--exclude', file]).join('\n'));
} else if (reason) {
  console.log(`NOT RUN: tests on Citus: ${reason}`);
} else {
  const directory = kept ?? mkdtempSync(join(tmpdir(), 'portico-citus-'));
  // An interrupt reaches the tests as well: their end is awaited before the cluster is removed.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  const all = args.includes(ALL);
  const listed = !all && !args.some((arg) => !arg.startsWith('-'));
  const excluded = Object.keys(NOT_ON_CITUS).flatMap((file) => ['--exclude', `**/${file}`]);
  let files: readonly string[] = listed ? LISTED : [];
  if (all) files = ['.db.test.ts', ...WALKS, ...excluded];
  const { status } = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', ...files, ...args.filter((arg) => arg !== ALL)],
    {
      stdio: 'inherit',
      env: { ...process.env, PORTICO_TEST_CITUS: directory, ...(all && { PORTICO_TEST_CITUS_COMPLETE: '1' }) },
    },
  );
  // In full: npm run rehearse:citus.
  const rehearsals =
    all || listed
      ? [
          [REHEARSAL, '--short', directory],
          [MOVES, '--citus', directory],
        ]
      : [];
  const failed = rehearsals.filter((words) => spawnSync(process.execPath, words, { stdio: 'inherit' }).status !== 0);
  if (!kept) {
    spawnSync('sh', [SCRIPT, 'stop', directory], { stdio: 'inherit' });
    rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
  }
  process.exitCode = status || (failed.length > 0 ? 1 : (status ?? 1));
}
