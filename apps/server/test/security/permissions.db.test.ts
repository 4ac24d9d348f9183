/**
 * Permissions: every operation, requested by people of every role for the same objects. An object
 * that they must not see is 404, a visible object with a forbidden action is 403, and nothing is
 * written. Then the ways around it: somebody else's keys, uploads and memberships.
 */
import { type Operation, type OperationId, operationList, RoleId } from '@portico/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createCommunity, setCommunityRoles } from '../../src/modules/communities/index.ts';
import { dumpTenant, makeUpload } from '../../src/modules/posts/writing/writing.fixture.ts';
import { createTestPortal, type TestAnswer, type TestPortal } from '../support/index.ts';
import { type Attacked, makeAttacked, type Objects, ROOT } from './objects.fixture.ts';
import { ownRequest, wire } from './requests.fixture.ts';

let portal: TestPortal;
let mine: Attacked;

beforeAll(async () => {
  portal = await createTestPortal();
  mine = await makeAttacked(portal, 'Quagganar');
});

afterAll(async () => {
  await portal.close();
});

function ask(
  actor: number | null,
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
): Promise<TestAnswer> {
  return mine.world.tenant.request(actor, method, `${ROOT}${path}`, body, headers);
}

/** Operations of administration; the others are about a community, a post or the caller. */
const ADMINISTRATION = ['manageUsers', 'manageDigitalWorplace', 'everyAdministrativeRight', 'applyCommunityFile'];
/** Permissions of everyone who sees the object. */
const SEEING = [
  'seeCommunityMembers',
  'seePost',
  'seePostComments',
  'seeCommunity',
  'seeView',
  'seeTask',
  'seeAttachment',
  'answerEvent',
  'like',
  'followPost',
  'seeEvent',
];

/** A person by id, nobody, or the holder of a personal access token. */
type Caller = number | null | { token: string };

/** Runs writes dry, except writes that must be refused: they must change nothing by themselves. */
async function statuses(
  caller: Caller,
  objects: Objects,
  chosen: (operation: Operation) => boolean,
  refused: (operation: Operation) => boolean,
) {
  const found: Record<string, number> = {};
  for (const operation of operationList.filter(chosen)) {
    const asked = ownRequest(operation.id as OperationId, objects);
    const { method, path, body } = wire(refused(operation) ? { ...asked, query: {} } : asked);
    const answer =
      caller !== null && typeof caller === 'object'
        ? await mine.world.tenant.request(null, method, path, body, { Authorization: caller.token })
        : await mine.world.tenant.request(caller, method, path, body);
    found[operation.id] = answer.status;
  }
  return found;
}

/** The operations whose status is not the expected one. */
async function surprises(
  caller: Caller,
  objects: Objects,
  expected: (operation: Operation) => number | undefined,
): Promise<string[]> {
  const found = await statuses(
    caller,
    objects,
    (operation) => expected(operation) !== undefined,
    (operation) => (expected(operation) ?? 0) >= 400,
  );
  return operationList.flatMap((operation) => {
    const wanted = expected(operation);
    const status = found[operation.id];
    return wanted === undefined || status === wanted ? [] : [`${operation.id}: ${status}, not ${wanted}`];
  });
}

/** Every row of the tenant; reading a post counts as a view of it. */
async function rowsButViews(): Promise<Map<string, string[]>> {
  const dump = await dumpTenant(mine.world);
  for (const table of ['post_user_state', 'post_view_counts', 'post_views']) dump.delete(table);
  return dump;
}

const takesObject = ({ pathParams }: Operation) => Object.keys(pathParams).length > 0;

