/** Random pairs of definitions with posts: apply does what the plan counts, and nothing else. */
import type { CommunityFile, CommunityPlanLoss } from '@portico/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';

const ADMIN = '/portal/api/admin';
const POSTS = '/portal/api/communication/posts';

let portal: TestPortal;
let tenant: TestTenant;
let admin: number;

beforeAll(async () => {
  portal = await createTestPortal();
  tenant = await portal.createTenant();
  admin = await tenant.createUser({ admin: true });
});
afterAll(() => portal?.close());

async function ok(method: string, path: string, body?: object) {
  const { status, body: answer, text } = await tenant.request(admin, method, path, body);
  expect(status, text).toBe(200);
  return answer;
}

const VALUES = ['red', 'green', 'blue'];
const STATES = ['one', 'two', 'three'];

/** A drawn definition: values of the choice, the note with its type, states. */
const definition = fc.record({
  values: fc.subarray(VALUES, { minLength: 1 }),
  note: fc.constantFrom('STRING' as const, 'INT' as const, undefined),
  states: fc.subarray(STATES, { minLength: 1 }),
});
type Drawn = typeof definition extends fc.Arbitrary<infer T> ? T : never;
const posts = fc.array(
  fc.record({ value: fc.option(fc.nat(2)), note: fc.option(fc.constantFrom('12', 'text')), state: fc.nat(2) }),
  { minLength: 1, maxLength: 6 },
);
const treatment = fc.constantFrom('keep' as const, 'map' as const, 'clear' as const);

let number = 0;
const fileOf = (key: string, { values, note, states }: Drawn): CommunityFile => ({
  version: 1,
  workspace: { key: 'ops', name: 'Operations' },
  community: { key, name: key, initStateChoiceEnabled: true },
  groupRoles: [],
  hashtags: [],
  fields: [
    { key: 'colour', label: 'Colour', type: 'ENUM', values: values.map((value) => ({ key: value, label: value })) },
    ...(note === undefined ? [] : [{ key: 'note', label: 'Note', type: note }]),
    { key: 'rest', label: 'Rest', type: 'STRING' },
  ],
  workflow: {
    title: 'Flow',
    states: states.map((state) => ({ key: state, name: state, initial: true, terminal: true })),
    transitions: [],
    screens: [],
    screenFields: [],
  },
});

/** A post by the names of its values and its state. */
interface Shown {
  colour: string | undefined;
  note: unknown;
  state: string;
}

async function rows(communityId: number): Promise<Map<number, Shown>> {
  const { db } = await tenant.scope(admin);
  const found = await db.query<Shown & { id: number }>(
    `SELECT p.id, s.name AS state,
            (SELECT v.label FROM field_enum_values v JOIN fields f ON f.tenant_id = $1 AND f.id = v.field_id AND f.external_id = 'colour'
              WHERE v.tenant_id = $1 AND f.community_id = p.community_id AND p.custom_data -> f.id::text = to_jsonb(v.id)) AS colour,
            (SELECT p.custom_data -> f.id::text FROM fields f
              WHERE f.tenant_id = $1 AND f.community_id = p.community_id AND f.label = 'Note' AND NOT f.deleted) AS note
       FROM posts p JOIN workflow_states s ON s.tenant_id = $1 AND s.id = p.state_id
      WHERE p.tenant_id = $1 AND p.community_id = $2 ORDER BY p.id`,
    [db.tenantId, communityId],
  );
  return new Map(found.map(({ id, ...post }) => [id, post]));
}

async function build(
  key: string,
  before: Drawn,
  drawn: { value: number | null; note: string | null; state: number }[],
) {
  const { communityId } = await ok('POST', `${ADMIN}/manage/community-plans`, { file: fileOf(key, before) });
  const path = `/portal/api/communication/settings/communities/${communityId}/post-definition`;
  const { fieldDefinitions, workflowDefinition } = await ok('GET', path);
  const field = (label: string) => fieldDefinitions.find((one: { label: string }) => one.label === label);
  for (const { value, note, state } of drawn) {
    const choices = field('Colour').enumValues as { id: number }[];
    const customData = {
      ...(value !== null && { [field('Colour').id]: choices[value % choices.length]!.id }),
      ...(note !== null && before.note === 'STRING' && { [field('Note').id]: note }),
      ...(note !== null && before.note === 'INT' && { [field('Note').id]: 7 }),
    };
    const states = workflowDefinition.states as { id: number }[];
    const initWorkflowStateId = states[state % states.length]!.id;
    const body = { title: 'Post', description: 'Text', descriptionFormat: 2, announcement: false, customData };
    const { postId } = await ok('POST', `${POSTS}/manage/create-post/${communityId}`, body);
    const { db } = await tenant.scope(admin);
    await db.execute('UPDATE posts SET state_id = $3 WHERE tenant_id = $1 AND id = $2', [
      db.tenantId,
      postId,
      initWorkflowStateId,
    ]);
  }
  return communityId as number;
}

