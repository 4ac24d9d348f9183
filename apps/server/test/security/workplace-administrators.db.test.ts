/**
 * The right manageDigitalWorplace administers communities and workspaces and shows no post. Its
 * holders can give themselves a role, which the form of the workspace and the audit log show; the
 * role alone decides which posts they then see.
 */
import { type Operation, type OperationId, operationList } from '@portico/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal } from '../support/index.ts';
import { type Attacked, makeAttacked, type Objects, ROOT } from './objects.fixture.ts';
import { ownRequest, wire } from './requests.fixture.ts';

const WORD = 'Quokkanar';
/** Texts of posts, events, tasks, comments and files of the fixture. */
const CONTENT = new RegExp(`(Title|Text|Event|Plan|Room|Task|Do|Step|Comment|File|Value) (Plain|${WORD})`);

let portal: TestPortal;
let mine: Attacked;
let holder: number;

beforeAll(async () => {
  portal = await createTestPortal();
  mine = await makeAttacked(portal, WORD);
  const { tenant } = mine.world;
  holder = await tenant.createUser();
  const db = portal.services.databases.for(tenant.tenant.id);
  await db.execute('UPDATE users SET manages_workplace = true WHERE tenant_id = $1 AND id = $2', [db.tenantId, holder]);
  await tenant.settleStream();
});

afterAll(async () => {
  await portal.close();
});

/** Reads of the product, apart from reads of administration. */
function isRead({ kind, permission, path }: Operation): boolean {
  return kind === 'read' && permission !== 'public' && !path.startsWith('/admin/');
}

/** The answers to every read about the objects, by operation. */
async function readAll(actor: number, objects: Objects): Promise<Map<string, { status: number; text: string }>> {
  const answers = new Map<string, { status: number; text: string }>();
  for (const operation of operationList.filter(isRead)) {
    const asked = ownRequest(operation.id as OperationId, objects);
    const { attachmentId, commentAttachmentId, eventPostId, postId } = objects;
    if (operation.id === 'checkAttachmentVisibility') asked.body = { ids: [attachmentId, commentAttachmentId] };
    if (/^checkPostVisibility/.test(operation.id)) asked.body = { ids: [postId, eventPostId] };
    const { method, path, body } = wire(asked);
    const { status, text } = await mine.world.tenant.request(actor, method, path, body);
    answers.set(operation.id, { status, text });
  }
  return answers;
}

/** The reads that answered with content of posts. */
async function showing(actor: number, objects: Objects): Promise<string[]> {
  const answers = await readAll(actor, objects);
  return [...answers].filter(([, { text }]) => CONTENT.test(text)).map(([id]) => id);
}

/** Returns the posts among the objects that the interface reports as visible to a member. */
async function seen(actor: number, { postId, eventPostId }: Objects): Promise<number[]> {
  const body = { ids: [postId, eventPostId] };
  const path = `${ROOT}/communication/posts/data/check-visibility`;
  const answer = await mine.world.tenant.request(actor, 'POST', path, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.body.posts.map(({ id }: { id: number }) => id);
}

const workspace = () => `${ROOT}/admin/manage/workspaces/${mine.world.workspaceId}`;

test('no read shows content of a post to who only administers the workplace', async () => {
  for (const objects of [mine.open, mine.hidden, mine.elsewhere]) {
    expect(await showing(holder, objects)).toEqual([]);
    expect(await seen(holder, objects)).toEqual([]);
    // The same requests of a manager show it.
    expect(await showing(mine.chief, objects)).toEqual(
      expect.arrayContaining([
        'getPostDetailById',
        'globalPostsStream',
        'listCommunityPosts',
        'listPostAttachmentsByPostId',
        'listPostComments',
      ]),
    );
  }
});

test('a role that they give themselves is shown and recorded, and shows no more than it does to others', async () => {
  const { tenant, people } = mine.world;
  const form = await tenant.request(holder, 'GET', `${workspace()}/edit`);
  expect(form.status, form.text).toBe(200);
  const edited = await tenant.request(holder, 'PUT', `${workspace()}/${form.body.occToken}`, {
    name: form.body.contentData.name,
    addUserRoleAssociations: [{ userId: holder, roleId: 3 }],
  });
  expect(edited.status, edited.text).toBe(200);
  const shown = await tenant.request(people.admin, 'GET', `${workspace()}/edit`);
  expect(shown.body.contentData.adminUsers.items).toContainEqual(
    expect.objectContaining({
      user: expect.objectContaining({ id: holder }),
      role: expect.objectContaining({ id: 3 }),
    }),
  );

  const log = await tenant.request(people.admin, 'POST', `${ROOT}/admin/data/audit-entries`, {
    objectTypes: ['workspace'],
    objectIds: [mine.world.workspaceId],
  });
  expect(log.status, log.text).toBe(200);
  expect(log.body.items[0]).toMatchObject({ operation: 'editWorkspace', action: 'modified', actorId: holder });
  const members = log.body.items[0].changes.find(({ field }: { field: string }) => field === 'members');
  const given = JSON.parse(members.after);
  expect(given).toContainEqual({ principal: holder, role: 3 });

  expect(await seen(holder, mine.open)).toEqual(await seen(people.reader, mine.open));
  expect(await seen(holder, mine.open)).toEqual([mine.open.postId, mine.open.eventPostId]);
  expect(await seen(holder, mine.hidden)).toEqual([]);
  expect(await showing(holder, mine.open)).toContain('getPostDetailById');
});
