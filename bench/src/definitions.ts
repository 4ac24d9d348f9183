/**
 * A change of a definition under load: the type of a field of a community with many posts changes
 * in the background while eight connections write posts into it. Measures how long writers wait.
 */
import { FieldType } from '@portico/contract';
import { prepareDefinitionsBench } from '@portico/server/testing';
import { askOnce, encodeRequest, type LoadFigures, runLoad } from './measure/load.ts';
import { withServer } from './measured-server.ts';

const CONNECTIONS = 8;
/** Maximum wait of a writer. Milliseconds. */
const MOST_MS = 1_000;

export async function measureDefinitions(posts = Number(process.env['BENCH_POSTS'] ?? 100_000)): Promise<void> {
  await withServer(
    (env) => prepareDefinitionsBench(env, posts),
    async ({ communityId, fieldId, path, token, body }, { port }) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const community = `/portal/api/external/v2/admin/manage/communities/${communityId}`;
      const ask = async (method: string, to: string, sent?: object) =>
        JSON.parse(await askOnce(port, { method, path: to, headers, ...(sent && { body: JSON.stringify(sent) }) }));
      const create = encodeRequest({
        method: 'POST',
        path,
        headers,
        body: JSON.stringify({ ...body, customData: {} }),
      });
      const load = () => runLoad({ port, connections: CONNECTIONS, seconds: 10, next: () => create });
      print('before the change', await load());
      const { occToken } = await ask('GET', community);
      const started = performance.now();
      const type = { type: FieldType.TEXT_AREA, occToken };
      const { changeId } = await ask('POST', `${community}/definition-fields/${fieldId}/type`, type);
      const answered = performance.now() - started;
      const figures: LoadFigures[] = [];
      for (let status = 'running'; status === 'running'; ) {
        figures.push(await load());
        const { changes } = await ask('GET', `${community}/definition-changes`);
        ({ status } = changes.find(({ id }: { id: number }) => id === changeId));
      }
      const worst = figures.reduce((one, other) => (one.max > other.max ? one : other));
      print('while it goes on, the worst ten seconds', worst);
      process.stdout.write(
        `${posts} posts: answered after ${answered.toFixed(0)} ms, done after ${((performance.now() - started) / 1000).toFixed(0)} s; ` +
          `the longest write took ${worst.max.toFixed(0)} ms${worst.max > MOST_MS ? `: above ${MOST_MS}` : ''}\n`,
      );
    },
  );
}

function print(name: string, { perSecond, p50, p99, max, refused, lost }: LoadFigures): void {
  const [a, b, c] = [p50, p99, max].map((ms) => ms.toFixed(1).padStart(8));
  process.stdout.write(
    `${name.padEnd(40)} ${perSecond.toFixed(0).padStart(6)} writes/s, p50 ${a} ms, p99 ${b} ms, longest ${c} ms, refused ${refused}, lost ${lost}\n`,
  );
}
