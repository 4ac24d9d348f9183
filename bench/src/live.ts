/**
 * Cost of listeners: 2,000 of them on one node, with 50 writes a second that all of them see.
 * Prints the number of delivered and lost events, and the detail of a post alone, beside the
 * writes, and beside the writes and the listeners.
 */
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { prepareLiveBench } from '@portico/server/testing';
import { encodeRequest, type HttpRequest, type LoadFigures, runLoad } from './measure/load.ts';
import { withServer } from './measured-server.ts';

const PEOPLE = 100;
const CONNECTIONS_OF_EACH = 20;
const LISTENERS = PEOPLE * CONNECTIONS_OF_EACH;
const WRITES_PER_SECOND = 50;
const SECONDS = 20;
const LIGHT_CONNECTIONS = 2;
/** Time allowed for the last events. Milliseconds. */
const SETTLE_MS = 10_000;
/** An event as it is sent. */
const EVENT = 'event: post\n';

interface Order {
  readonly port: number;
  readonly listens: readonly HttpRequest[];
}

export async function measureLive(): Promise<void> {
  await withServer(
    (env) => prepareLiveBench(env, PEOPLE),
    async ({ listens, writes, detail }, { port }) => {
      const plain = encodeRequest(detail);
      const light = () => runLoad({ port, connections: LIGHT_CONNECTIONS, seconds: SECONDS, next: () => plain });
      await runLoad({ port, connections: LIGHT_CONNECTIONS, seconds: 3, next: () => plain });
      print('detail, alone', await light());
      const [besideWrites] = await Promise.all([light(), write(port, writes)]);
      print(`detail, beside ${WRITES_PER_SECOND} writes a second`, besideWrites);

      const order: Order = { port, listens };
      const listeners = new Worker(new URL(import.meta.url), { workerData: order });
      const tell = async () => ((await once(listeners, 'message')) as [{ ready?: number; events?: number }])[0];
      const { ready } = await tell();
      if (ready !== LISTENERS) throw new Error(`${ready} of ${LISTENERS} listeners were accepted`);
      const [besideAll, written] = await Promise.all([light(), write(port, writes)]);
      print(`detail, beside these and ${LISTENERS} listeners`, besideAll);
      await sleep(SETTLE_MS);
      listeners.postMessage('end');
      const { events = 0 } = await tell();
      await listeners.terminate();
      const lost = written * LISTENERS - events;
      process.stdout.write(
        `${written} writes, ${LISTENERS} listeners: ${events} events delivered, ${lost} lost${lost === 0 ? '' : ': FAILED'}\n`,
      );
      if (lost !== 0) process.exitCode = 1;
    },
  );
}

function print(name: string, figures: LoadFigures): void {
  if (figures.refused + figures.lost > 0)
    throw new Error(`${name}: ${figures.refused} refused, ${figures.lost} lost: ${figures.firstRefusal}`);
  process.stdout.write(
    `${name.padEnd(48)} p50 ${figures.p50.toFixed(1).padStart(6)} ms  p99 ${figures.p99.toFixed(1).padStart(6)} ms\n`,
  );
}

/**
 * Writes at an even rate.
 * @returns the number of successful writes
 */
async function write(port: number, writes: readonly HttpRequest[]): Promise<number> {
  const running: Promise<number>[] = [];
  const started = performance.now();
  for (let index = 0; index < WRITES_PER_SECOND * SECONDS; index++) {
    await sleep(Math.max(0, started + (index * 1000) / WRITES_PER_SECOND - performance.now()));
    const { path, headers, body } = writes[index % writes.length]!;
    const { host: _host, ...rest } = headers;
    running.push(
      send(port, encodeRequest({ method: 'POST', path, headers: { ...rest, host: headers['host']! }, body: body! })),
    );
  }
  const statuses = await Promise.all(running);
  const failed = statuses.filter((status) => status !== 200);
  if (failed.length > 0)
    throw new Error(`${failed.length} of ${statuses.length} writes failed: ${[...new Set(failed)].join(', ')}`);
  return statuses.length;
}

/** Sends one request on a connection of its own. @returns the status */
async function send(port: number, request: Buffer): Promise<number> {
  const socket = connect(port, '127.0.0.1');
  socket.write(request);
  const [first] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return Number(first.toString('latin1', 9, 12));
}

/** Listens on a separate thread, so that it delays no measurement. */
async function listen({ port, listens }: Order): Promise<void> {
  let ready = 0;
  let events = 0;
  const all = Promise.withResolvers<void>();
  for (const request of listens) {
    const bytes = encodeRequest(request);
    for (let index = 0; index < CONNECTIONS_OF_EACH; index++) {
      let pending = '';
      const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
      socket.setEncoding('latin1').on('data', (text: string) => {
        pending += text;
        if (pending.includes('event: ready\n') && ++ready === LISTENERS) all.resolve();
        for (let at = pending.indexOf(EVENT); at >= 0; at = pending.indexOf(EVENT, at + 1)) events++;
        // The beginning of an event may come with the next part.
        pending = pending.slice(-(EVENT.length - 1));
      });
      // Broken connections show as missing events.
      socket.on('error', () => socket.destroy());
    }
    await sleep(20);
  }
  await Promise.race([all.promise, sleep(60_000)]);
  parentPort!.postMessage({ ready });
  await once(parentPort!, 'message');
  parentPort!.postMessage({ events });
}

if (!isMainThread) await listen(workerData as Order);
