/**
 * Names that would not be one line, or would read as another name: with line breaks, control characters, and characters that
 * hide or turn others around. They are kept without these, wherever they come from.
 */
import { FieldType } from '@portico/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, createTestWorld, type TestPortal, type TestWorld } from '../support/test-world.ts';

const MANAGE = '/portal/api/external/v2/admin/manage';
const UNSEEN = '\u202e\u200b\u2066\ufeff';

let portal: TestPortal;
let world: TestWorld;

beforeAll(async () => {
  portal = await createTestPortal();
  world = await createTestWorld(portal);
});
afterAll(() => portal?.close());

/** A name as it may be sent, which is kept as `{name} and more`. */
const odd = (name: string) => `${UNSEEN}${name}\r\nand\u2028more\u0007\u202c`;
const kept = (name: string) => `${name} and more`;

async function admin(method: string, path: string, body?: object) {
  const answer = await world.tenant.request(world.people.admin, method, `${MANAGE}/${path}`, body);
  expect(answer.status, `${method} ${path} ${answer.text}`).toBe(200);
  return answer.body;
}

test('of people, groups, units and roles are one line', async () => {
  const { userId } = await admin('POST', 'users', {
    firstname: odd('Ada'),
    lastname: odd('Rossi'),
    userInfo: { role: odd('Chemist'), place: odd('Turin') },
  });
  await admin('POST', 'users/import', {
    csv: `firstname,lastname,externalId\n"${odd('Bo')}","${odd('Verdi')}",bo-1\n`,
    invite: false,
  });
  const { groupId } = await admin('POST', 'groups', { name: odd('Staff'), visible: true });
  await admin('POST', 'areas', { name: odd('North') });
  await admin('POST', 'roles', { name: odd('Auditor'), permissions: ['readPublicPosts'] });
  await admin('POST', 'service-accounts', { name: odd('Robot') });
  const { db } = world;
  const texts = async (sql: string) => (await db.query<{ text: string }>(sql, [db.tenantId])).map(({ text }) => text);
  expect(await admin('GET', `users/${userId}/edit`)).toMatchObject({
    firstname: kept('Ada'),
    lastname: kept('Rossi'),
    userInfo: { role: kept('Chemist'), place: kept('Turin') },
  });
  expect(await admin('GET', `groups/${groupId}/edit`)).toMatchObject({ name: kept('Staff') });
  expect(
    await texts(`SELECT first_name || last_name AS text FROM users WHERE tenant_id = $1 AND external_id = 'bo-1'`),
  ).toEqual([kept('Bo') + kept('Verdi')]);
  expect(await texts('SELECT last_name AS text FROM users WHERE tenant_id = $1 AND service_account')).toContain(
    kept('Robot'),
  );
  expect(await texts('SELECT name AS text FROM areas WHERE tenant_id = $1')).toContain(kept('North'));
  expect(await texts('SELECT name AS text FROM own_roles WHERE tenant_id = $1')).toContain(kept('Auditor'));
});

test('of communities and what they are made of are one line, and still refer to one another', async () => {
  const { workspaceId } = await admin('POST', 'workspaces', { name: odd('House'), translations: { it: odd('Casa') } });
  const { communityId } = await admin('POST', 'communities', { name: odd('Repairs'), workspaceId });
  await admin('POST', `communities/${communityId}/fields`, {
    type: FieldType.ENUM,
    label: odd('Site'),
    translations: { it: odd('Luogo') },
    section: odd('Where'),
    enumValues: [{ label: odd('Kobe'), translations: { it: odd('Porto') } }],
  });
  await admin('POST', `communities/${communityId}/workflow`, {
    title: odd('Progress'),
    states: [
      { name: odd('Open'), initial: true },
      { name: 'Closed', terminal: true },
    ],
    transitions: [{ name: odd('Close'), from: odd('Open'), to: 'Closed' }],
  });
  const form = await admin('GET', `communities/${communityId}/workflow`);
  expect(form).toMatchObject({
    title: kept('Progress'),
    states: [{ name: kept('Open') }, { name: 'Closed' }],
    transitions: [{ name: kept('Close'), from: kept('Open'), to: 'Closed' }],
  });
  const file = await admin('GET', `communities/${communityId}/file`);
  expect(file).toMatchObject({
    workspace: { name: kept('House'), translations: { it: kept('Casa') } },
    community: { name: kept('Repairs') },
    fields: [
      {
        label: kept('Site'),
        translations: { it: kept('Luogo') },
        section: kept('Where'),
        values: [{ label: kept('Kobe'), translations: { it: kept('Porto') } }],
      },
    ],
  });
});

test('keep what spells words and emoji', async () => {
  for (const name of ['Zoë  O’Neill', 'می\u200cخواهم', '👩\u200d🔧 crew', 'שלום\u200f!']) {
    const { groupId } = await admin('POST', 'groups', { name, visible: true });
    expect(await admin('GET', `groups/${groupId}/edit`)).toMatchObject({ name });
  }
});

test('in which nothing can be seen are missing', async () => {
  const blank = '\u202e\u200b\r\n\u3164\u00ad';
  const requests: [string, object, string][] = [
    ['users', { firstname: blank, lastname: 'Rossi' }, 'firstname'],
    ['groups', { name: blank, visible: true }, 'name'],
    ['workspaces', { name: blank }, 'name'],
    ['communities', { name: blank, workspaceId: world.workspaceId }, 'name'],
    ['roles', { name: blank, permissions: ['readPublicPosts'] }, 'name'],
    ['areas', { name: blank }, 'name'],
  ];
  for (const [path, body, field] of requests) {
    const answer = await world.tenant.request(world.people.admin, 'POST', `${MANAGE}/${path}`, body);
    expect(answer.status, path).toBe(400);
    expect(answer.body.validationErrors.list, path).toContainEqual(
      expect.objectContaining({ field, code: 'REQUIRED_FIELD' }),
    );
  }
});

test('titles and texts of posts stay as they were sent', async () => {
  const title = `Pump\u202e ${'\u05d0'}`;
  const { postId } = await world.ok(world.people.contributor, 'POST', `posts/manage/create-post/${world.communityId}`, {
    title,
    description: 'x',
    descriptionFormat: 2,
  });
  const post = await world.ok(world.people.contributor, 'GET', `posts/data/post-detail-by-id/${postId}`);
  expect(post.title).toBe(title);
});
