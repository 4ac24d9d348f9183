/**
 * What one tenant's heavy lists cost another tenant: the detail of a post alone, and while 64 connections of the other tenant
 * ask for the worst list. The ratio of the two p99 is the claim (at most 5), the absolute figures are this machine's.
 */
import { prepareNeighboursBench } from '@portico/server/testing';
import { encodeRequest, type LoadFigures, runLoad } from './measure/load.ts';
import { median, withServer } from './measured-server.ts';

const POSTS = 100_000;
const HEAVY_CONNECTIONS = 64;
const LIGHT_CONNECTIONS = 2;
const ROUNDS = 3;
const SECONDS = 5;
/** How much longer a detail may take, at p99, than it does alone. */
const CLAIM = 5;

export async function measureNeighbours(): Promise<void> {
  await withServer(
    (env) => prepareNeighboursBench(env, POSTS),
    async ({ list, detail }, { port }) => {
      const load = (request: typeof list, connections: number, seconds: number) => {
        const bytes = encodeRequest(request);
        return runLoad({ port, connections, seconds, next: () => bytes });
      };
      const light = () => load(detail, LIGHT_CONNECTIONS, SECONDS);
      // Both are warm: plans are made, definitions and pages read.
      await Promise.all([load(list, 4, SECONDS), light()]);
      const alone: LoadFigures[] = [];
      const beside: LoadFigures[] = [];
      const heavy: LoadFigures[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        alone.push(await light());
        const lists = load(list, HEAVY_CONNECTIONS, SECONDS + 1);
        beside.push(await light());
        heavy.push(await lists);
      }
      for (const one of [...alone, ...beside])
        if (one.refused + one.lost > 0)
          throw new Error(`${one.refused} refused, ${one.lost} lost: ${one.firstRefusal}`);
      const of = (figures: readonly LoadFigures[], name: 'p50' | 'p99' | 'perSecond') =>
        median(figures.map((figure) => figure[name]));
      const row = (name: string, figures: readonly LoadFigures[]) =>
        `${name.padEnd(44)} ${of(figures, 'perSecond').toFixed(0).padStart(6)} requests/s  p50 ${of(figures, 'p50').toFixed(1).padStart(7)} ms  p99 ${of(figures, 'p99').toFixed(1).padStart(7)} ms\n`;
      process.stdout.write(row('detail, alone', alone));
      process.stdout.write(row(`detail, beside ${HEAVY_CONNECTIONS} connections of a neighbour`, beside));
      process.stdout.write(row(`the list of that neighbour (${POSTS} posts)`, heavy));
      const ratio = of(beside, 'p99') / of(alone, 'p99');
      process.stdout.write(
        `a detail takes ${ratio.toFixed(1)} times as long at p99 (claim: at most ${CLAIM})${ratio > CLAIM ? ': FAILED' : ''}\n`,
      );
      if (ratio > CLAIM) process.exitCode = 1;
    },
  );
}