describe('who may do what', () => {
  test('nobody without a sign-in', async () => {
    expect(await surprises(null, mine.open, ({ permission }) => (permission === 'public' ? undefined : 401))).toEqual(
      [],
    );
  });

  test('readers read, and change nothing', async () => {
    const before = await rowsButViews();
    const expected = (operation: Operation) => {
      const { permission } = operation;
      if (ADMINISTRATION.includes(permission)) return 403;
      // It is asked of a community without a workflow, in which they have no role.
      if (operation.id === 'createCommunityWorkflow') return 404;
      if (SEEING.includes(permission)) return 200;
      return takesObject(operation) && permission !== 'authenticated' ? 403 : undefined;
    };
    expect(await surprises(mine.world.people.reader, mine.open, expected)).toEqual([]);
    expect(await rowsButViews()).toEqual(before);
  });

  test('watchers, assignees and invited people see their private post and change nothing', async () => {
    const onPost = (operation: Operation) => 'postId' in operation.pathParams || 'taskId' in operation.pathParams;
    const ofEvents = (operation: Operation) => /event-post|post-event/.test(operation.path);
    const expected = (events: boolean) => (operation: Operation) => {
      if (!onPost(operation) || ofEvents(operation) !== events) return undefined;
      // Assignees do, by design.
      if (operation.id === 'setTaskState') return undefined;
      return SEEING.includes(operation.permission) ? 200 : 403;
    };
    expect(await surprises(mine.watcher, mine.hidden, expected(false))).toEqual([]);
    expect(await surprises(mine.assignee, mine.hidden, expected(false))).toEqual([]);
    expect(await surprises(mine.invited, mine.hidden, expected(true))).toEqual([]);
    // Each sees the one post that is theirs to see.
    const { postId, eventPostId } = mine.hidden;
    const ids = [postId, eventPostId];
    const seen = async (actor: number) =>
      (await ask(actor, 'POST', '/communication/posts/data/check-visibility', { ids })).body.posts.map(
        (post: { id: number }) => post.id,
      );
    expect(await seen(mine.watcher)).toEqual([postId]);
    expect(await seen(mine.assignee)).toEqual([postId]);
    expect(await seen(mine.invited)).toEqual([eventPostId]);
    expect(await seen(mine.world.people.manager)).toEqual(ids);
  });

  test('to contributors a private post does not exist', async () => {
    const expected = ({ pathParams }: Operation) =>
      'postId' in pathParams || 'taskId' in pathParams || 'attachmentId' in pathParams ? 404 : undefined;
    for (const actor of [mine.world.people.contributor, mine.world.people.reader, mine.blocked]) {
      expect(await surprises(actor, mine.hidden, expected)).toEqual([]);
    }
  });

  test('to guests no post exists that does not name them, and they change nothing', async () => {
    const { tenant, people } = mine.world;
    const guest = await tenant.createUser();
    const system = await tenant.scope(tenant.systemUserId);
    await setCommunityRoles(system, mine.open.communityId, [{ principal: guest, role: RoleId.GUEST }]);
    const before = await rowsButViews();
    const expected = ({ pathParams, permission }: Operation) => {
      if ('postId' in pathParams || 'taskId' in pathParams || 'attachmentId' in pathParams) return 404;
      if (ADMINISTRATION.includes(permission)) return 403;
      return ['seeCommunity', 'seeCommunityMembers'].includes(permission) ? 200 : undefined;
    };
    expect(await surprises(guest, mine.open, expected)).toEqual([]);
    expect(await surprises(guest, mine.hidden, expected)).toEqual([]);
    expect(await rowsButViews()).toEqual(before);
    const { postId } = mine.open;
    const watch = { addWatcherUserIds: [guest] };
    expect(
      (await ask(people.author, 'PUT', `/communication/posts/manage/edit-post-watchers/${postId}`, watch)).status,
    ).toBe(200);
    expect((await ask(guest, 'GET', `/communication/posts/data/post-detail-by-id/${postId}`)).status).toBe(200);
    const comment = { comment: 'x', commentFormat: 2 };
    expect((await ask(guest, 'POST', `/communication/posts/manage/create-comment/${postId}`, comment)).status).toBe(
      403,
    );
  });

  test('to people without a role no community exists, administrators included', async () => {
    const expected = (admin: boolean) => (operation: Operation) => {
      // There is no trial that it could finish.
      if (operation.id === 'finishIdentityProviderTest') return admin ? 400 : 403;
      // There is no archive.
      if (operation.id.endsWith('CommunityArchive')) return admin ? 400 : 403;
      if (ADMINISTRATION.includes(operation.permission)) return admin ? 200 : 403;
      if (['editCommunity', 'seeCommunityMembers'].includes(operation.permission)) return admin ? 200 : 404;
      return takesObject(operation) && !['public', 'authenticated'].includes(operation.permission) ? 404 : undefined;
    };
    expect(await surprises(mine.world.people.outsider, mine.open, expected(false))).toEqual([]);
    expect(await surprises(mine.visitor, mine.open, expected(false))).toEqual([]);
    expect(await surprises(mine.world.people.admin, mine.open, expected(true))).toEqual([]);
    expect(await surprises(mine.world.people.admin, mine.hidden, expected(true))).toEqual([]);
  });

  test('each administrative right opens its own forms only', async () => {
    const db = portal.services.databases.for(mine.world.tenant.tenant.id);
    const one = async (column: string) => {
      const id = await mine.world.tenant.createUser();
      await db.execute(`UPDATE users SET ${column} = true WHERE tenant_id = $1 AND id = $2`, [db.tenantId, id]);
      return id;
    };
    const [users, workplace] = [await one('manages_users'), await one('manages_workplace')];
    const rightFor = (permission: string) =>
      permission === 'applyCommunityFile' ? 'manageDigitalWorplace' : permission;
    const expected = (right: string) => (operation: Operation) => {
      if (!ADMINISTRATION.includes(operation.permission)) return undefined;
      return rightFor(operation.permission) === right ? 200 : 403;
    };
    expect(await surprises(users, mine.open, expected('manageUsers'))).toEqual([]);
    expect(await surprises(workplace, mine.open, expected('manageDigitalWorplace'))).toEqual([]);
  });
});

