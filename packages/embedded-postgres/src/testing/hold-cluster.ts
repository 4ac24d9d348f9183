// A stand-in for the server, for tests that need one to kill: starts (or opens) the database of a data directory, prints
// one line of JSON, holds on until SIGTERM, stops and ends.
//   node hold-cluster.ts start|open DATA_DIR [JSON with further options]

import type { EmbeddedPostgresOptions } from '../index.ts';
import { EmbeddedPostgresError, openEmbeddedPostgres, startEmbeddedPostgres } from '../index.ts';

const [how, dataDir = '', json = '{}'] = process.argv.slice(2);
const further = JSON.parse(json) as Partial<EmbeddedPostgresOptions>;
const bring = how === 'open' ? openEmbeddedPostgres : startEmbeddedPostgres;
const say = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`);

try {
  const begun = performance.now();
  const postgres = await bring({
    dataDir,
    log: (line) => process.stderr.write(`${JSON.stringify(line)}\n`),
    ...further,
  });
  const { pid, adopted, version, clusterDir, connection } = postgres;
  const milliseconds = Math.round(performance.now() - begun);
  const hold = setInterval(() => undefined, 60_000);
  process.once('SIGTERM', () => {
    clearInterval(hold);
    postgres.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
      },
    );
  });
  // Last: the reader may send the signal at once.
  say({ pid, adopted, version, clusterDir, connection, milliseconds });
} catch (error) {
  if (!(error instanceof EmbeddedPostgresError)) throw error;
  say({ error: { code: error.code, message: error.message } });
  process.exitCode = 1;
}
