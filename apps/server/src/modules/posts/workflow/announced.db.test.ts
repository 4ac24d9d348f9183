/**
 * The capabilities that getPostCapabilities returns equal the writes that are accepted, over random
 * workflows, roles, groups, authors, visibilities and communities. Each write is a dry run, so one
 * post serves all callers.
 */
import { FieldType } from '@portico/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { longForm } from '../../../../test/support/long-form.ts';
import { rolledBack } from '../../../../test/support/rolled-back.ts';
import {
  createTestPortal,
  createTestWorld,
  type TestPortal,
  type TestWorld,
} from '../../../../test/support/test-world.ts';
import { PorticoError } from '../../../kernel/errors.ts';
import type { CommunityRole, OpenToRole, Scope } from '../../../kernel/scope.ts';
import { createCommunity, createWorkflow, getDefinition, setCommunityRoles } from '../../communities/index.ts';
import type { NewWorkflow, OpenTo } from '../../communities/workflow-input.ts';
import { createPostComment, createTask, likePost, runnableSteps, statesOf } from '../../post-parts/index.ts';
import { editScreenData } from './edit-screen-data.ts';
import { executeOperation } from './execute-operation.ts';
import { getPostCapabilities, getScreenForEdit } from './read-screen.ts';

const RUNS = longForm ? 150 : 12;
const STATES = ['A', 'B', 'C', 'D'];

let portal: TestPortal;
let world: TestWorld;
let userIds: number[];
let groupIds: number[];
let workspaceId: number;

beforeAll(async () => {
  portal = await createTestPortal();
  world = await createTestWorld(portal);
  userIds = [
    world.people.manager,
    world.people.author,
    world.people.contributor,
    world.people.reader,
    world.people.outsider,
  ];
  const [other] = await world.rows<{ id: number }>(
    `INSERT INTO groups (tenant_id, name, name_key, members_count) VALUES ($1, 'Others', 'others', 2) RETURNING id`,
  );
  groupIds = [world.groupId, other!.id];
  await world.rows(
    `INSERT INTO group_members (tenant_id, group_id, user_id) SELECT $1, $2, u FROM unnest($3::bigint[]) AS u`,
    [other!.id, [world.people.reader, world.people.author]],
  );
  await world.rows('UPDATE tenant_versions SET access_version = access_version + 1 WHERE tenant_id = $1');
  workspaceId = (await world.rows<{ id: number }>('SELECT id FROM workspaces WHERE tenant_id = $1'))[0]!.id;
});
afterAll(() => portal?.close());

interface Open {
  roles: OpenToRole[];
  groups: number[];
  byAuthor: boolean;
}

const open: fc.Arbitrary<Open> = fc.record({
  roles: fc.subarray<OpenToRole>([1, 2, 3], { maxLength: 2 }),
  groups: fc.subarray([0, 1], { maxLength: 1 }),
  byAuthor: fc.boolean(),
});

const state = fc.record({ terminal: fc.boolean(), screen: fc.boolean(), edit: open });
const transition = fc.record({
  from: fc.constantFrom(...STATES),
  to: fc.constantFrom(...STATES),
  screen: fc.boolean(),
  run: open,
});

const scenario = fc.record({
  states: fc.array(state, { minLength: STATES.length, maxLength: STATES.length }),
  transitions: fc.array(transition, { maxLength: 7 }),
  roles: fc.array(fc.constantFrom<CommunityRole | null>(1, 2, 3, 5, null), { minLength: 5, maxLength: 5 }),
  author: fc.nat(4),
  visibility: fc.constantFrom(1, 2),
  draft: fc.boolean(),
  current: fc.nat(STATES.length - 1),
  commentsHiddenFromReaders: fc.boolean(),
  likeEnabled: fc.boolean(),
  communityDraft: fc.boolean(),
});

function opened({ roles, groups, byAuthor }: Open): OpenTo {
  return { roles, groupIds: groups.map((index) => groupIds[index]!), byAuthor };
}

/** Returns the status of a write, which is rolled back. */
async function outcome(scope: Scope, write: (scope: Scope) => Promise<unknown>): Promise<number> {
  try {
    await rolledBack(scope, write);
    return 200;
  } catch (error) {
    if (error instanceof PorticoError) return error.status;
    throw error;
  }
}

