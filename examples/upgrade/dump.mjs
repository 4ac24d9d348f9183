// Writes the data of a first start of an earlier version, with its demo, as compressed SQL that a test upgrades:
// apps/server/test/upgrade/VERSION.sql.gz. Secrets are encrypted by the key of tests; people have random passwords.
// usage: DATABASE_URL=… node examples/upgrade/dump.mjs COMMIT FILE   (a server for whose version pg_dump is in PATH)
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { runAndUndo } from '../shared.mjs';
import { makeDatabase } from '../two-nodes/database.mjs';
import { startNode, stopNode } from '../two-nodes/node.mjs';
import { checkOut } from './earlier.mjs';

const [version, file] = process.argv.slice(2);
/** As in apps/server/test/support/encryption.ts. */
const KEY = createHash('sha256').update('tests and benches').digest('base64');
/** Tables without rows in the dump: secrets of the installation, and sign-ins. */
const EMPTY = ['portico_owner_secrets', 'sessions'];
const DUMP = ['--no-owner', '--no-privileges', '--inserts', '--rows-per-insert=100'];
const undo = [];

async function run() {
  const directory = mkdtempSync(join(tmpdir(), 'portico-dump-'));
  undo.push(() => rmSync(directory, { recursive: true, force: true }));
  const root = join(directory, 'earlier-version');
  checkOut(version, root, undo);
  const database = await makeDatabase(directory);
  undo.push(() => database.remove());
  const data = join(directory, 'data');
  mkdirSync(data, { mode: 0o700 });
  const settings = {
    DATABASE_URL: database.url,
    PORTICO_ENCRYPTION_KEYS: KEY,
    PORTICO_DATA_DIR: data,
    PORTICO_DEMO: 'true',
  };
  await stopNode(await startNode('earlier', settings, root));
  const server = new URL(process.env.DATABASE_URL);
  server.pathname = /\/([a-z0-9_]+)\?/.exec(database.url)[1];
  const args = [...DUMP, ...EMPTY.map((table) => `--exclude-table-data=${table}`), `--dbname=${server.href}`];
  const sql = execFileSync('pg_dump', args, { maxBuffer: 2 ** 30 }).toString();
  // Commands of psql, which the test is not.
  const plain = sql.replaceAll(/^\\.*\n/gm, '');
  const packed = gzipSync(plain, { level: 9 });
  writeFileSync(file, packed);
  console.log(`${file}: ${plain.length} bytes of SQL, ${packed.length} compressed`);
  return [];
}

process.exit(await runAndUndo(run, undo));
