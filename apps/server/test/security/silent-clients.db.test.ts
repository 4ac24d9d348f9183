/**
 * Clients that do not read their responses: their slots are free again after a while, and clients
 * that read are left alone.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { archiveLimits, exportLimits } from '@portico/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { storeFile } from '../../src/modules/files/index.ts';
import type { TestPortalOptions } from '../support/portal.ts';
import { createTestPortal, createTestWorld, type TestPortal, type TestWorld } from '../support/test-world.ts';

/** More than the system keeps of an answer by itself. Bytes. */
const POSTS = 1_000;
const MUCH = POSTS * 16 * 1024;
/** Several times as much, for a steady reader. Bytes. */
const LARGE = 64 * 1024 * 1024;
const OWN = '/portal/api/core/user-profile/export';

interface Place {
  portal: TestPortal;
  world: TestWorld;
  other: TestWorld;
  /** Paths of a large export, and of a small one of the same list. */
  list: string;
  short: string;
}

/** A community with much text, and a person who uploaded much. */
async function open(options: TestPortalOptions): Promise<Place> {
  const portal = await createTestPortal(options);
  const world = await createTestWorld(portal, {});
  const { contentRef } = await storeFile(
    await world.tenant.scope(world.people.author),
    portal.services.storage,
    randomBytes(MUCH),
  );
  await world.post(world.people.author, { attachments: [{ contentRef, name: 'much.bin' }] });
  const posts = Array.from({ length: POSTS }, (_, index) => ({
    title: `Row ${index}`,
    description: 'd',
    descriptionFormat: 2,
    announcement: false,
  }));
  await world.ok(world.people.author, 'POST', `posts/manage/create-posts/${world.communityId}`, { posts });
  await world.db.execute(
    `UPDATE posts SET description_text = repeat(md5(title), $2) WHERE tenant_id = $1 AND title LIKE 'Row %'`,
    [world.db.tenantId, MUCH / POSTS / 32],
  );
  const list = `/portal/api/communication/posts/data/list/community/${world.communityId}/export?format=ndjson&columns=`;
  return {
    portal,
    world,
    other: await createTestWorld(portal, {}),
    list: `${list}id,descriptionPlainText`,
    short: `${list}id`,
  };
}

