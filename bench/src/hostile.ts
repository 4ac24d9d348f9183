/**
 * Cost of attacks by one caller for another tenant: the detail of a post alone, and during each
 * attack. The ratios are the significant figures, the absolute ones are this machine's. Attacks go
 * to the server started here, on loopback, and are limited in connections, requests and time.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { prepareNeighboursBench } from '@portico/server/testing';
import { type AttackOrder, attacks } from './hostile-attacks.ts';
import { encodeRequest, runLoad } from './measure/load.ts';
import { withServer } from './measured-server.ts';

const POSTS = 2_000;
const LIGHT_CONNECTIONS = 2;
const SECONDS = 3;
/** Longest acceptable wait of the other tenant's requests in any attack. Milliseconds. */
const STALL_MS = 1_000;

export async function measureHostile(): Promise<void> {
  await withServer(
    (env) => prepareNeighboursBench(env, POSTS),
    async ({ list, detail }, { port }) => {
      const plain = encodeRequest(detail);
      const light = () => runLoad({ port, connections: LIGHT_CONNECTIONS, seconds: SECONDS, next: () => plain });
      await light();
      for (const name of Object.keys(attacks(list, detail))) {
        const alone = await light();
        const running = attack({ name, port, seconds: SECONDS, list, detail });
        const beside = await light();
        const came = await running;
        if (beside.refused + beside.lost > 0)
          throw new Error(`${name}: ${beside.refused} refused, ${beside.lost} lost: ${beside.firstRefusal}`);
        const ratio = (of: 'p50' | 'p99') => `${(beside[of] / alone[of]).toFixed(1)} ×`.padStart(8);
        const stalled = beside.max > STALL_MS ? ': STALLED' : '';
        if (stalled !== '') process.exitCode = 1;
        process.stdout.write(
          `${name.padEnd(46)} p50${ratio('p50')}  p99${ratio('p99')}  longest ${beside.max.toFixed(0).padStart(5)} ms${stalled}   ${came}\n`,
        );
      }
    },
  );
}

/** Runs an attack on a separate thread, so that the attacker's own work delays no measurement. */
async function attack(order: AttackOrder): Promise<string> {
  const worker = new Worker(new URL('./hostile-attacks.ts', import.meta.url), { workerData: order });
  const [came] = (await once(worker, 'message')) as [string];
  await worker.terminate();
  return came;
}