describe('a personal access token', () => {
  /** Creates a token of a user with every right. */
  const tokenOf = async (change: object): Promise<Caller> => {
    const input = { name: 'Program', validDays: 1, ...change };
    const answer = await ask(mine.chief, 'POST', '/core/auth/manage/personal-tokens', input);
    expect(answer.status, answer.text).toBe(200);
    return { token: answer.body.secret };
  };
  const aboutSignIn = ({ method, path }: Operation) => method !== 'GET' && path.startsWith('/core/auth/');
  const needsUsers = ({ permission }: Operation) => ['manageUsers', 'everyAdministrativeRight'].includes(permission);

  test('that reads changes nothing', async () => {
    const token = await tokenOf({ access: 'read' });
    const before = await rowsButViews();
    const expected = (operation: Operation) => {
      if (operation.permission === 'public') return undefined;
      if (operation.kind === 'write' || aboutSignIn(operation) || needsUsers(operation)) return 403;
      return SEEING.includes(operation.permission) ? 200 : undefined;
    };
    expect(await surprises(token, mine.open, expected)).toEqual([]);
    expect(await rowsButViews()).toEqual(before);
  });

  test('that writes administers no people, and changes no sign-in', async () => {
    const token = await tokenOf({ access: 'write' });
    const expected = (operation: Operation) => {
      if (operation.permission === 'public') return undefined;
      if (aboutSignIn(operation) || needsUsers(operation)) return 403;
      return operation.permission === 'manageDigitalWorplace' ? 200 : undefined;
    };
    expect(await surprises(token, mine.open, expected)).toEqual([]);
  });

  test('for another community finds nothing in this one, and administers nothing', async () => {
    const { tenant, workspaceId } = mine.world;
    const system = await tenant.scope(tenant.systemUserId);
    const communityId = await createCommunity(system, { workspaceId, name: 'Of the token' });
    await setCommunityRoles(system, communityId, [{ principal: mine.chief, role: 1 }]);
    const token = await tokenOf({ access: 'write', onlyCommunityIds: [communityId] });
    const expected = (operation: Operation) => {
      const { id, permission, pathParams } = operation;
      // It is asked of a community without a workflow, the one of the token.
      if (permission === 'public' || id === 'createCommunityWorkflow') return undefined;
      const ofAccount = operation.path.startsWith('/core/auth/') || id === 'editMyProfile';
      if (ADMINISTRATION.includes(permission) || (ofAccount && id !== 'currentUserData')) return 403;
      return Object.keys(pathParams).length > 0 && permission !== 'authenticated' ? 404 : undefined;
    };
    expect(await surprises(token, mine.open, expected)).toEqual([]);
    expect(await surprises(token, mine.hidden, expected)).toEqual([]);
  });
});

