/** Findings of the check of a community. */
import { type CommunityFinding, FieldType } from '@portico/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createTestPortal,
  createTestWorld,
  type TestPortal,
  type TestWorld,
} from '../../../../test/support/test-world.ts';
import { reviewWorld } from '../../administration/explain/explain.fixture.ts';

let portal: TestPortal;

beforeAll(async () => {
  portal = await createTestPortal();
});
afterAll(() => portal?.close());

describe('the check of a community', () => {
  test('finds nothing where nothing is wrong', async () => {
    const world = await reviewWorld(portal);
    expect((await check(world)).findings).toEqual([]);
  });

  test('finds conditions that contradict, circles without an end, and fields that whoever is asked does not see', async () => {
    const kind = { type: FieldType.ENUM, enumValues: [{ label: 'A' }, { label: 'B' }] };
    const world = await createTestWorld(portal, {
      community: { workspaceMemberRole: null },
      fields: [
        { ...kind, label: 'Kind' },
        { type: FieldType.ENUM_LIST, label: 'Tags', enumValues: kind.enumValues },
        { type: FieldType.DECIMAL, label: 'Amount' },
        ...['Second', 'Third', 'Both', 'Never'].map((label) => ({ type: FieldType.STRING, label })),
      ],
      workflow: ({ groupId }) => ({
        title: 'Round',
        states: [{ name: 'New', initial: true }, { name: 'A' }, { name: 'B' }, { name: 'Done', terminal: true }],
        transitions: [
          { name: 'Finish', from: 'New', to: 'Done', screen: 'Form', run: { groupIds: [groupId] } },
          { name: 'Enter', from: 'New', to: 'A', screen: 'Form', run: { roles: [1] } },
          { name: 'Forth', from: 'A', to: 'B' },
          { name: 'Back', from: 'B', to: 'A' },
          { name: 'Out', from: 'B', to: 'Done' },
        ],
        screenFields: [{ type: FieldType.STRING, label: 'Secret', visibleRoles: [1] }],
        screens: [{ name: 'Form', fields: [{ label: 'Secret', required: true }] }],
      }),
    });
    const { tenant, people, communityId } = world;
    const settings = `/portal/api/admin/manage/communities/${communityId}`;
    const call = async (method: string, path: string, body?: object) => {
      const answer = await tenant.request(people.manager, method, `${settings}${path}`, body);
      expect(answer.status, answer.text).toBe(200);
      return answer.body;
    };
    const path = `/portal/api/communication/settings/communities/${communityId}/post-definition`;
    const { fieldDefinitions } = (await tenant.request(people.manager, 'GET', path)).body;
    const [list, tags, amount, second, third, both, never] = fieldDefinitions;
    const [a, b] = list.enumValues.map(({ id }: { id: number }) => id);
    const on = (field: { id: number }, operator: string, ...values: unknown[]) => ({
      fieldId: field.id,
      operator,
      values,
    });
    const condition = async (field: { id: number; label: string }, ...conditions: object[]) => {
      const { occToken } = await call('GET', `/fields/${field.id}`);
      await call('PUT', `/fields/${field.id}`, { label: field.label, conditions, occToken });
    };
    await condition(second, on(list, 'in', a), on(amount, 'atLeast', 1), on(amount, 'atMost', 1));
    // It is shown if the previous field has a value, and that field is shown for A alone.
    await condition(third, on(second, 'notEmpty'), on(list, 'notIn', a));
    const [x, y] = tags.enumValues.map(({ id }: { id: number }) => id);
    await condition(both, on(tags, 'in', x), on(tags, 'in', y));
    await condition(never, on(amount, 'atLeast', 5), on(amount, 'in', 1, 2));
    const form = await call('GET', '/workflow');
    const out = form.transitions.find(({ name }: { name: string }) => name === 'Out');
    delete form.screenFields;
    out.conditions = [on(list, 'in', a), on(list, 'in', b)];
    await call('PUT', '/workflow', form);
    const { findings } = await check(world);
    expect(
      findings.map(
        ({ kind: what, stateName, transitionName, fieldLabel }) =>
          `${what} ${[stateName, transitionName, fieldLabel].filter(Boolean).join(' ')}`,
      ),
    ).toEqual([
      'NO_WAY_TO_AN_END A',
      'NO_WAY_TO_AN_END B',
      'CONTRADICTORY_CONDITIONS Out',
      'REQUIRED_FIELD_HIDDEN Finish Secret',
      'CONTRADICTORY_CONDITIONS Third',
      'CONTRADICTORY_CONDITIONS Never',
    ]);
  });

  test('finds states, transitions, screens and fields that trap posts', async () => {
    const world = await createTestWorld(portal, {
      community: { workspaceMemberRole: null },
      emptyGroup: true,
      fields: [{ type: FieldType.ENUM, label: 'Kind', required: true, enumValues: [] }],
      workflow: ({ groupId }) => ({
        title: 'Trap',
        states: [
          { name: 'New', initial: true },
          { name: 'Stuck' },
          { name: 'Lost', screen: 'Form', edit: { groupIds: [groupId] } },
          { name: 'Done', terminal: true },
        ],
        transitions: [
          { name: 'Go', from: 'New', to: 'Stuck', run: { byAuthor: true } },
          { name: 'Stay', from: 'New', to: 'New', screen: 'Form', run: { roles: [3] } },
          { name: 'Nobody', from: 'Stuck', to: 'Done', run: { roles: [] } },
          { name: 'Empty', from: 'New', to: 'Lost', run: { groupIds: [groupId] } },
          { name: 'Back', from: 'Done', to: 'New', run: { roles: [1] } },
        ],
        screenFields: [
          { type: FieldType.STRING, label: 'Fixed', readonly: true },
          { type: FieldType.STRING, label: 'Free' },
        ],
        screens: [
          {
            name: 'Form',
            fields: [
              { label: 'Fixed', required: true },
              { label: 'Free', required: true },
            ],
          },
        ],
      }),
    });
    const { findings } = await check(world);
    const found = findings.map(
      ({ kind, stateName, transitionName, screenName, fieldLabel }) =>
        `${kind} ${[stateName, transitionName, screenName, fieldLabel].filter(Boolean).join(' ')}`,
    );
    expect(found).toEqual([
      'UNREACHABLE_STATE Lost',
      'UNREACHABLE_STATE Done',
      'DEAD_END Stuck',
      'DEAD_END Lost',
      'TRANSITION_FOR_NOBODY Nobody',
      'TRANSITION_FOR_NOBODY Empty',
      'TRANSITION_FOR_NOBODY Back',
      'SCREEN_FOR_NOBODY Lost',
      'REQUIRED_FIELD_HIDDEN Form Fixed',
      'REQUIRED_FIELD_WITHOUT_VALUES Kind',
    ]);
    // A member of the group gets the access of the group.
    await world.db.execute('INSERT INTO group_members (tenant_id, group_id, user_id) VALUES ($1, $2, $3)', [
      world.db.tenantId,
      world.groupId,
      world.people.reader,
    ]);
    const after = (await check(world)).findings.map(({ kind, stateName }) => `${kind} ${stateName ?? ''}`);
    expect(after).not.toContain('UNREACHABLE_STATE Lost');
    expect(after).not.toContain('SCREEN_FOR_NOBODY Lost');
  });
});

async function check({ tenant, people, communityId }: TestWorld): Promise<{ findings: CommunityFinding[] }> {
  const path = `/portal/api/admin/data/communities/${communityId}/check`;
  expect((await tenant.request(people.author, 'GET', path)).status).toBe(403);
  expect((await tenant.request(people.outsider, 'GET', path)).status).toBe(404);
  const answer = await tenant.request(people.manager, 'GET', path);
  expect(answer.status, answer.text).toBe(200);
  return answer.body;
}
