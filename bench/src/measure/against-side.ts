/**
 * A side of `--against`: as a separate process, it builds the data, starts the Portico of its
 * checkout and runs the loads that it receives. Checkouts of different commits communicate by the
 * messages declared here.
 */
import { Client } from './client.ts';
import { runLoad } from './load.ts';
import { type Operation, operationsOf, type Prepared } from './operations.ts';
import { openPlace } from './place.ts';
import { startProcesses } from './processes.ts';
import { whileWatching } from './usage.ts';

/** A load to run, in answer to which the figures are sent; without a name the side ends. */
export interface LoadOrder {
  readonly name?: string;
  readonly connections: number;
  readonly seconds: number;
}

/** Result of a load. */
export interface SideFigures {
  readonly perSecond: number;
  /** Milliseconds of CPU time that a request took, of Portico and of PostgreSQL together. */
  readonly cpu: number;
  /** Refused or lost requests. */
  readonly failed: number;
  readonly firstRefusal?: string | undefined;
}

/** The message of a side that is ready: its operations. */
export type SideReady = readonly Pick<Operation, 'name' | 'depth'>[];

const [posts] = process.argv.slice(2);
const send = (message: SideReady | SideFigures) => process.send!(message);
const log = (line: string) => process.stderr.write(`${line}\n`);

const place = await openPlace({ posts: Number(posts), log });
const processes = await startProcesses(place.ownerUrl);
const client = await Client.signIn(place.dataset, () => processes.server.port);
const operations = operationsOf(client, processes.ownerUrl);
const prepared = new Map<string, Prepared>();

async function run({ name, connections, seconds }: LoadOrder): Promise<SideFigures> {
  const operation = operations.find((one) => one.name === name)!;
  const requests = prepared.get(operation.name) ?? (await operation.prepare());
  prepared.set(operation.name, requests);
  await requests.ready?.();
  const { result, used } = await whileWatching(processes.server.pid, processes.postmaster, () =>
    runLoad({
      port: processes.server.port,
      connections,
      seconds,
      next: requests.next,
      bodies: requests.bodies === true,
    }),
  );
  return {
    perSecond: result.perSecond,
    cpu: ((used.serverCores + used.databaseCores) / result.perSecond) * 1_000,
    failed: result.refused + result.lost,
    firstRefusal: result.firstRefusal,
  };
}

async function end(): Promise<void> {
  await processes.stop();
  await place.close();
  process.disconnect();
}

process.on('message', (order: LoadOrder) => {
  if (order.name === undefined) void end();
  else void run(order).then(send);
});
process.once('disconnect', () => process.exit());
send(operations.map(({ name, depth }) => ({ name, depth })));