describe('ways around', () => {
  const create = () => `/communication/posts/manage/create-post/${mine.open.communityId}`;
  const body = (change: object = {}) => ({
    title: 'x',
    description: 'x',
    descriptionFormat: 2,
    announcement: false,
    ...change,
  });

  test('somebody else’s Idempotency-Key gives nothing away', async () => {
    const { author, contributor: other } = mine.world.people;
    const key = { 'Idempotency-Key': 'shared-key-of-two' };
    const first = await ask(author, 'POST', create(), body({ title: 'Of the author', visibility: 1 }), key);
    expect(first.status).toBe(200);
    const again = await ask(author, 'POST', create(), body({ title: 'Of the author', visibility: 1 }), key);
    expect(again.body.postId).toBe(first.body.postId);
    const second = await ask(other, 'POST', create(), body({ title: 'Of the author', visibility: 1 }), key);
    expect(second.status).toBe(200);
    expect(second.body.postId).not.toBe(first.body.postId);
    expect(second.body.postData.creatorUser.id).toBe(other);
    // The key of one operation is no key of another, and a refused request leaves none behind.
    const elsewhere = await ask(
      author,
      'DELETE',
      `/communication/posts/manage/delete-post/${first.body.postId}`,
      undefined,
      key,
    );
    expect(elsewhere.status).toBe(422);
    const refused = { 'Idempotency-Key': 'refused-at-first' };
    expect((await ask(mine.world.people.reader, 'POST', create(), body(), refused)).status).toBe(403);
    expect((await ask(mine.world.people.reader, 'POST', create(), body(), refused)).status).toBe(403);
  });

  test('a dry run writes nothing, uses up no upload and keeps no key', async () => {
    const { world } = mine;
    const contentRef = await makeUpload(world, world.people.author);
    const attachments = [{ contentRef, name: 'x.png' }];
    const before = await dumpTenant(world);
    const key = { 'Idempotency-Key': 'dry' };
    for (let round = 0; round < 2; round++) {
      const dry = await ask(world.people.author, 'POST', `${create()}?dryRun=true`, body({ attachments }), key);
      expect(dry.status, dry.text).toBe(200);
      expect(dry.body.dryRun).toBeDefined();
    }
    expect(await dumpTenant(world)).toEqual(before);
    expect((await ask(world.people.author, 'POST', create(), body({ attachments }), key)).status).toBe(200);
  });

  test('uploads belong to who made them, in every place that takes one', async () => {
    const { world } = mine;
    const theirs = await makeUpload(world, world.people.author);
    const used = mine.hidden.contentRef;
    const places: [string, string, unknown][] = [
      ['POST', create(), body({ attachments: [{ contentRef: theirs, name: 'x' }] })],
      ['POST', create(), body({ attachments: [{ contentRef: used, name: 'x' }] })],
      [
        'POST',
        `/communication/posts/manage/create-event-post/${mine.open.communityId}`,
        {
          ...body(),
          coverImageContentRef: theirs,
          event: { startAt: { localDatetime: '2027-01-01T10:00' }, timezone: 'UTC' },
        },
      ],
      [
        'POST',
        `/communication/posts/manage/create-comment/${mine.open.postId}`,
        { comment: 'x', commentFormat: 2, attachments: [{ contentRef: theirs, name: 'x' }] },
      ],
      ['PUT', `/admin/manage/workspaces/${mine.open.workspaceId}/1`, { name: 'x', newCoverImageContentRef: theirs }],
      ['PUT', `/admin/manage/workspaces/${mine.open.workspaceId}/1`, { name: 'x', newLogoContentRef: theirs }],
      [
        'POST',
        '/admin/manage/users',
        {
          firstname: 'x',
          lastname: 'x',
          userCredentialsConfiguration: {
            custom: { active: true, username: 'upload-thief', profilePhoto: { newContentRef: theirs } },
          },
          resetUserCustomCredentialsCommand: { generatePassword: true },
        },
      ],
    ];
    for (const [method, path, sent] of places) {
      const answer = await ask(mine.chief, method, path, sent);
      expect(answer.status, `${path} ${answer.text}`).toBe(400);
      expect(answer.text, path).toContain('CONTENT_REF_INVALID');
    }
  });

  test('a negative id is never taken for a group, nor for a user', async () => {
    const { world } = mine;
    const { groupId, communityId } = mine.open;
    const expiration = { datetime: '2027-03-01T10:00', timezone: 'UTC' };
    const event = (users: number, groups: number) => ({
      ...body(),
      event: {
        startAt: { localDatetime: '2027-01-01T10:00' },
        timezone: 'UTC',
        invitations: { users: [{ id: users }], groups: [{ id: groups }] },
      },
    });
    const attempts: [string, string, unknown][] = [
      ['POST', create(), body({ watcherUserIds: [-groupId] })],
      ['POST', create(), body({ customData: { [String(world.fields['PEOPLE'])]: [-groupId] } })],
      [
        'POST',
        `/communication/posts/manage/create-event-post/${communityId}`,
        event(-groupId, -world.people.contributor),
      ],
      [
        'POST',
        `/communication/tasks/manage/create-task/${mine.open.postId}`,
        { title: 'x', expiration, assigneeUserId: -groupId },
      ],
      [
        'POST',
        `/communication/tasks/manage/create-task/${mine.open.postId}`,
        { title: 'x', expiration, assigneeGroupId: -world.people.contributor },
      ],
      [
        'POST',
        `/communication/tasks/manage/create-task/${mine.open.postId}`,
        {
          title: 'x',
          expiration,
          assigneeUserId: world.people.contributor,
          watcherUserIds: [-groupId],
          watcherGroupIds: [-world.people.contributor],
        },
      ],
      ['PUT', `/admin/manage/workspaces/${mine.open.workspaceId}/1`, { name: 'x', addUserIds: [-groupId] }],
      [
        'PUT',
        `/admin/manage/workspaces/${mine.open.workspaceId}/1`,
        { name: 'x', addGroupIds: [-world.people.reader] },
      ],
      ['POST', '/admin/manage/groups', { name: 'x', memberIds: [-groupId] }],
    ];
    for (const [method, path, sent] of attempts) {
      const answer = await ask(mine.chief, method, `${path}?dryRun=true`, sent);
      expect(answer.status, `${path} ${answer.text}`).toBe(400);
    }
  });

  test('removing by a negative id takes nobody of the other kind away', async () => {
    const { world } = mine;
    const event = mine.open.eventPostId;
    const db = portal.services.databases.for(world.tenant.tenant.id);
    await db.execute('INSERT INTO post_watchers (tenant_id, post_id, principal) VALUES ($1, $2, $3), ($1, $2, $4)', [
      db.tenantId,
      event,
      -mine.open.groupId,
      world.people.contributor,
    ]);
    const watchers = async () =>
      (
        await db.query<{ principal: number }>(
          'SELECT principal FROM post_watchers WHERE tenant_id = $1 AND post_id = $2 ORDER BY 1',
          [db.tenantId, event],
        )
      ).map((row) => row.principal);
    const before = await watchers();
    const removed = await ask(world.people.author, 'PUT', `/communication/posts/manage/edit-post-watchers/${event}`, {
      removeWatcherUserIds: [-mine.open.groupId],
    });
    expect(removed.status, removed.text).toBe(200);
    expect(await watchers()).toEqual(before);
  });
});
