/**
 * Cost of one tenant's loads for another tenant: the detail of a post alone and beside each load,
 * in turn. The ratios to the times alone are the claim; the absolute figures are this machine's.
 */
import { type NeighboursBench, prepareNeighboursBench } from '@portico/server/testing';
import { askOnce, encodeRequest, type HttpRequest, type LoadFigures, runLoad } from './measure/load.ts';
import { median, withServer } from './measured-server.ts';

const POSTS = 100_000;
const LONG_POSTS = 20;
const LIGHT_CONNECTIONS = 1;
const ROUNDS = 3;
const SECONDS = 4;
/** Maximum ratio of a detail's time to its time alone. */
const CLAIM = 5;
/** Accepted p99 of a detail, however quick it is alone. Milliseconds. */
const ALWAYS_ALLOWED_MS = 50;

interface Load {
  readonly name: string;
  readonly connections: number;
  readonly request: (bench: NeighboursBench) => HttpRequest;
}

const LOADS: readonly Load[] = [
  { name: 'the dearest search, 64 connections', connections: 64, request: ({ list }) => list },
  { name: 'pages of 500 with capabilities, 64 connections', connections: 64, request: ({ pages }) => pages },
  { name: 'pages of 500 with capabilities, 8 connections', connections: 8, request: ({ pages }) => pages },
  { name: 'largest pages of the stream, 8 connections', connections: 8, request: ({ stream }) => stream },
  { name: '200 posts created by a request, 8 connections', connections: 8, request: ({ bulk }) => bulk },
  { name: 'workbooks of a list, 8 connections', connections: 8, request: ({ workbook }) => workbook },
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
      const run = (request: HttpRequest, connections: number, seconds: number) => {
        const bytes = encodeRequest(request);
        return runLoad({ port, connections, seconds, next: () => bytes });
      };
      for (let post = 0; post < LONG_POSTS; post++) await askOnce(port, bench.long);
      // Warm-up: plans are made, definitions and pages read.
      for (const { request } of LOADS) await run(request(bench), 4, 1);
      for (const load of LOADS) {
        const rounds: Beside[] = [];
        for (let round = 0; round < ROUNDS; round++) {
          const alone = await run(bench.detail, LIGHT_CONNECTIONS, SECONDS);
          const loading = run(load.request(bench), load.connections, SECONDS + 1);
          const beside = await run(bench.detail, LIGHT_CONNECTIONS, SECONDS);
          rounds.push({ alone, beside, load: await loading });
        }
        tell(load.name, rounds);
      }
    },
  );
}

function tell(name: string, rounds: readonly Beside[]): void {
  for (const { alone, beside } of rounds)
    for (const { refused, lost, firstRefusal } of [alone, beside])
      if (refused + lost > 0) throw new Error(`${refused} details refused, ${lost} lost: ${firstRefusal}`);
  const of = (key: 'alone' | 'beside' | 'load', figure: 'p50' | 'p99' | 'perSecond') =>
    median(rounds.map((round) => round[key][figure]));
  const times = of('beside', 'p50') / of('alone', 'p50');
  const holds = times <= CLAIM && of('beside', 'p99') <= Math.max(CLAIM * of('alone', 'p99'), ALWAYS_ALLOWED_MS);
  if (!holds) process.exitCode = 1;
  const ms = (key: 'alone' | 'beside', figure: 'p50' | 'p99') => `${of(key, figure).toFixed(1)} ms`;
  process.stdout.write(
    `${name}: p50 ${ms('alone', 'p50')} → ${ms('beside', 'p50')} (${times.toFixed(1)} times), p99 ${ms('alone', 'p99')} → ${ms('beside', 'p99')}; ${of('load', 'perSecond').toFixed(1)} requests/s of the load${holds ? '' : ': FAILED'}\n`,
  );
}
