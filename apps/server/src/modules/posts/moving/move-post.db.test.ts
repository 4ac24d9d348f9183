/**
 * Moves of a post to another community: carried data, mappings, rights, and the streams of
 * followers of either community.
 */
import { FieldType } from '@portico/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  atOnce,
  createTestPortal,
  createTestWorld,
  faults,
  type TestPortal,
  type TestWorld,
} from '../../../../test/support/test-world.ts';
import { addField } from '../../communities/define-fields.ts';
import { createCommunity, createWorkflow, ensureHashtags, setCommunityRoles } from '../../communities/index.ts';

let portal: TestPortal;
let world: TestWorld;
let target: number;
let only: { here: number; there: number };
const there = new Map<string, { id: number; enumValueIds: number[] }>();
let states: Map<string, number>;
let severity: number[];

const REPAIR = {
  states: [
    { name: 'Open', initial: true },
    { name: 'Done', terminal: true },
  ],
  transitions: [{ name: 'Finish', from: 'Open', to: 'Done', screen: 'Why' }],
  screenFields: [{ type: FieldType.STRING, label: 'Reason' }],
  screens: [{ name: 'Why', fields: [{ label: 'Reason' }] }],
};
const SEVERITY = { type: FieldType.ENUM, label: 'Severity', enumValues: [{ label: 'High' }, { label: 'Low' }] };

beforeAll(async () => {
  portal = await createTestPortal();
  world = await createTestWorld(portal, {
    workflow: () => ({ title: 'Repair', ...REPAIR }),
    community: { workspaceMemberRole: null },
    hashtags: ['urgent'],
    fields: [
      { type: FieldType.INT, label: 'Costs' },
      { type: FieldType.STRING, label: 'Room' },
    ],
  });
  const { tenant, people, workspaceId, communityId } = world;
  const admin = await tenant.scope(people.admin);
  severity = (await addField(admin, { communityId }, SEVERITY)).enumValueIds;
  world.fieldIds.set('Severity', severity[0]!);
  const made = await createWorkflow(admin, {
    title: 'Archive',
    ...REPAIR,
    states: [{ name: 'Kept', initial: true }, { name: 'Open' }],
    transitions: [],
  });
  states = made.states;
  target = await createCommunity(admin, {
    workspaceId,
    name: 'Archive',
    workspaceMemberRole: null,
    workflowId: made.id,
  });
  only = { here: people.reader, there: people.outsider };
  await setCommunityRoles(admin, target, [
    { principal: people.manager, role: 1 },
    { principal: people.author, role: 1 },
    { principal: people.contributor, role: 3 },
    { principal: only.there, role: 3 },
  ]);
  for (const field of [SEVERITY, { type: FieldType.INT, label: 'Price' }, { type: FieldType.INT, label: 'Number' }])
    there.set(field.label, await addField(admin, { communityId: target }, field));
  await ensureHashtags(admin, target, [{ name: 'urgent' }]);
});
afterAll(() => portal?.close());

const form = (by: number, postId: number) => world.ok(by, 'GET', `posts/manage/post-data-for-edit/${postId}`);
const detail = (by: number, postId: number) => world.send(by, 'GET', `posts/data/post-detail-by-id/${postId}`);
async function move(by: number, postId: number, body: object, query = '') {
  const { occToken } = await form(world.people.manager, postId);
  return world.send(by, 'POST', `posts/manage/move-post/${postId}${query}`, { occToken, communityId: target, ...body });
}
async function fieldIdOf(label: string): Promise<number> {
  const [row] = await world.rows<{ id: number }>(
    'SELECT id FROM fields WHERE tenant_id = $1 AND community_id = $2 AND label = $3',
    [world.communityId, label],
  );
  return row!.id;
}
/** Returns the items that a follower receives since a token. */
async function told(by: number, syncToken?: string) {
  await world.tenant.settleStream();
  const answer = await world.ok(
    by,
    'POST',
    `posts/data/global-stream${syncToken ? `?syncToken=${syncToken}` : ''}`,
    {},
  );
  const items = answer.items.map(({ id, status, communityId, community }: Record<string, never>) => ({
    id,
    status,
    communityId: communityId ?? (community as { id?: number } | undefined)?.id,
  }));
  return {
    items: items as { id: number; status: string; communityId: number }[],
    token: answer.nextSyncToken as string,
  };
}

