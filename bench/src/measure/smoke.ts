/**
 * Correctness instead of times: every operation answers, every list holds what plain SQL over the posts says in the order
 * it says, and the limit reads the same rows. Throws away nothing: all faults are told.
 */
import pg from 'pg';
import type { ListAnswer } from './client.ts';
import { expectedSql, type ListShape, PAGE_SIZE } from './list-shapes.ts';
import { askOnce, runLoad } from './load.ts';
import { CONNECTIONS_OF, operationsOf, removeWritten } from './operations.ts';
import { type Context, recordAll, wantedShapes } from './run.ts';

/** @returns the faults, none when all is well */
export async function smoke(context: Context, ownerUrl: string): Promise<string[]> {
  const faults: string[] = [];
  const owners = await Promise.all(
    Array.from({ length: AT_ONCE }, () => openOwner(ownerUrl, context.dataset.tenant.id)),
  );
  try {
    await checkLists(context, owners, faults);
  } finally {
    await Promise.all(owners.map((owner) => owner.end()));
  }
  await checkOperations(context, faults);
  return faults;
}

async function openOwner(ownerUrl: string, tenantId: number): Promise<pg.Client> {
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  // The whole community is read for each list: plain, and with whatever plan.
  await owner.query('SET jit = off');
  await owner.query(`SELECT set_config('app.tenant_id', $1, false)`, [String(tenantId)]);
  return owner;
}

/** Lists checked at once: Portico, the limit and the plain statements keep two cores busy. */
const AT_ONCE = 3;

async function checkLists(context: Context, owners: readonly pg.Client[], faults: string[]): Promise<void> {
  const { plan } = context;
  const shapes = wantedShapes(context);
  let next = 0;
  const work = async (owner: pg.Client) => {
    for (let index = next++; index < shapes.length; index = next++) {
      const shape = shapes[index]!;
      const fault = await checkList(context, owner, shape).catch((error: Error) => `${shape.name}: ${error.message}`);
      if (fault) faults.push(fault);
      if (index % 200 === 199) plan.log(`${index + 1} of ${shapes.length} lists, ${faults.length} faults`);
    }
  };
  await Promise.all(owners.map(work));
  plan.log(`${shapes.length} lists, ${faults.length} faults`);
}

const show = (ids: readonly number[]) => `[${ids.slice(0, 25).join(' ')}]`;

async function checkList(context: Context, owner: pg.Client, shape: ListShape): Promise<string | undefined> {
  const { client, dataset, processes } = context;
  const request = client.list(shape);
  const page = await client.ask<ListAnswer>(request);
  const ids = page.items.map(({ id }) => id);
  const plain = async (size: number, offset: number) =>
    (await owner.query<{ id: string }>(expectedSql(dataset, shape, size, offset))).rows.map(({ id }) => Number(id));
  const all = await plain(2 * PAGE_SIZE, 0);
  const expected = all.slice(0, PAGE_SIZE);
  if (ids.join() !== expected.join()) return `${shape.name}: holds ${show(ids)}, should hold ${show(expected)}`;
  if ((page.nextPageToken !== undefined) !== all.length > PAGE_SIZE)
    return `${shape.name}: another page is told of wrongly`;
  if (page.nextPageToken) {
    const second = await client.ask<ListAnswer>(client.heads(shape, { pageToken: page.nextPageToken }));
    const found = second.items.map(({ id }) => id);
    const rest = all.slice(PAGE_SIZE);
    if (found.join() !== rest.join())
      return `${shape.name}: its second page holds ${show(found)}, should hold ${show(rest)}`;
  }
  // A crossing with another order runs the statements of its filter and of its order: those are compared.
  if (shape.group !== 'order' && / by /.test(shape.name)) return undefined;
  const { plans } = await recordAll(context, [{ tenantId: dataset.tenant.id, requests: [request], warm: true }]);
  const rows = JSON.parse(
    await askOnce(processes.limit.port, { method: 'GET', path: `/run/${plans[0]}`, headers: {} }),
  ) as { id?: unknown }[][];
  // The page may come in pieces, but one statement reads the rows of all its posts.
  const same = rows.some((part) => {
    const held = new Set(part.map((row) => String(row.id)));
    return ids.every((id) => held.has(String(id)));
  });
  return same ? undefined : `${shape.name}: the limit reads other rows than Portico`;
}

/** Every operation, both sides, a handful of times at eight connections and once with 128. */
async function checkOperations(context: Context, faults: string[]): Promise<void> {
  const { client, processes, plan } = context;
  for (const operation of operationsOf(client, processes.ownerUrl)) {
    if (plan.only && !plan.only.test(operation.name)) continue;
    try {
      const prepared = await operation.prepare();
      const limit = await recordAll(context, prepared.orders, prepared.fixed);
      for (const connections of CONNECTIONS_OF[operation.depth].filter((number) => number > 1 && number !== 32)) {
        await prepared.ready?.();
        const enough = 2 * connections;
        const bodies = prepared.bodies === true;
        const ours = await runLoad({
          port: processes.server.port,
          connections,
          seconds: 20,
          enough,
          next: prepared.next,
          bodies,
        });
        const theirs = await runLoad({
          port: processes.limit.port,
          connections,
          seconds: 20,
          enough,
          next: limit.next,
        });
        for (const [side, load] of [
          ['Portico', ours],
          ['the limit', theirs],
        ] as const) {
          if (load.refused + load.lost > 0)
            faults.push(
              `${operation.name}, ${connections} connections: ${side} refused ${load.refused} and lost ${load.lost} of ${load.answers + load.lost}: ${load.firstRefusal}`,
            );
        }
      }
      await prepared.finish?.();
      plan.log(`${operation.name}: ${limit.statements} statements`);
    } catch (error) {
      faults.push(`${operation.name}: ${(error as Error).message}`);
    }
  }
  await removeWritten(client, processes.ownerUrl);
}
