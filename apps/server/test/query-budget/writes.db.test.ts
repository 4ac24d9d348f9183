/**
 * The database round trips of each write: the statements whose results it waits for. Others
 * are sent along with them (`TenantTx.send`). The numbers are the checked-in table `writes.json`; a write that
 * waits more often than it did fails here.
 */
import { readFileSync } from 'node:fs';
import type { OperationId } from '@portico/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestPortal, type TestPortal } from '../support/index.ts';
import { send } from '../write-matrix/calls.fixture.ts';
import { createRecipeWorld, type Recipe, recipes, type TestWorld } from '../write-matrix/recipes.fixture.ts';

const table = JSON.parse(readFileSync(new URL('./writes.json', import.meta.url), 'utf8')) as Record<string, number>;
const ids = (Object.keys(recipes) as OperationId[]).toSorted();

/** Ids are taken ahead for several writes: which of them asks for more is chance. */
const TAKES_IDS = /nextval\(/;

let portal: TestPortal;
let world: TestWorld;

/** Whether a write waits more often than the table says is known after this many. */
const MOST_ROUNDS = 8;

/** Operations that share a tenant: some change what those after them find. */
const OF_ONE_WORLD = 8;
let begun = 0;

beforeAll(async () => {
  portal = await createTestPortal({ checkAnswers: false });
});
afterAll(() => portal?.close());

describe('statements that a write waits for', () => {
  it.each(ids)('%s', async (id) => {
    if (begun++ % OF_ONE_WORLD === 0) world = await createRecipeWorld(portal);
    const recipe = recipes[id] as Recipe;
    const counts: number[] = [];
    let waited: string[] = [];
    // The first one fills caches; on a busy machine, work beside the requests adds to several of them.
    for (let round = 0; round < 3 || (Math.min(...counts) > (table[id] ?? 0) && round < MOST_ROUNDS); round++) {
      const call = await recipe.prepare(world);
      // Signs the caller in, so that the count does not depend on who sent the request before.
      await world.tenant.request(world.people[recipe.by], 'GET', '/portal/api/core/auth/current-user-data');
      portal.takeWaited();
      const answer = await send(world, world.people[recipe.by], id, call);
      expect(answer.status, answer.text).toBe(200);
      waited = portal.takeWaited().filter((statement) => !TAKES_IDS.test(statement));
      counts.push(waited.length);
    }
    if (process.env['PORTICO_SHOW_STATEMENTS']) process.stdout.write(`${JSON.stringify({ id, counts })}\n`);
    const least = Math.min(...counts);
    expect(
      least,
      `${id} waits ${least} times; test/query-budget/writes.json says ${table[id]}:\n${waited.join('\n')}`,
    ).toBe(table[id]);
  });

  it('the table names every write and no other', () => {
    expect(Object.keys(table), 'test/query-budget/writes.json').toEqual(ids);
  });
});