/** Returns entries of the request for each loss, as far as it allows the drawn treatment. */
function choose(losses: readonly CommunityPlanLoss[], wanted: 'keep' | 'map' | 'clear', after: Drawn) {
  const allowed = ({ choices = [] }: CommunityPlanLoss) => (choices.includes(wanted) ? wanted : choices[0]!);
  const into = { field: 'rest', values: after.values[0]!, state: after.states[0]! };
  const omitted = VALUES.filter((value) => !after.values.includes(value));
  return {
    stateChanges: losses.flatMap((loss) =>
      loss.state === undefined
        ? []
        : {
            state: loss.state,
            onExisting: allowed(loss) as 'keep' | 'map',
            ...(allowed(loss) === 'map' && { into: into.state }),
          },
    ),
    fieldChanges: (before: Drawn) =>
      losses.flatMap((loss) => {
        if (loss.field === undefined) return [];
        const onExisting = allowed(loss);
        if (onExisting !== 'map') return { field: loss.field, onExisting };
        if (loss.kind === 'field') return { field: loss.field, onExisting, into: into.field };
        const values = omitted.filter((value) => before.values.includes(value));
        return { field: loss.field, onExisting, values: values.map((value) => ({ value, into: into.values })) };
      }),
  };
}

test('the counts of a plan are what apply does; nothing else moves', async () => {
  await fc.assert(
    fc.asyncProperty(definition, definition, posts, treatment, async (before, after, drawn, wanted) => {
      const key = `pair-${++number}`;
      const communityId = await build(key, before, drawn);
      const file = fileOf(key, after);
      const was = await rows(communityId);
      const open = await ok('POST', `${ADMIN}/data/community-plans`, { file });
      const losses: CommunityPlanLoss[] = open.losses;
      const posts = [...was.values()];
      // The counts are those of the posts.
      const expected = [
        ...before.states
          .filter((state) => !after.states.includes(state))
          .map((state) => ({
            name: `state ${state}`,
            count: posts.filter((post) => post.state === state).length,
          })),
        {
          name: 'values colour',
          count: posts.filter(({ colour }) => colour !== undefined && colour !== null && !after.values.includes(colour))
            .length,
        },
        {
          name: 'field note',
          count: before.note && !after.note ? posts.filter(({ note }) => note !== null).length : 0,
        },
        {
          name: 'type note',
          count:
            before.note === 'STRING' && after.note === 'INT' ? posts.filter(({ note }) => note === 'text').length : 0,
        },
      ].filter(({ count }) => count > 0);
      const told = losses.map(({ kind, field, state, postsCount }) => ({
        name: `${kind} ${field ?? state}`,
        count: postsCount,
      }));
      const sorted = (list: { name: string }[]) => list.toSorted((a, b) => (a.name < b.name ? -1 : 1));
      expect(sorted(told)).toEqual(sorted(expected));
      if (losses.length > 0)
        expect((await tenant.request(admin, 'POST', `${ADMIN}/manage/community-plans`, { file })).status).toBe(400);
      const { stateChanges, fieldChanges } = choose(losses, wanted, after);
      const chosen = { stateChanges, fieldChanges: fieldChanges(before) };
      const planned = await ok('POST', `${ADMIN}/data/community-plans`, { file, ...chosen });
      const { planToken } = planned;
      const applied = await ok('POST', `${ADMIN}/manage/community-plans`, { file, planToken, ...chosen });
      expect(applied.losses).toEqual(planned.losses);
      const is = await rows(communityId);
      for (const [id, post] of was) {
        const state = stateChanges.find((one) => one.state === post.state);
        expect(is.get(id)!.state).toBe(state?.onExisting === 'map' ? state.into : post.state);
        const gone = post.colour !== null && post.colour !== undefined && !after.values.includes(post.colour);
        const treated = chosen.fieldChanges.find(({ field }) => field === 'colour')?.onExisting;
        const becomes = { keep: post.colour, clear: null, map: after.values[0] };
        expect(is.get(id)!.colour ?? null).toBe((gone && treated ? becomes[treated] : post.colour) ?? null);
        if (after.note === before.note) expect(is.get(id)!.note).toEqual(post.note);
      }
    }),
    { numRuns: 10 },
  );
});