describe('a post that moves', () => {
  test('is asked about what has no place there, and takes along everything else', async () => {
    const { people } = world;
    const [costs, room, severityId] = [await fieldIdOf('Costs'), await fieldIdOf('Room'), await fieldIdOf('Severity')];
    const postId = await world.post(people.author, {
      title: 'Lift',
      description: 'Very #urgent',
      visibility: 2,
      customData: { [costs]: 12, [room]: 'Attic', [severityId]: severity[1] },
      attachments: [{ name: 'plan.txt', contentRef: await world.upload(people.author), hashtagIds: world.hashtagIds }],
    });
    await world.ok(people.author, 'POST', `posts/manage/create-comment/${postId}`, {
      comment: 'Well',
      commentFormat: 2,
    });
    const before = (await detail(people.author, postId)).body;
    const asked = await move(people.author, postId, {});
    expect(faults(asked)).toEqual(['fieldMapping: MAPPING_REQUIRED', 'fieldMapping: MAPPING_REQUIRED']);
    expect(asked.body.validationErrors.list.map(({ args }: { args: number[] }) => args)).toEqual([[costs], [room]]);
    const fieldMapping = [{ fromId: costs, toId: there.get('Price')!.id }, { fromId: room }];
    expect(
      faults(
        await move(people.author, postId, {
          stateId: 1,
          fieldMapping: [
            { fromId: costs, toId: severityId },
            { fromId: room, toId: there.get('Price')!.id },
          ],
        }),
      ),
    ).toEqual([
      'fieldMapping[0].toId: UNKNOWN_REFERENCE',
      'fieldMapping[1].toId: INVALID_VALUE',
      'fieldMapping: MAPPING_REQUIRED',
      'fieldMapping: MAPPING_REQUIRED',
      'stateId: INVALID_VALUE',
    ]);
    const streams = await Promise.all([people.author, only.here, only.there].map((by) => told(by)));
    const dry = await move(people.author, postId, { fieldMapping }, '?dryRun=true');
    expect(dry.status, dry.text).toBe(200);
    expect((await detail(people.author, postId)).body.community?.id ?? before.communityId).toBe(
      before.community?.id ?? before.communityId,
    );

    const moved = await move(people.author, postId, { fieldMapping });
    expect(moved.status, moved.text).toBe(200);
    const after = (await detail(people.author, postId)).body;
    expect(after).toMatchObject({
      id: postId,
      title: 'Lift',
      commentsCount: 1,
      attachmentsCount: 1,
      currentWorkflowState: { name: 'Open', id: states.get('Open')! },
      customData: {
        [there.get('Price')!.id]: 12,
        [there.get('Severity')!.id]: there.get('Severity')!.enumValueIds[1],
      },
      hashtags: [{ name: 'urgent' }],
    });
    expect(Object.keys(after.customData)).toHaveLength(2);
    // Lists, search and files belong to the other community.
    const listed = async (by: number, communityId: number, filters: object) =>
      (await world.send(by, 'POST', `posts/data/list/community/${communityId}`, { communityPostFilters: filters })).body
        .items?.length;
    const price = { postFieldFilters: [{ columnId: there.get('Price')!.id, typeId: 1, parameters: [12] }] };
    expect(await listed(people.author, target, { containsText: 'urgent' })).toBe(1);
    expect(await listed(people.author, target, price)).toBe(1);
    expect(await listed(people.author, world.communityId, { containsText: 'urgent' })).toBe(0);
    const rows = await world.rows(
      `SELECT (SELECT count(*) FROM attachments WHERE tenant_id = $1 AND post_id = $2 AND community_id = $3) AS files,
              (SELECT count(*) FROM attachment_hashtags h JOIN hashtags t ON t.tenant_id = $1 AND t.id = h.hashtag_id AND t.community_id = $3 WHERE h.tenant_id = $1) AS tags,
              (SELECT count(*) FROM post_user_state WHERE tenant_id = $1 AND post_id = $2 AND community_id <> $3) AS elsewhere`,
      [postId, target],
    );
    expect(rows).toEqual([{ files: 1, tags: 1, elsewhere: 0 }]);
    const seen = await Promise.all(
      [people.author, only.here, only.there].map((by, at) => told(by, streams[at]!.token)),
    );
    expect(seen.map(({ items }) => items)).toEqual([
      [{ id: postId, status: 'MODIFIED', communityId: target }],
      [{ id: postId, status: 'DELETED', communityId: world.communityId }],
      [{ id: postId, status: 'CREATED', communityId: target }],
    ]);
    expect((await detail(only.here, postId)).status).toBe(404);
    expect((await detail(only.there, postId)).status).toBe(200);

    // Moved back, the post has its former number and, in its version, the lost value.
    const back = await move(people.author, postId, {
      communityId: world.communityId,
      fieldMapping: [{ fromId: there.get('Price')!.id, toId: costs }],
    });
    expect(back.status, back.text).toBe(200);
    expect(back.body.postData.customId).toBe(before.customId);
    const { items } = await world.ok(people.author, 'POST', `posts/data/versions/${postId}`, {});
    const restored = await world.ok(people.author, 'POST', `posts/manage/restore-version/${postId}`, {
      versionNumber: items.at(-1).versionNumber,
      occToken: back.body.nextOccToken,
    });
    expect(restored.postData.customData).toEqual(before.customData);
  });

  test('is asked for its state where the other community has none of the name', async () => {
    const { people } = world;
    const postId = await world.post(people.author);
    const done = await world.rows<{ id: number }>(
      `SELECT s.id FROM workflow_states s WHERE s.tenant_id = $1 AND s.name = 'Done' ORDER BY s.id LIMIT 1`,
    );
    await world.rows('UPDATE posts SET state_id = $3, screen_data = $4 WHERE tenant_id = $1 AND id = $2', [
      postId,
      done[0]!.id,
      JSON.stringify({ [world.workflow!.fields.get('Reason')!.id]: 'Because' }),
    ]);
    expect(faults(await move(people.author, postId, {}))).toEqual(['stateId: MAPPING_REQUIRED']);
    const moved = await move(people.author, postId, { stateId: states.get('Kept')! });
    expect(moved.status, moved.text).toBe(200);
    expect(moved.body.postData.currentWorkflowState.name).toBe('Kept');
    // The field of the screen has the same name there.
    expect(Object.values(moved.body.postData.currentWorkflowScreenData)).toEqual(['Because']);
  });

  test('is moved only by who may delete it and write there, and never to where one has no role', async () => {
    const { people } = world;
    const postId = await world.post(people.contributor, { visibility: 2 });
    expect((await move(people.author, postId, {})).status).toBe(403);
    const own = await form(people.contributor, postId);
    const send = (communityId: number) =>
      world.send(people.contributor, 'POST', `posts/manage/move-post/${postId}`, {
        occToken: own.occToken,
        communityId,
      });
    expect((await send(target)).status).toBe(403);
    expect((await send(world.communityId)).body.nextOccToken).toBe(own.occToken);
    const [foreign] = await world.rows<{ id: number }>(
      'SELECT max(id) + 100 AS id FROM communities WHERE tenant_id = $1',
    );
    expect(faults(await send(foreign!.id))).toEqual(['communityId: UNKNOWN_REFERENCE']);
  });

  test('passes no transition on the way, there or back', async () => {
    const { people } = world;
    await setCommunityRoles(await world.tenant.scope(people.admin), target, [
      { principal: people.contributor, role: 2 },
    ]);
    const postId = await world.post(people.contributor, { visibility: 2 });
    const reached = world.workflow!.states.get('Done')!;
    await world.rows('UPDATE posts SET state_id = $3 WHERE tenant_id = $1 AND id = $2', [postId, reached]);
    const begun = states.get('Kept')!;
    const there = await move(people.contributor, postId, { stateId: states.get('Open') });
    expect(faults(there)).toEqual(['stateId: INVALID_VALUE']);
    const asked = await move(people.contributor, postId, {});
    expect(asked.body.validationErrors.list).toMatchObject([{ code: 'MAPPING_REQUIRED', args: [begun] }]);
    const moved = await move(people.contributor, postId, { stateId: begun });
    expect(moved.body.postData.currentWorkflowState.name).toBe('Kept');
    // The post returns to its former state, unless somebody edited it meanwhile.
    const { communityId } = world;
    const back = await move(people.contributor, postId, { communityId, stateId: reached });
    expect(back.body.postData.currentWorkflowState.id).toBe(reached);
    await move(people.contributor, postId, { stateId: begun });
    const { occToken } = await form(people.contributor, postId);
    await world.ok(people.contributor, 'POST', `posts/manage/patch-post/${postId}`, { title: 'Otherwise', occToken });
    expect(faults(await move(people.contributor, postId, { communityId, stateId: reached }))).toEqual([
      'stateId: INVALID_VALUE',
    ]);
  });

  test('moves once, and what is written to it meanwhile is where it is', async () => {
    const { people } = world;
    const postId = await world.post(people.author, { visibility: 2 });
    const { occToken } = await form(people.author, postId);
    const contentRefs = await Promise.all(Array.from({ length: 4 }, () => world.upload(people.author)));
    const counts = await atOnce(8, (index) =>
      index % 2 === 0
        ? world.send(people.author, 'POST', `posts/manage/move-post/${postId}`, { occToken, communityId: target })
        : world.send(people.author, 'PUT', `posts/manage/edit-post-attachments/${postId}`, {
            addAttachments: [{ name: 'a.txt', contentRef: contentRefs[(index - 1) / 2] }],
          }),
    );
    expect(counts).toEqual({ 200: 5, 409: 3 });
    const rows = await world.rows<{ community_id: number }>(
      'SELECT DISTINCT community_id FROM attachments WHERE tenant_id = $1 AND post_id = $2',
      [postId],
    );
    expect(rows).toEqual([{ community_id: target }]);
  });
});
