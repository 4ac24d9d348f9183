/** Cost of a list request beside its statements, and memory used by answers. */

import type { SmallTenant } from '../dataset/dataset.ts';
import type { ListAnswer } from './client.ts';
import { encodeRequest, type LoadFigures, runLoad } from './load.ts';
import { HEADLINES, shapeNamed } from './operations.ts';
import { type ApartResult, type MemoryResult, median, rounded } from './results.ts';
import { type Context, EIGHT, limitRequest, recordAll } from './run.ts';
import { megabytes } from './targets.ts';
import { whileWatching } from './usage.ts';

/**
 * Takes a list request apart: Portico; the limit after verification of the token and the check of
 * the caller; after the check alone; the limit; the limit without row security; and a manager's
 * limit, whose list has no visibility rule.
 */
export async function takeApart(context: Context): Promise<ApartResult> {
  const { processes, client, dataset, plan } = context;
  const shape = shapeNamed(dataset, HEADLINES['list']!);
  const record = async (person: 'contributor' | 'manager') =>
    (
      await recordAll(context, [
        { tenantId: dataset.tenant.id, requests: [client.list({ ...shape, person })], warm: true },
      ])
    ).plans[0]!;
  const [own, managed] = [await record('contributor'), await record('manager')];
  const portico = encodeRequest(client.list({ ...shape, person: 'contributor' }));
  const ways: Record<keyof ApartResult, [port: () => number, request: Buffer]> = {
    portico: [() => processes.server.port, portico],
    verified: [() => processes.limit.port, limitRequest('verified', own)],
    signed: [() => processes.limit.port, limitRequest('signed', own)],
    limit: [() => processes.limit.port, limitRequest('run', own)],
    bypass: [() => processes.limit.port, limitRequest('bypass', own)],
    managed: [() => processes.limit.port, limitRequest('bypass', managed)],
  };
  const costs = new Map<string, number[]>();
  for (let round = 0; round <= 2 * plan.rounds + 1; round++) {
    for (const [name, [port, request]] of Object.entries(ways)) {
      const seconds = Math.min(1, plan.seconds);
      const load = await runLoad({ port: port(), connections: EIGHT, seconds, next: () => request });
      if (load.refused + load.lost > 0) throw new Error(`${name}: ${load.firstRefusal}`);
      if (round > 0) costs.set(name, [...(costs.get(name) ?? []), 1000 / load.perSecond]);
    }
  }
  plan.log('a list request was taken apart');
  return Object.fromEntries(
    [...costs].map(([name, values]) => [name, rounded(median(values))]),
  ) as unknown as ApartResult;
}

/** Characters of a large text: the description of each post. */
const LARGE_TEXT = 100_000;
const LARGE_POSTS = 40;

/** Memory under load: small pages on many connections, the largest pages, and posts with large texts. */
export async function measureMemory(context: Context): Promise<MemoryResult[]> {
  const { processes, client, dataset, plan } = context;
  const list = shapeNamed(dataset, HEADLINES['list']!);
  const page = client.list(list);
  const results: MemoryResult[] = [];
  const measure = async (name: string, connections: number, request: Buffer) => {
    await processes.restartServer();
    const { result, used } = await whileWatching(processes.server.pid, processes.postmaster, () =>
      runLoad({
        port: processes.server.port,
        connections,
        seconds: Math.max(4, 2 * plan.seconds),
        next: () => request,
      }),
    );
    refuseFailures(name, result);
    results.push({
      name,
      connections,
      server: used.serverMemory,
      database: used.databaseMemory,
      perSecond: rounded(result.perSecond, 4),
      bytesPerAnswer: result.bytesPerAnswer,
    });
    plan.log(`memory, ${name}, ${connections} connections: ${megabytes(used.serverMemory)}`);
  };
  await measure('page of 20', 32, encodeRequest(page));
  await measure('page of 20', 128, encodeRequest(page));
  await measure('page of 500', EIGHT, encodeRequest(client.list(list, { pageSize: 500 })));
  await measure('page of 500', 32, encodeRequest(client.list(list, { pageSize: 500 })));
  const tenant = dataset.smallTenants[0];
  if (tenant) {
    const large = largeTexts(context, tenant);
    await large.make();
    await measure(
      `page of ${LARGE_POSTS}, texts of ${LARGE_TEXT / 1000},000 characters`,
      EIGHT,
      encodeRequest(large.request),
    );
    await large.remove();
  }
  return results;
}

/**
 * Creates posts with large texts in a small tenant, where they do not affect other measurements.
 */
function largeTexts({ client }: Context, { host, communityId }: SmallTenant) {
  const title = 'A post with a large text';
  const path = `/communication/posts/data/list/community/${communityId}?loadPostDetails=true`;
  const request = client.smallRequest(host, 'POST', path, { pageSize: LARGE_POSTS, title });
  const manage = '/communication/posts/manage';
  return {
    request,
    make: async () => {
      const description = 'The second part came in on Thursday and was put on the left shelf. '.repeat(LARGE_TEXT / 67);
      const body = { announcement: false, title, description, descriptionFormat: 2 };
      for (let made = 0; made < LARGE_POSTS; made++)
        await client.ask(client.smallRequest(host, 'POST', `${manage}/create-post/${communityId}`, body));
    },
    remove: async () => {
      const { items } = await client.ask<ListAnswer>(client.smallRequest(host, 'POST', path, { pageSize: 500, title }));
      for (const { id } of items) await client.ask(client.smallRequest(host, 'DELETE', `${manage}/delete-post/${id}`));
    },
  };
}

function refuseFailures(what: string, load: LoadFigures): void {
  if (load.refused + load.lost > 0)
    throw new Error(`${what}: ${load.refused + load.lost} requests failed: ${load.firstRefusal}`);
}
