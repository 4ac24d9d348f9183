/**
 * Cost of one tenant's loads for another tenant: the detail of a post alone and beside each load,
 * in turn. The ratios to the times alone are the claim; the absolute figures are this machine's.
 */
import { setTimeout } from 'node:timers/promises';
import { TextFormat } from '@portico/contract';
import { type NeighboursBench, prepareNeighboursBench } from '@portico/server/testing';
import { askOnce, encodeRequest, type HttpRequest, type LoadFigures, runLoad } from './measure/load.ts';
import { keepTable } from './measure/small-tables.ts';
import { median, withServer } from './measured-server.ts';

const POSTS = 100_000;
const LONG_POSTS = 20;
const IMPORTED_ROWS = 50_000;
const LIGHT_CONNECTIONS = 1;
const ROUNDS = 3;
const SECONDS = 4;
/** Maximum ratio of a detail's time to its time alone. */
const CLAIM = 5;
/** Accepted p99 of a detail, however quick it is alone. Milliseconds. */
const ALWAYS_ALLOWED_MS = 50;

interface Load {
  readonly name: string;
  /** Puts the load on the server until the time is over. */
  readonly run: (bench: NeighboursBench, port: number, seconds: number) => Promise<LoadFigures>;
}

/** A load of connections that repeat one request. */
function repeated(
  name: string,
  connections: number,
  request: (bench: NeighboursBench, port: number) => HttpRequest | Promise<HttpRequest>,
): Load {
  return {
    name: `${name}, ${connections} connections`,
    run: async (bench, port, seconds) => {
      const bytes = encodeRequest(await request(bench, port));
      return runLoad({ port, connections, seconds, next: () => bytes });
    },
  };
}

const LOADS: readonly Load[] = [
  repeated('the dearest search', 64, ({ list }) => list),
  repeated('pages of 500 with capabilities', 64, ({ pages }) => pages),
  repeated('pages of 500 with capabilities', 8, ({ pages }) => pages),
  repeated('largest pages of the stream', 8, ({ stream }) => stream),
  repeated('200 posts created by a request', 8, ({ bulk }) => bulk),
  repeated('workbooks of a list', 8, ({ workbook }) => workbook),
  repeated('differences of long texts', 8, longDifferences),
  { name: `an import of ${IMPORTED_ROWS} rows`, run: runImport },
];

interface Beside {
  readonly alone: LoadFigures;
  readonly beside: LoadFigures;
  readonly load: LoadFigures;
}

/** Measures every load; sets the exit code if a claim does not hold. */
export async function measureNeighbours(): Promise<void> {
  await withServer(
    (env) => prepareNeighboursBench(env, POSTS),
    async (bench, { port }) => {
      const rows: string[] = [];
      const detail = encodeRequest(bench.detail);
      const open = () => runLoad({ port, connections: LIGHT_CONNECTIONS, seconds: SECONDS, next: () => detail });
      for (let post = 0; post < LONG_POSTS; post++) await askOnce(port, bench.long);
      for (const load of LOADS) {
        // All is warm: plans are made, definitions and pages read.
        await load.run(bench, port, 1);
        const rounds: Beside[] = [];
        for (let round = 0; round < ROUNDS; round++) {
          const alone = await open();
          const loading = load.run(bench, port, SECONDS + 1);
          const beside = await open();
          rounds.push({ alone, beside, load: await loading });
        }
        rows.push(tell(load.name, rounds));
      }
      await keepTable('neighbours', [
        '| load | p50 alone → beside | p99 alone → beside | requests of the load | goal |',
        '|---|---|---|---|---|',
        ...rows,
      ]);
    },
  );
}

