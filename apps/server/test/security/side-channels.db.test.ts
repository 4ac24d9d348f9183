/**
 * A private post, a draft and a scheduled post do not exist for users who must not see them: not in
 * a total, an order, a filter, an error, a count, the stream or a value of another post. The
 * responses to a battery of reads are compared before and after such posts are created: they must
 * be the same to the last character.
 */
import { postOrders } from '@portico/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setCommunityRoles } from '../../src/modules/communities/index.ts';
import { createPost, rows } from '../../src/modules/posts/writing/writing.fixture.ts';
import { createTestPortal, type TestAnswer, type TestPortal } from '../support/index.ts';
import { numbersIn } from '../support/numbers-in.ts';
import { type Attacked, makeAttacked, makeObjects, type Objects, ROOT, spreadIds } from './objects.fixture.ts';

const NOW = Date.parse('2027-01-15T12:00:00Z');
let portal: TestPortal;
let mine: Attacked;

beforeAll(async () => {
  portal = await createTestPortal({ clock: { now: () => NOW } });
  await spreadIds(portal);
  mine = await makeAttacked(portal, 'Quagganar');
});

afterAll(async () => {
  await portal.close();
});

const POSTS = '/communication/posts';

function ask(actor: number, method: string, path: string, body?: unknown, headers?: Record<string, string>) {
  return mine.world.tenant.request(actor, method, `${ROOT}${path}`, body, headers);
}

function plain(answer: TestAnswer): string {
  return `${answer.status} ${answer.text
    .replaceAll(/"requestId":"[^"]*"/g, '"requestId":"R"')
    .replaceAll(/\/files\/[\w.~-]+/g, '/files/L')
    // New objects come with a service account, which is a member.
    .replaceAll(/"membersCount":\d+/g, '"membersCount":0')
    .replaceAll(/"next(Page|Sync)Token":"[^"]*"/g, '"next$1Token":"T"')}`;
}

/** Filters that the hidden posts would all meet, and filters that few posts meet. */
function filters(): Record<string, unknown>[] {
  const { world, word, hidden, watcher } = mine;
  const { fields, values } = world;
  const field = (name: string, typeId: number, ...parameters: unknown[]) => ({
    postFieldFilters: [{ columnId: fields[name], typeId, parameters }],
  });
  return [
    {},
    { title: word },
    { description: word },
    { containsText: word },
    { containsText: word.slice(0, 4) },
    { containsText: word.slice(2, 6) },
    { visibility: 1 },
    { createdByUserIds: [world.people.author] },
    { createdByUserId: world.people.author, visibility: 1 },
    { modifiedByUserId: world.people.author },
    { mentioned: true },
    { followedByMe: true },
    { toManage: true },
    { toManageProcesses: true },
    { toManageStandardTasks: true },
    { acknowledgeTaskFilter: { confirmed: false } },
    { acknowledgeTaskFilter: { assignedToMe: true } },
    { postTypes: [2] },
    { postTypes: [1, 2, 3], visibility: 1 },
    { eventPostFilter: { location: word }, postTypes: [2] },
    { eventPostFilter: { startDateFrom: 0 } },
    { onlyPinned: true },
    { draft: true },
    { draftType: 1 },
    { draftType: 2 },
    { hashtagIds: [hidden.hashtagId] },
    { currentWorkflowStatusIds: [hidden.stateId] },
    { currentWorkflowStatusIds: [hidden.stateId], includeStatelessPosts: true },
    { postId: hidden.postId },
    { creationTimestampFrom: NOW - 1, creationTimestampTo: NOW + 1 },
    field('INT', 1, 777),
    field('INT', 2, 500, null),
    field('INT', 6, 777),
    field('INT', 7),
    field('STRING', 1, `Value ${word}`),
    field('STRING', 3, word),
    field('STRING', 7),
    field('ENUM', 4, values['ENUM']![0]),
    field('ENUM', 6, values['ENUM']![0]),
    field('PEOPLE', 4, watcher),
    field('PEOPLE', 7),
    field('POSTS', 4, hidden.postId),
    field('POSTS', 5, hidden.postId),
    field('POSTS', 6, hidden.postId),
    { communityAttachmentFilters: { name: word } },
    { communityAttachmentFilters: { name: word, entityTypes: [1, 2, 3, 4, 5] } },
    { communityAttachmentFilters: { createdByUserIds: [world.people.author], entityTypes: [3] } },
    { communityAttachmentFilters: { mimeTypes: [2] } },
  ];
}