/** Sends a request on a connection of its own. @returns it once the answer has begun, with its status and nothing more read */
async function begin({ portal, world }: Place, as: number, method: string, path: string) {
  const { port } = portal.app.server.address() as { port: number };
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => socket.destroy());
  const head = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${world.tenant.host}`,
    `Authorization: Bearer ${await world.tenant.token(as)}`,
    'Content-Type: application/json',
    `Content-Length: ${method === 'POST' ? 2 : 0}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${method === 'POST' ? '{}' : ''}`);
  await once(socket, 'readable');
  return { socket, status: Number(String(socket.read(12)).slice(-3)) };
}

async function silent(place: Place, as: number, method: string, path: string): Promise<Socket> {
  const { socket, status } = await begin(place, as, method, path);
  expect(status).toBe(200);
  return socket;
}

/** Returns the status of a response that is not read: its duration says nothing about slots. */
async function statusOf(place: Place, as: number, method: string, path: string): Promise<number> {
  const { socket, status } = await begin(place, as, method, path);
  socket.destroy();
  return status;
}

async function holdExports(place: Place, as: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let index = 0; index < exportLimits.ofAccount; index++)
    sockets.push(await silent(place, as, 'POST', place.list));
  return sockets;
}

/** Reads 64 KiB at a time with a pause after each. @returns how many bytes there were, and whether the answer came to its end */
async function readSteadily(socket: Socket): Promise<{ taken: number; whole: boolean }> {
  let taken = 0;
  let end = '';
  while (!end.endsWith('0\r\n\r\n') && !socket.destroyed) {
    const chunk = socket.read(Math.min(64 * 1024, socket.readableLength)) as Buffer | null;
    taken += chunk?.length ?? 0;
    // The end of the answer may be cut into two reads.
    if (chunk) end = `${end}${chunk.subarray(-5).toString('latin1')}`.slice(-5);
    await sleep(10);
  }
  return { taken, whole: end.endsWith('0\r\n\r\n') };
}

/** Tests of the resources that clients hold, and that each limit of the portal frees again. */
function frees(place: () => Place) {
  test('slots of exports: at once for others, later for the account', async () => {
    const { world, short } = place();
    const { author, reader, manager } = world.people;
    const held = await holdExports(place(), author);
    const refused = await world.tenant.request(author, 'POST', short, {});
    expect([refused.status, refused.body.code]).toEqual([429, 'TOO_MANY_AT_ONCE']);
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(refused.body.message).toContain('of this account are running; end one, or wait');
    held.push(...(await holdExports(place(), reader)));
    expect((await world.tenant.request(manager, 'POST', short, {})).body.message).toContain('of this tenant');
    for (const as of [manager, author, reader])
      await expect.poll(() => statusOf(place(), as, 'POST', short), { timeout: 30_000, interval: 200 }).toBe(200);
    for (const socket of held) socket.destroy();
  });

  test('slots of archives: one tenant does not hold those of another', async () => {
    const { world, other } = place();
    const { author } = world.people;
    const held: Socket[] = [];
    for (let index = 0; index < archiveLimits.ofAccount; index++) held.push(await silent(place(), author, 'GET', OWN));
    const refused = await world.tenant.request(author, 'GET', OWN);
    expect([refused.status, refused.body.code]).toEqual([429, 'TOO_MANY_AT_ONCE']);
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(await statusOf(place(), world.people.reader, 'GET', OWN)).toBe(200);
    expect(await statusOf({ ...place(), world: other }, other.people.author, 'GET', OWN)).toBe(200);
    await expect.poll(() => statusOf(place(), author, 'GET', OWN), { timeout: 30_000, interval: 200 }).toBe(200);
    for (const socket of held) socket.destroy();
  });
}

describe('an answer of which nothing is taken', () => {
  let place: Place;
  /** Lines of the log that are no answers. */
  const lines: object[] = [];
  const info = (fields: object, message: string) => {
    if (message !== 'answered') lines.push({ ...fields, message });
  };
  beforeAll(async () => {
    const none = () => undefined;
    place = await open({
      answers: { bytes: 64 * 1024, windowMs: 6_000 },
      log: { debug: none, info, warn: none, error: none },
    });
  });
  afterAll(() => place?.portal.close());

  frees(() => place);

  test('is told once in the log, without its query', async () => {
    const { world, list } = place;
    lines.length = 0;
    const stuck = await silent(place, world.people.author, 'POST', list);
    const told = () => lines.filter((line) => 'address' in line);
    await expect.poll(told, { timeout: 30_000 }).toEqual([
      {
        reqId: expect.any(String),
        tenant: world.tenant.tenant.name,
        user: world.people.author,
        operation: '/portal/api/communication/posts/data/list/community/:communityId/export',
        method: 'POST',
        address: '127.0.0.1',
        status: 200,
        message: 'the client did not take its answer: the connection was closed',
      },
    ]);
    stuck.destroy();
  });

  test('leaves clients alone that read steadily, and those for whom nothing waits', async () => {
    const { portal, world } = place;
    const { manager, reader } = world.people;
    // Many times the buffer of the system for an answer, so that its reader's speed counts, for
    // longer than the window.
    const file = await storeFile(await world.tenant.scope(manager), portal.services.storage, randomBytes(LARGE));
    await world.post(manager, { attachments: [{ contentRef: file.contentRef, name: 'large.bin' }] });
    const live = await silent(place, reader, 'GET', '/portal/api/communication/live');
    live.resume();
    const stuck = await silent(place, manager, 'GET', OWN);
    const cutOff = once(stuck, 'close');
    const steady = await silent(place, manager, 'GET', OWN);
    const { taken, whole } = await readSteadily(steady);
    expect(whole).toBe(true);
    expect(taken).toBeGreaterThan(LARGE);
    // The bytes that the system had accepted for the stuck connection are still there, and end
    // early.
    let left = 0;
    stuck.on('data', (chunk) => {
      left += chunk.length;
    });
    await cutOff;
    expect(left).toBeLessThan(taken);
    expect(live.destroyed || live.readableEnded).toBe(false);
    for (const socket of [live, steady]) socket.destroy();
  });
});

describe('an export whose time is up', () => {
  let place: Place;
  beforeAll(async () => {
    place = await open({ exportMs: 6_000 });
  });
  afterAll(() => place?.portal.close());

  frees(() => place);
});
