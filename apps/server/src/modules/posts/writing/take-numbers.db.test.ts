/** Numbers of posts: unique, rising from one write to the next, and taken without holding up other writes. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createServices, createTestPortal, type TestPortal } from '../../../../test/support/index.ts';
import { writeTransaction } from '../../../kernel/access/index.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { createCommunity } from '../../communities/index.ts';
import { createCustomPost } from './create-post.ts';
import { createPosts } from './create-posts.ts';
import { requireDefinition } from './open-post.ts';
import {
  createFieldWorld,
  createPost,
  type FieldWorld,
  MANAGE,
  makeCommunity,
  postBody,
  rows,
} from './writing.fixture.ts';
import { made } from './writing.routes.ts';

let portal: TestPortal;
/** The services of a second node on the same database. */
let other: Awaited<ReturnType<typeof createServices>>;
let world: FieldWorld;
beforeAll(async () => {
  portal = await createTestPortal();
  const { config, log, sealer } = portal.services;
  other = await createServices({ config, database: portal.database.service, sealer, log });
  world = await createFieldWorld(portal);
});
afterAll(async () => {
  await other.close();
  await portal.close();
});

/** A post that was created: its number, and when the create began and ended. */
interface Made {
  number: number;
  began: number;
  ended: number;
}

async function create(scope: Scope, communityId: number): Promise<Made> {
  const began = performance.now();
  const { postData } = await createCustomPost(scope, communityId, postBody(), made);
  return { number: Number(postData!.customId), began, ended: performance.now() };
}

const numbersOf = async (communityId: number) =>
  (
    await rows<{ n: number }>(
      world,
      'SELECT custom_no AS n FROM posts WHERE tenant_id = $1 AND community_id = $2 ORDER BY id',
      [communityId],
    )
  ).map(({ n }) => n);