function battery(): [method: string, path: string, body?: unknown][] {
  const { hidden, word } = mine;
  const list = `${POSTS}/data/list/community/${hidden.communityId}?loadCapabilities=true&loadMainAttachmentViewLink=true`;
  const whole = { pageSize: 500, calculateTotalItemsCount: true };
  const orders = [
    ...postOrders,
    ...[mine.world.fields['INT'], mine.world.fields['DATE']].map((id) => `postCustomField-${id}`),
  ];
  return [
    ...filters().map((filter): [string, string, unknown] => ['POST', list, { ...whole, ...filter }]),
    ...orders.flatMap((orderBy): [string, string, unknown][] => [
      ['POST', list, { ...whole, orderBy, orderDesc: true }],
      ['POST', list, { ...whole, orderBy, orderDesc: false, pageSize: 1 }],
    ]),
    ['POST', `${POSTS}/data/community-list/${hidden.communityId}`, { ...whole, containsText: word }],
    ['POST', `${POSTS}/data/community-list/${hidden.communityId}`, whole],
    ['POST', `${POSTS}/data/global-stream?loadMainAttachmentViewLink=true`],
    ['GET', '/communication/settings/communities'],
    ['GET', '/communication/settings/communities/view-post?viewPostCapabilityLevel=ALL'],
    ['GET', `/communication/settings/communities/${hidden.communityId}/details`],
    ['GET', `/communication/settings/communities/${hidden.communityId}/post-definition`],
    ['POST', `/admin/data/communities/${hidden.communityId}/hashtags`, whole],
    ['GET', '/core/auth/current-user-data'],
    ['GET', '/core/user-profile/info'],
    ['GET', `${POSTS}/manage/post-data-for-create/${hidden.communityId}`],
    ['GET', `${POSTS}/data/post-detail-by-client-uid/more-${word}`],
  ];
}

async function answers(actor: number): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const [method, path, body] of battery()) {
    found.set(`${method} ${path} ${JSON.stringify(body)}`, plain(await ask(actor, method, path, body)));
  }
  return found;
}

/** Whatever a person may not see of: private, draft, planned, and all that belongs to them. */
async function makeUnseen(tag: string): Promise<Objects> {
  const { world, word } = mine;
  const made = await makeObjects(mine, world.communityId, world.people.author, 1, tag);
  const mention = JSON.stringify([
    { insert: { mention: { id: String(world.people.contributor), value: 'Other' } } },
    { insert: ` ${word}\n` },
  ]);
  await createPost(world, world.people.author, {
    title: `Named ${word}`,
    description: mention,
    descriptionFormat: 1,
    visibility: 1,
  });
  await createPost(world, world.people.author, {
    title: `Draft ${word}`,
    draft: true,
    clientUid: `more-${word}${tag}`,
  });
  await createPost(world, world.people.author, {
    title: `Planned ${word}`,
    scheduledPublication: { datetime: '2027-12-01T10:00', timezone: 'Europe/Rome' },
  });
  await createPost(world, world.people.manager, {
    title: `Pinned ${word}`,
    visibility: 1,
    customData: { [String(world.fields['POSTS'])]: [mine.open.postId] },
  });
  return made;
}

