/** Queries whose words are parts of many others. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabaseOnOwnCluster } from '../../../test/support/index.ts';
import {
  createTestPortal,
  createTestWorld,
  type TestPortal,
  type TestWorld,
} from '../../../test/support/test-world.ts';
import { indexNext } from './index.ts';

let portal: TestPortal;
let world: TestWorld;

beforeAll(async () => {
  portal = await createTestPortal({ database: await createDatabaseOnOwnCluster() });
  world = await createTestWorld(portal);
});
afterAll(() => portal?.close());

async function index(): Promise<void> {
  const scope = await world.scope(world.tenant.systemUserId);
  while (await indexNext(scope));
}

const search = (text: string) => world.send(world.people.author, 'POST', 'search/data/search', { text });

/** A word of letters for a number. */
const letters = (n: number) =>
  n
    .toString(26)
    .padStart(4, '0')
    .replace(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)));

test('words that are parts of many long ones are searched for', async () => {
  const parts = Array.from({ length: 16 }, (_, n) => `qw${letters(n)}`);
  const long = parts.flatMap((part) =>
    Array.from({ length: 45 }, (_, n) => `${part}${letters(n)}${'kl'.repeat(12)}ings`),
  );
  const postId = await world.post(world.people.author, { title: 'Parts', description: long.join(' ') });
  await index();
  for (const text of [
    parts.join(' '),
    parts.join(' or '),
    `${parts.slice(0, 15).join(' ')} qzzzzz`,
    `${parts.slice(0, 14).join(' ')} qzzzzz qxxxxx`,
  ]) {
    const { status, body, text: answer } = await search(text);
    expect([status, body.items?.map(({ id }: { id: number }) => id)], answer).toEqual([200, [postId]]);
  }
});