/** Runs `work` while a connection of another program holds the counter of a community, as earlier versions did until the commit. */
async function withCounterHeld(communityId: number, work: (held: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client(portal.database.owner);
  await client.connect();
  try {
    await client.query(`SELECT set_config('app.tenant_id', $1, false)`, [String(world.tenant.tenant.id)]);
    await client.query('BEGIN');
    const { rowCount } = await client.query(
      'UPDATE community_counters SET last_custom_no = last_custom_no + 1 WHERE tenant_id = $1 AND community_id = $2',
      [world.tenant.tenant.id, communityId],
    );
    expect(rowCount).toBe(1);
    await work(client);
  } finally {
    await client.end();
  }
}

/** Returns when a statement about counters with the text waits for a lock. */
const untilWaiting = (text: string) =>
  expect
    .poll(
      async () =>
        (
          await portal.owner.query(
            `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`,
            [`${text}%community_counters%`],
          )
        ).rowCount,
      { timeout: 20_000, interval: 20 },
    )
    .toBeGreaterThan(0);

describe('numbers of posts', () => {
  it('are unique and rise from each create to the next, over two nodes', async () => {
    const communityId = await makeCommunity(world);
    const here = await world.tenant.scope(world.people.author);
    const there = { ...here, db: other.databases.for(world.tenant.tenant.id) };
    const created = (
      await Promise.all(
        Array.from({ length: 16 }, async (_, index) => {
          const own: Made[] = [];
          for (let turn = 0; turn < 6; turn++) own.push(await create((index + turn) % 2 ? here : there, communityId));
          return own;
        }),
      )
    ).flat();
    expect(new Set(created.map(({ number }) => number)).size).toBe(96);
    const fallen = created.flatMap((one) =>
      created.filter((next) => one.ended < next.began && one.number > next.number).map((next) => [one, next]),
    );
    expect(fallen).toEqual([]);
  });

  it('are not held up by a write that has taken some and has not ended', async () => {
    const communityId = await makeCommunity(world);
    const scope = await world.tenant.scope(world.people.manager);
    await writeTransaction(scope, 'none', async (write) => {
      const definition = await requireDefinition(write, communityId);
      await createPosts(write, definition, [postBody(), postBody()], { trusted: true });
      const { data } = await createPost(world, world.people.author, {}, communityId);
      expect(data.customId).toBe('3');
      await createPosts(write, definition, [postBody()], { trusted: true });
    });
    expect((await numbersOf(communityId)).toSorted()).toEqual([1, 2, 3, 4]);
  });

  it('leave a gap where a write fails', async () => {
    const communityId = await makeCommunity(world);
    const scope = await world.tenant.scope(world.people.manager);
    const failed = writeTransaction(scope, 'none', async (write) => {
      await createPosts(write, await requireDefinition(write, communityId), [postBody()], { trusted: true });
      throw new Error('the write fails');
    });
    await expect(failed).rejects.toThrow('the write fails');
    expect((await createPost(world, world.people.author, {}, communityId)).data.customId).toBe('2');
  });

  it('are told by a dry run, which takes none', async () => {
    const communityId = await makeCommunity(world);
    const ask = async (query: string) => {
      const path = `${MANAGE}/create-post/${communityId}${query}`;
      return (await world.tenant.request(world.people.author, 'POST', path, postBody())).body.postData.customId;
    };
    expect([await ask('?dryRun=true'), await ask('?dryRun=true'), await ask('')]).toEqual(['1', '1', '1']);
  });

  it('begin in the transaction that creates the community', async () => {
    const scope = await world.tenant.scope(world.people.admin);
    const communityId = await scope.db.transaction(async (tx) => {
      const within = { ...scope, db: tx };
      const id = await createCommunity(within, { workspaceId: world.workspaceId, name: 'New and filled' });
      for (let turn = 0; turn < 2; turn++)
        await writeTransaction(within, 'none', async (write) =>
          createPosts(write, await requireDefinition(write, id), [postBody(), postBody()], { trusted: true }),
        );
      return id;
    });
    expect(await numbersOf(communityId)).toEqual([1, 2, 3, 4]);
  });

  it('are unique beside an earlier version, which holds the counter until its commit', async () => {
    const communityId = await makeCommunity(world);
    await withCounterHeld(communityId, async (held) => {
      const created = createPost(world, world.people.author, {}, communityId);
      await untilWaiting('UPDATE');
      await held.query('COMMIT');
      expect((await created).data.customId).toBe('2');
    });
  });

  it('are taken by the write itself where the counter is held for long', async () => {
    const communityId = await makeCommunity(world);
    await withCounterHeld(communityId, async (held) => {
      const created = [1, 2, 3].map(() => createPost(world, world.people.author, {}, communityId));
      await untilWaiting('INSERT');
      await held.query('COMMIT');
      const numbers = (await Promise.all(created)).map(({ data }) => Number(data.customId));
      expect(numbers.toSorted()).toEqual([2, 3, 4]);
    });
  });

  it('let PostgreSQL see when two writes wait for each other', async () => {
    const communityId = await makeCommunity(world);
    const { postId } = await createPost(world, world.people.author);
    await withCounterHeld(communityId, async (held) => {
      const scope = await world.tenant.scope(world.people.manager);
      const locked = Promise.withResolvers<void>();
      const created = writeTransaction(scope, 'none', async (write) => {
        const { tx } = write;
        await tx.query('SELECT FROM posts WHERE tenant_id = $1 AND id = $2 FOR UPDATE', [tx.tenantId, postId]);
        locked.resolve();
        return createPosts(write, await requireDefinition(write, communityId), [postBody()], { trusted: true });
      });
      await locked.promise;
      // It waits for the write, which waits for the counter: PostgreSQL ends one of the two.
      const crossed = held.query('SELECT FROM posts WHERE tenant_id = $1 AND id = $2 FOR UPDATE', [
        world.tenant.tenant.id,
        postId,
      ]);
      await crossed.then(
        () => held.query('COMMIT'),
        ({ code }) => expect(code).toBe('40P01'),
      );
      expect(await created).toMatchObject([{ created: true }]);
    });
  });
});