describe('posts that one may not see', () => {
  test('change no answer', async () => {
    const { world } = mine;
    const actors = {
      other: world.people.contributor,
      reader: world.people.reader,
      stranger: world.people.outsider,
      admin: world.people.admin,
      visitor: mine.visitor,
    };
    const before = new Map<string, Map<string, string>>();
    for (const [name, actor] of Object.entries(actors)) {
      await answers(actor);
      before.set(name, await answers(actor));
    }
    await makeUnseen('-b');
    const changed: string[] = [];
    for (const [name, actor] of Object.entries(actors)) {
      for (const [request, answer] of await answers(actor)) {
        const earlier = before.get(name)!.get(request);
        if (earlier !== answer)
          changed.push(`${name}: ${request}\n  ${earlier?.slice(0, 300)}\n  ${answer.slice(0, 300)}`);
        if (answer.includes(`Title ${mine.word}`)) changed.push(`${name}: ${request} tells ${answer.slice(0, 300)}`);
      }
    }
    expect(changed).toEqual([]);
  });

  test('are not told of by what refers to them', async () => {
    const { world, hidden, open, word } = mine;
    const field = String(world.fields['POSTS']);
    const form = await ask(world.people.manager, 'GET', `${POSTS}/manage/post-data-for-edit/${open.postId}`);
    const edit = await ask(
      world.people.manager,
      'PUT',
      `${POSTS}/manage/edit-post/${open.postId}/${form.body.occToken}`,
      {
        title: 'Refers',
        description: 'Plain',
        descriptionFormat: 2,
        visibility: 2,
        customData: { [field]: [hidden.postId] },
      },
    );
    expect(edit.status, edit.text).toBe(200);
    const list = `${POSTS}/data/list/community/${hidden.communityId}`;
    for (const actor of [world.people.contributor, world.people.reader, mine.blocked]) {
      const asked = [
        await ask(actor, 'GET', `${POSTS}/data/post-detail-by-id/${open.postId}`),
        await ask(actor, 'POST', list, { pageSize: 100 }),
        await ask(actor, 'POST', `${POSTS}/data/global-stream`),
        await ask(actor, 'POST', `${POSTS}/data/history-list/${open.postId}`, {}),
        await ask(actor, 'POST', `/communication/attachments/data/posts/${open.postId}/attachments-list`, {}),
        await ask(actor, 'GET', `${POSTS}/manage/post-data-for-edit/${open.postId}`),
        await ask(actor, 'GET', `${POSTS}/manage/post-data-for-copy/${open.postId}`),
      ];
      for (const answer of asked) {
        expect(numbersIn(answer.body ?? answer.text)).not.toContain(hidden.postId);
        expect(answer.text).not.toContain(`Title ${word}`);
      }
      for (const typeId of [1, 4, 5, 6]) {
        const by = (id: number) =>
          ask(actor, 'POST', list, {
            calculateTotalItemsCount: true,
            postFieldFilters: [{ columnId: world.fields['POSTS'], typeId, parameters: [id] }],
          });
        const [real, never] = [await by(hidden.postId), await by(79_999_999)];
        expect([typeId, plain(real)]).toEqual([typeId, plain(never)]);
      }
    }
  });

  test('cannot be chosen as values, and the error is that of an unknown id', async () => {
    const { world, hidden } = mine;
    const field = String(world.fields['POSTS']);
    const create = (id: number) =>
      ask(world.people.contributor, 'POST', `${POSTS}/manage/create-post/${hidden.communityId}?dryRun=true`, {
        title: 'x',
        description: 'x',
        descriptionFormat: 2,
        announcement: false,
        customData: { [field]: [id] },
      });
    const [real, never] = [await create(hidden.postId), await create(79_999_999)];
    expect(real.status).toBe(400);
    expect(plain(real)).toBe(plain(never).replaceAll('79999999', String(hidden.postId)));
  });

  test('give away nothing by a clientUid that is taken', async () => {
    const { world, hidden, word } = mine;
    const attempts: [string, string, object][] = [
      [
        'POST',
        `${POSTS}/manage/create-post/${hidden.communityId}`,
        { title: 'x', description: 'x', descriptionFormat: 2, announcement: false, clientUid: hidden.clientUid },
      ],
      [
        'POST',
        `${POSTS}/manage/create-comment/${mine.open.postId}`,
        { comment: 'x', commentFormat: 2, clientUid: `comment-${hidden.clientUid}` },
      ],
      [
        'POST',
        `/communication/tasks/manage/create-task/${mine.open.postId}`,
        {
          title: 'x',
          expiration: { datetime: '2027-03-01T10:00', timezone: 'UTC' },
          assigneeUserId: world.people.contributor,
          clientUid: `task-${hidden.clientUid}`,
        },
      ],
    ];
    for (const [method, path, body] of attempts) {
      const answer = await ask(world.people.contributor, method, path, body);
      expect(answer.status, answer.text).toBe(409);
      expect(answer.text).not.toContain(word);
      expect(numbersIn(answer.body ?? answer.text)).not.toContain(hidden.postId);
      expect(Object.keys(answer.body).sort()).toEqual([
        'code',
        'detail',
        'message',
        'requestId',
        'status',
        'title',
        'type',
      ]);
    }
  });

  test('refuse with 404 before any token is compared, whatever the token', async () => {
    const { hidden } = mine;
    for (const token of [hidden.tokens.post, 99]) {
      for (const path of [
        `${POSTS}/manage/edit-post/${hidden.postId}/${token}`,
        `${POSTS}/manage/edit-post-custom-data/${hidden.postId}/${token}`,
        `${POSTS}/manage/copy-post/${hidden.postId}/${token}`,
        `${POSTS}/manage/edit-event-post/${hidden.eventPostId}/${token}`,
        `${POSTS}/manage/edit-post-workflow-screen-data/${hidden.postId}/${token}`,
        `/communication/tasks/manage/edit-task/${hidden.taskId}/${token}`,
      ]) {
        for (const actor of [
          mine.world.people.contributor,
          mine.world.people.reader,
          mine.world.people.outsider,
          mine.world.people.admin,
          mine.visitor,
        ]) {
          const answer = await ask(actor, 'PUT', path, {});
          expect(`${path} ${answer.status} ${answer.body?.changedBy}`).toBe(`${path} 404 undefined`);
        }
      }
    }
  });
});

