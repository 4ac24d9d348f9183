/**
 * A single process against two: the processor time of a request on the server, its database and the
 * load counted separately, and requests a second, in turn on the same data. If all share two cores,
 * two processes must not be slower; they are quicker only if database and load have their own
 * cores.
 */
import { spawn } from 'node:child_process';
import { prepareWriteBench } from '@portico/server/testing';
import { askOnce, encodeRequest, runLoad } from './measure/load.ts';
import { cpuOfNode } from './measure/usage.ts';
import { median, portOf, SERVER_ARGUMENTS, stop, withDataDirectory } from './measured-server.ts';

const CONNECTIONS = 8;
/** Warm-up requests of each process: compiled code decides the cost of a request. */
const WARM_UP = 4_000;
const MEASURED = 6_000;
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
/** Maximum increase of a request's processor time with two processes. */
const MOST_MORE = 0.1;

interface Side {
  readonly perSecond: number;
  /** Processor time of a request on the server. Milliseconds. */
  readonly cpu: number;
}

export async function measureSeveral(): Promise<void> {
  await withDataDirectory(prepareWriteBench, async ({ path, token, body }, env) => {
    const sides: Readonly<Record<number, Side[]>> = { 1: [], 2: [] };
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    for (let round = 0; round < ROUNDS; round++) {
      for (const processes of [1, 2]) {
        const server = spawn(process.execPath, [...SERVER_ARGUMENTS], {
          env: { ...env, PORTICO_PROCESSES: String(processes) },
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        try {
          const port = Number(await portOf(server));
          await askOnce(port, { method: 'POST', path, headers, body: JSON.stringify(body) });
          const list = path.replace('manage/create-post/', 'data/list/community/');
          const page = await askOnce(port, { method: 'POST', path: list, headers, body: '{"pageSize":1}' });
          const { items } = JSON.parse(page) as { items: [{ id: number }] };
          const detail = path.replace(/manage\/create-post\/.*/, `data/post-detail-by-id/${items[0].id}`);
          const get = encodeRequest({ method: 'GET', path: detail, headers });
          const load = (enough: number) =>
            runLoad({ port, connections: CONNECTIONS, seconds: Number.POSITIVE_INFINITY, enough, next: () => get });
          await load(WARM_UP * processes);
          const before = cpuOfNode(server.pid as number);
          const { perSecond, answers, refused, lost } = await load(MEASURED);
          if (refused + lost > 0) throw new Error(`${refused} requests were refused, ${lost} lost`);
          const cpu = ((cpuOfNode(server.pid as number) - before) / answers) * 1000;
          sides[processes]?.push({ perSecond, cpu });
          console.log(
            `${processes} process(es): ${perSecond.toFixed(0)} details/s, ${cpu.toFixed(2)} ms each on the server`,
          );
        } finally {
          await stop(server);
        }
      }
    }
    const of = (processes: number, figure: keyof Side) =>
      median((sides[processes] as Side[]).map((side) => side[figure]));
    const more = of(2, 'cpu') / of(1, 'cpu') - 1;
    const quicker = of(2, 'perSecond') / of(1, 'perSecond');
    console.log(
      `two processes: ${(more * 100).toFixed(0)}% more processor time a request (limit ${MOST_MORE * 100}%), ${quicker.toFixed(2)} × the requests`,
    );
    if (more > MOST_MORE) process.exitCode = 1;
  });
}