/** Prints the figures of a load. @returns their row of the table */
function tell(name: string, rounds: readonly Beside[]): string {
  for (const { alone, beside } of rounds)
    for (const { refused, lost, firstRefusal } of [alone, beside])
      if (refused + lost > 0) throw new Error(`${refused} details refused, ${lost} lost: ${firstRefusal}`);
  const of = (key: 'alone' | 'beside' | 'load', figure: 'p50' | 'p99' | 'perSecond' | 'answers') =>
    median(rounds.map((round) => round[key][figure]));
  const times = of('beside', 'p50') / of('alone', 'p50');
  const holds = times <= CLAIM && of('beside', 'p99') <= Math.max(CLAIM * of('alone', 'p99'), ALWAYS_ALLOWED_MS);
  if (!holds) process.exitCode = 1;
  const ms = (key: 'alone' | 'beside', figure: 'p50' | 'p99') => `${of(key, figure).toFixed(1)} ms`;
  process.stdout.write(
    `${name}: p50 ${ms('alone', 'p50')} → ${ms('beside', 'p50')} (${times.toFixed(1)} times), p99 ${ms('alone', 'p99')} → ${ms('beside', 'p99')}; ${of('load', 'perSecond').toFixed(1)} requests/s of the load${holds ? '' : ': FAILED'}\n`,
  );
  const rate = of('load', 'answers') > 0 ? `${of('load', 'perSecond').toFixed(0)}/s` : '–';
  return `| ${name} | ${ms('alone', 'p50')} → ${ms('beside', 'p50')} (${times.toFixed(1)} ×) | ${ms('alone', 'p99')} → ${ms('beside', 'p99')} | ${rate} | ${holds ? 'met' : '**missed**'} |`;
}

let compared: HttpRequest | undefined;

/** A comparison of two versions of a post whose texts have no word in common. */
async function longDifferences({ manager, long }: NeighboursBench, port: number): Promise<HttpRequest> {
  if (compared) return compared;
  const posts = '/portal/api/communication/posts';
  const ask = async (path: string, body: unknown, headers = manager) =>
    JSON.parse(await askOnce(port, { method: 'POST', path: posts + path, headers, body: JSON.stringify(body) }));
  const { postId, nextOccToken } = JSON.parse(await askOnce(port, { ...long, headers: manager }));
  await ask(`/manage/patch-post/${postId}`, {
    occToken: nextOccToken,
    description: Array.from({ length: 60_000 }, (_, n) => `other${n}`).join(' '),
    descriptionFormat: TextFormat.PLAIN_TEXT,
  });
  const { items } = await ask(`/data/versions/${postId}`, {});
  const fromVersion = items.at(-1).versionNumber;
  compared = {
    method: 'POST',
    path: `${posts}/data/compare-versions/${postId}`,
    headers: manager,
    body: JSON.stringify({ fromVersion }),
  };
  return compared;
}

let imports = 0;

/** Runs an import in the background for the time, then cancels it. The figures are those of an idle load. */
async function runImport(
  { manager, communityId }: NeighboursBench,
  port: number,
  seconds: number,
): Promise<LoadFigures> {
  const name = `rows-${++imports}`;
  const rows = Array.from({ length: IMPORTED_ROWS }, (_, n) => `${name}-${n},"Row ${n} of a file that is imported"`);
  const file = new Blob([`id,title\n${rows.join('\n')}\n`]);
  const ask = async (path: string, body: unknown) =>
    JSON.parse(
      (await askOnce(port, {
        method: 'POST',
        path: `/portal/api${path}`,
        headers: manager,
        body: JSON.stringify(body),
      })) || '{}',
    );
  const upload = await ask('/core/storage/upload-new-attachment', {});
  const form = new FormData();
  for (const [key, value] of Object.entries<string>(upload.uploadMultipartRequestBodyParams)) form.append(key, value);
  form.append('file', file, `${name}.csv`);
  const { pathname, search } = new URL(upload.uploadUrl, 'http://localhost');
  const encoded = new Response(form);
  await askOnce(port, {
    method: 'POST',
    path: pathname + search,
    headers: { host: manager['host']!, 'content-type': encoded.headers.get('content-type')! },
    body: await encoded.text(),
  });
  const { id } = await ask(`/admin/manage/communities/${communityId}/imports`, {
    contentRef: upload.contentRef,
    fileName: `${name}.csv`,
    mapping: 'externalId: id\ntitle: title\n',
  });
  await setTimeout(seconds * 1_000);
  const { state, progress } = await ask(`/admin/manage/imports/${id}/cancel`, {});
  process.stdout.write(`  ${state} ${JSON.stringify(progress ?? null)}\n`);
  return { perSecond: 0, answers: 0, refused: 0, lost: 0, p50: 0, p95: 0, p99: 0, max: 0, bytesPerAnswer: 0 };
}
