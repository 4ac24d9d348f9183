// An upgrade under load: a node of an earlier version serves clients, a node of this version starts on the same database and
// migrates it, both serve, the earlier one stops. Ends with 0 when no acknowledged write was lost or made twice and no
// answer was an error. The earlier version is the last one of CHANGELOG.md that has a tag, else the commit below.
// usage: node examples/upgrade/rehearse.mjs [COMMIT]   (after npm ci; DATABASE_URL may name a PostgreSQL server)
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { useNode24 } from '../node-24.mjs';
import { runAndUndo } from '../shared.mjs';
import { startNode, stopNode } from '../two-nodes/node.mjs';
import { checkOut, isThere } from './earlier.mjs';
import { makeLoad } from './load.mjs';

await useNode24();
const { makeDatabase } = await import('../two-nodes/database.mjs');

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The earlier version while the change log names none: the commit of the baseline. */
const EARLIER = '7118cb7f';
/** Load on the earlier node alone, on both, and on the new one alone. Milliseconds. */
const BEFORE_MS = 3_000;
const BOTH_MS = 15_000;
const AFTER_MS = 5_000;
const undo = [];

/** The tag of the newest released version of the change log, or a commit. A version without a tag is not released. */
function earlierVersion() {
  if (process.argv[2]) return process.argv[2];
  const log = join(ROOT, 'CHANGELOG.md');
  const versions = existsSync(log) ? readFileSync(log, 'utf8').matchAll(/^##\s+\[?(\d+\.\d+\.\d+)/gm) : [];
  return [...versions].map(([, version]) => `v${version}`).find(isThere) ?? EARLIER;
}

async function run() {
  const directory = mkdtempSync(join(tmpdir(), 'portico-upgrade-'));
  undo.push(() => rmSync(directory, { recursive: true, force: true }));
  const version = earlierVersion();
  console.log(`1. The earlier version: ${version}`);
  const earlierRoot = join(directory, 'earlier-version');
  checkOut(version, earlierRoot, undo);

  const database = await makeDatabase(directory);
  undo.push(() => database.remove());
  const settings = (name) => {
    const data = join(directory, name);
    mkdirSync(data, { mode: 0o700 });
    return { ...common, PORTICO_DATA_DIR: data };
  };
  const common = {
    DATABASE_URL: database.url,
    PORTICO_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    PORTICO_FILES_DIR: join(directory, 'files'),
    PORTICO_DEMO: 'true',
  };
  const start = async (name, root) => {
    const node = await startNode(name, settings(name), root);
    undo.push(() => stopNode(node));
    return node;
  };
  const earlier = await start('earlier', earlierRoot);
  console.log(`2. It serves at ${earlier.origin}, on ${database.description}`);
  const key = JSON.parse(readFileSync(join(directory, 'earlier', 'demo-service-account.json'), 'utf8'));
  const origins = [earlier.origin];
  const load = await makeLoad(origins, key);
  await load.warm();
  load.start();
  await sleep(BEFORE_MS);

  const next = await start('this-version', ROOT);
  console.log(`3. This version has migrated the database and serves beside it at ${next.origin}`);
  origins.push(next.origin);
  await sleep(BOTH_MS);
  // A proxy turns away from a node before it stops.
  origins.shift();
  const code = await stopNode(earlier);
  console.log(`4. The earlier node ended with ${code}`);
  await sleep(AFTER_MS);
  return report(await load.end(), [earlier, next], code);
}

/**
 * Prints the counts.
 * @returns the faults, a sentence each
 */
function report({ posts, lost, doubled, counts, faults }, nodes, code) {
  for (const [name, outcomes] of counts) {
    const answers = Object.entries(outcomes).map(([status, count]) => `${count} × ${status}`);
    console.log(`   ${name}: ${answers.join(', ')}`);
  }
  console.log(`5. ${posts} posts acknowledged, lost ${lost}, doubled ${doubled}, wrong answers ${faults.length}`);
  if (faults.length > 0) for (const node of nodes) console.log(node.output().slice(-4_000));
  const wrong = [...new Set(faults)].slice(0, 20);
  if (posts === 0) wrong.push('no post was written');
  if (lost > 0) wrong.push(`${lost} posts lack what was acknowledged`);
  if (doubled > 0) wrong.push(`${doubled} posts have something twice`);
  if (code !== 0) wrong.push(`the earlier node ended with ${code}`);
  return wrong;
}

process.exit(await runAndUndo(run, undo));
