/** Listeners of a node, as its routes add and remove them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal } from '../../../../test/support/index.ts';
import { createTestWorld, type TestWorld } from '../../../../test/support/test-world.ts';
import { LiveFeed } from './live-feed.ts';

let portal: TestPortal;
let world: TestWorld;

beforeAll(async () => {
  portal = await createTestPortal();
  world = await createTestWorld(portal);
});
afterAll(() => portal?.close());

test('a connection that the feed has ended takes no other one away when it is closed', async () => {
  const scope = await world.scope(world.people.reader);
  const { actor } = scope;
  const feed = new LiveFeed(portal.services.log);
  const ended: string[] = [];
  const listen = (name: string, checked: typeof actor | undefined) =>
    feed.listen(scope, {
      actor,
      communityIds: undefined,
      from: undefined,
      send: () => undefined,
      end: () => void ended.push(name),
      check: async () => checked,
    });
  const close = listen('first', undefined);
  await expect.poll(() => feed.size).toBe(1);
  // After a change of rights, the check finds that the first sign-in has ended.
  await expect
    .poll(async () => {
      await world.role(world.people.outsider, world.people.outsider % 2 === 0 ? 3 : 2);
      return ended;
    })
    .toEqual(['first']);
  listen('second', actor);
  close();
  expect(feed.size).toBe(1);
  feed.close();
  expect(ended).toEqual(['first', 'second']);
});