describe('comments that a community hides from its readers', () => {
  test('are not told of by counts, filters, attachments, mentions, history or copies', async () => {
    const { world } = mine;
    await rows(world, 'UPDATE communities SET comments_hidden_from_readers = true WHERE tenant_id = $1 AND id = $2', [
      mine.hidden.communityId,
    ]);
    await rows(world, 'UPDATE tenant_versions SET definitions_version = definitions_version + 1 WHERE tenant_id = $1');
    // The reader may write elsewhere: the copy must not contain hidden comments.
    await setCommunityRoles(await world.tenant.scope(world.people.admin), mine.elsewhere.communityId, [
      { principal: world.people.reader, role: 2 },
    ]);
    const { postId, commentAttachmentId, communityId } = mine.open;
    const list = `${POSTS}/data/list/community/${communityId}`;
    const named = (name: string) =>
      ask(world.people.reader, 'POST', list, {
        calculateTotalItemsCount: true,
        communityAttachmentFilters: { name, entityTypes: [1, 2, 3, 4, 5] },
      });
    expect((await named('Comment file')).body.totalItemsCount).toBe(0);
    expect((await named('File')).body.totalItemsCount).toBeGreaterThan(0);
    const sees = await ask(world.people.reader, 'POST', '/communication/attachments/data/check-visibility', {
      ids: [commentAttachmentId],
    });
    expect(sees.body.ids).toEqual([]);
    const detail = await ask(
      world.people.reader,
      'GET',
      `${POSTS}/data/attachment-detail-by-id/${commentAttachmentId}`,
    );
    expect(detail.status).toBe(404);
    const copy = (attachmentId: number) =>
      ask(world.people.reader, 'POST', `${POSTS}/manage/create-post/${mine.elsewhere.communityId}?dryRun=true`, {
        title: 'x',
        description: 'x',
        descriptionFormat: 2,
        announcement: false,
        attachments: [{ attachmentId }],
      });
    const [real, never] = [await copy(commentAttachmentId), await copy(79_999_999)];
    expect(plain(real)).toBe(plain(never).replaceAll('79999999', String(commentAttachmentId)));
    expect((await ask(world.people.reader, 'POST', `${POSTS}/data/comments-list/${postId}`, {})).status).toBe(403);
    for (const path of [
      `${POSTS}/data/history-list/${postId}`,
      `/communication/attachments/data/posts/${postId}/attachments-list`,
    ]) {
      const answer = await ask(world.people.reader, 'POST', path, { entityTypes: [1, 2, 3, 4, 5] });
      expect(answer.text).not.toContain('Comment file');
      expect(numbersIn(answer.body ?? answer.text)).not.toContain(mine.open.commentId);
    }
  });
});
