/** Links and rights: who receives a link, and whether it stays valid afterwards. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { send } from '../../../../test/support/file-server.ts';
import { createTestPortal, type TestPortal } from '../../../../test/support/portal.ts';
import { createTestWorld, type TestWorld } from '../../../../test/support/test-world.ts';
import { storeFile } from './store-file.ts';

let portal: TestPortal;
let world: TestWorld;
let ahead = 0;

beforeAll(async () => {
  portal = await createTestPortal({ clock: { now: () => Date.now() + ahead } });
  world = await createTestWorld(portal);
});
afterAll(() => portal?.close());

it('are given to those who see the post at that moment; holders read until they expire, and then nobody', async () => {
  const { people, tenant } = world;
  const file = await storeFile(await world.scope(people.author), portal.services.storage, Buffer.from('first'));
  const postId = await world.post(people.author, { attachments: [{ name: 'a.txt', contentRef: file.contentRef }] });
  const [item] = (await world.ok(people.reader, 'POST', `attachments/data/posts/${postId}/attachments-list`, {})).items;
  const path = `posts/data/attachment-detail-by-id/${item.id}`;
  const get = (link: string) => send(`${portal.origin}${new URL(link).pathname}`, { headers: { Host: tenant.host } });
  const linkFor = async (user: number, version = '') =>
    (await world.send(user, 'GET', `${path}${version}`)).body.attachmentData?.temporaryContentViewLink as string;

  expect((await world.send(people.outsider, 'GET', path)).status).toBe(404);
  const held = await linkFor(people.reader);
  expect((await get(held)).bytes.toString()).toBe('first');

  // A user who no longer sees the post gets no new link; the old link stays valid.
  await world.role(people.reader, null);
  expect((await world.send(people.reader, 'GET', path)).status).toBe(404);
  expect((await get(held)).status).toBe(200);

  // A link is of one version: a later one changes nothing about it.
  const second = await storeFile(await world.scope(people.author), portal.services.storage, Buffer.from('second'));
  await world.ok(people.author, 'PUT', `posts/manage/edit-post-attachments/${postId}`, {
    updateAttachments: [{ attachmentId: item.id, name: 'b.txt', contentRef: second.contentRef }],
  });
  expect((await get(held)).bytes.toString()).toBe('first');
  expect((await get(await linkFor(people.author))).bytes.toString()).toBe('second');
  expect((await get(await linkFor(people.author, '?version=1'))).bytes.toString()).toBe('first');

  ahead = 14 * 60_000;
  expect((await get(held)).status).toBe(200);
  ahead = 15 * 60_000 + 1_000;
  const late = await get(held);
  expect([late.status, late.body.code]).toEqual([403, 'INVALID_LINK']);
});