test('what is announced is what is accepted', async () => {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(scenario, async (given) => {
      runs += 1;
      const admin = await world.scope(world.people.admin);
      const workflow: NewWorkflow = {
        title: `Random ${runs}`,
        states: STATES.map((name, index) => {
          const { terminal, screen, edit } = given.states[index]!;
          return { name, initial: index === 0, terminal, ...(screen && { screen: 'S', edit: opened(edit) }) };
        }),
        transitions: given.transitions.map(({ from, to, screen, run }, index) => ({
          name: `T${index}`,
          from,
          to,
          run: opened(run),
          ...(screen && { screen: 'S' }),
        })),
        screens: [{ name: 'S', fields: [{ label: 'F' }] }],
        screenFields: [{ label: 'F', type: FieldType.STRING }],
      };
      const made = await createWorkflow(admin, workflow);
      const communityId = await createCommunity(await world.scope(world.people.admin), {
        workspaceId,
        name: `Random ${runs}`,
        workflowId: made.id,
        commentsHiddenFromReaders: given.commentsHiddenFromReaders,
        likeEnabled: given.likeEnabled,
        draft: given.communityDraft,
      });
      await setCommunityRoles(
        await world.scope(world.people.admin),
        communityId,
        userIds.map((principal, index) => ({ principal, role: given.roles[index]! })),
      );
      const author = userIds[given.author]!;
      const stateId = given.draft ? null : made.states.get(STATES[given.current]!)!;
      const [post] = await world.rows<{ id: number }>(
        `INSERT INTO posts (tenant_id, community_id, custom_no, visibility, draft, state_id, creator_id, created_at, modifier_id,
                modified_at, token_by, token_at, operated_at, active_at, recent_at)
          VALUES ($1, $2, 1, $3, $4, $5, $6, now(), $6, now(), $6, now(), now(), now(), now()) RETURNING id`,
        [communityId, given.visibility, given.draft, stateId, author],
      );
      const postId = post!.id;
      await world.rows('INSERT INTO post_grants (tenant_id, post_id, principal, source) VALUES ($1, $2, $3, 1)', [
        postId,
        author,
      ]);
      for (const userId of userIds) {
        const scope = await world.scope(userId);
        const capabilities = await getPostCapabilities(scope, postId).catch((error: unknown) => {
          if (error instanceof PorticoError && error.status === 404) return undefined;
          throw error;
        });
        const refused = capabilities ? 403 : 404;
        const announced = new Set(capabilities?.workflowPermittedOperations?.map((one) => one.id));
        for (const [index, id] of made.transitionIds.entries()) {
          const screened = given.transitions[index]!.screen;
          const body = screened ? { screenOccToken: 1, screenData: {} } : {};
          const expected = announced.has(id) ? 200 : refused;
          expect(await outcome(scope, (s) => executeOperation(s, postId, id, body))).toBe(expected);
          expect(await outcome(scope, (s) => getScreenForEdit(s, postId, id))).toBe(expected);
        }
        const may = (flag: boolean | undefined) => (flag ? 200 : refused);
        const screen = may(capabilities?.canEditWorkflowScreenData);
        expect(await outcome(scope, (s) => editScreenData(s, postId, 1, { screenData: {} }))).toBe(screen);
        expect(await outcome(scope, (s) => getScreenForEdit(s, postId, undefined))).toBe(screen);
        expect(await outcome(scope, (s) => createPostComment(s, postId, { comment: 'x', commentFormat: 2 }))).toBe(
          may(capabilities?.canAddComment),
        );
        expect(await outcome(scope, (s) => likePost(s, postId))).toBe(may(capabilities?.canEditLike));
        const expiration = { datetime: '2031-01-01T00:00:00', timezone: 'UTC' };
        expect(
          await outcome(scope, (s) => createTask(s, postId, { title: 'x', expiration, assigneeUserId: author })),
        ).toBe(may(capabilities?.canCreateTask));
        // The same rule for lists (toManageProcesses) finds the post exactly when a transition is announced.
        const definition = await getDefinition(scope, communityId);
        const runnable = runnableSteps(scope.actor, communityId, definition!.workflow);
        const listed =
          stateId !== null &&
          (statesOf(runnable.any).includes(stateId) || (statesOf(runnable.own).includes(stateId) && userId === author));
        if (capabilities) expect(listed).toBe(announced.size > 0);
      }
    }),
    { numRuns: RUNS },
  );
});
