/** Plans and applications while sixteen accounts write posts. */
import type { CommunityFile } from '@portico/contract';
import { expect, test } from 'vitest';
import { createTestPortal } from '../../../../test/support/index.ts';
import { workOnChange } from '../changes/work-on-change.ts';

const ADMIN = '/portal/api/admin';
const POSTS = '/portal/api/communication/posts';
const WRITERS = 16;

const file = (states: string[], values: string[]): CommunityFile => ({
  version: 1,
  workspace: { key: 'ops', name: 'Operations' },
  community: { key: 'busy', name: 'Busy' },
  groupRoles: [],
  hashtags: [],
  fields: [
    { key: 'kind', label: 'Kind', type: 'ENUM', values: values.map((key) => ({ key, label: key })) },
    { key: 'note', label: 'Note', type: 'STRING' },
  ],
  workflow: {
    title: 'Flow',
    states: states.map((key) => ({ key, name: key, initial: true, terminal: true })),
    transitions: [],
    screens: [],
    screenFields: [],
  },
});

test('writers of posts are no conflict: each plan is applied, and no value is lost', async () => {
  const portal = await createTestPortal();
  try {
    const tenant = await portal.createTenant();
    const admin = await tenant.createUser({ admin: true });
    /** Repeats a request while all connections are taken. */
    const send = async (actor: number, method: string, path: string, body?: object) => {
      let answer = await tenant.request(actor, method, path, body);
      while (answer.status === 503) answer = await tenant.request(actor, method, path, body);
      return answer;
    };
    const ok = async (method: string, path: string, body?: object) => {
      const { status, body: answer, text } = await send(admin, method, path, body);
      expect(status, text).toBe(200);
      return answer;
    };
    const all = file(['new', 'open'], ['red', 'green']);
    const { communityId } = await ok('POST', `${ADMIN}/manage/community-plans`, { file: all });
    const settings = `/portal/api/communication/settings/communities/${communityId}/post-definition`;
    const { fieldDefinitions } = await ok('GET', settings);
    const [kind, note] = fieldDefinitions as { id: number; enumValues: { id: number }[] }[];
    const written = new Map<number, string>();
    let ended = false;
    const writer = async (name: number) => {
      const author = await tenant.createUser({ admin: true });
      await ok('PUT', `${ADMIN}/manage/communities/${communityId}/members`, {
        userRoles: [{ userId: author, roleId: 2 }],
      });
      for (let n = 0; !ended && n < 8; n++) {
        const text = `${name}-${n}`;
        const customData = { [note!.id]: text, [kind!.id]: kind!.enumValues[1]!.id };
        const post = { title: text, description: 'Text', descriptionFormat: 2, announcement: false, customData };
        const made = await send(author, 'POST', `${POSTS}/manage/create-post/${communityId}`, post);
        expect(made.status, made.text).toBe(200);
        written.set(made.body.postId, text);
      }
    };
    const changes = async () => {
      for (const [states, values] of [
        [['open'], ['green']],
        [
          ['new', 'open'],
          ['green', 'blue'],
        ],
        [['open'], ['green']],
      ] as const) {
        const request = { file: file([...states], [...values]) };
        const stateChanges = [{ state: 'new', onExisting: 'map', into: 'open' }];
        const goes = !states.includes('new' as never);
        const chosen = { ...request, onExisting: 'keep', ...(goes && { stateChanges }) };
        const { planToken } = await ok('POST', `${ADMIN}/data/community-plans`, chosen);
        await ok('POST', `${ADMIN}/manage/community-plans`, { ...chosen, planToken });
      }
      ended = true;
    };
    await Promise.all([changes(), ...Array.from({ length: WRITERS }, (_, name) => writer(name))]);
    while (await workOnChange(await tenant.scope(tenant.systemUserId)));
    const { db } = await tenant.scope(admin);
    const rows = await db.query<{ id: number; note: string | null; kind: number | null; state: string }>(
      `SELECT p.id, p.custom_data ->> $3 AS note, (p.custom_data ->> $4)::bigint AS kind, s.name AS state
         FROM posts p JOIN workflow_states s ON s.tenant_id = $1 AND s.id = p.state_id
        WHERE p.tenant_id = $1 AND p.community_id = $2`,
      [db.tenantId, communityId, String(note!.id), String(kind!.id)],
    );
    const held = new Map(rows.map((row) => [row.id, row]));
    expect([...written].filter(([id, text]) => held.get(id)?.note !== text)).toEqual([]);
    expect(new Set(rows.map((row) => row.kind))).toEqual(new Set([kind!.enumValues[1]!.id]));
    expect(new Set(rows.map((row) => row.state))).toEqual(new Set(['open']));
    expect(written.size).toBeGreaterThan(WRITERS / 2);
  } finally {
    await portal.close();
  }
});
