/**
 * Writes of all kinds by several callers, at random, against the server and against a model in memory; every read is
 * compared. `PORTICO_TEST_SEED` repeats a run. Its long form is divided between two files, which run side by side.
 */
import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal } from '../support/index.ts';
import { TestRandom } from '../support/random.ts';
import { createTestWorld } from '../support/test-world.ts';
import { type Act, contentAct, type Play } from './actions.fixture.ts';
import { adminAct } from './admin-actions.fixture.ts';
import { compareAdministration, compareLists, comparePost } from './compare.fixture.ts';
import { postFields, verdictScreen } from './definitions.fixture.ts';
import { Model } from './model.fixture.ts';

const SEED = Number(process.env['PORTICO_TEST_SEED'] ?? randomInt(2 ** 31));

async function begin(portal: TestPortal): Promise<{ play: Play; workspaceId: number }> {
  const world = await createTestWorld(portal, {
    workflow: ({ groupId }) => ({
      title: 'Review',
      states: [
        { name: 'Open', initial: true, screen: 'Verdict', edit: { roles: [1], byAuthor: true } },
        { name: 'Review', screen: 'Verdict', edit: { roles: [1] } },
        { name: 'Done', terminal: true },
      ],
      transitions: [
        { name: 'Hand in', from: 'Open', to: 'Review', screen: 'Verdict', run: { byAuthor: true } },
        { name: 'Withdraw', from: 'Review', to: 'Open', run: { roles: [2] } },
        { name: 'Accept', from: 'Review', to: 'Done', run: { groupIds: [groupId] } },
        { name: 'Escape', from: 'Done', to: 'Open', run: { roles: [3] } },
        { name: 'Nudge', from: 'Open', to: 'Open', run: { roles: [1] } },
      ],
      ...verdictScreen,
    }),
    fields: postFields({ extends_post_visibility: 'true' }),
  });
  const { manager, author, contributor, reader, outsider, admin } = world.people;
  const model = new Model();
  model.administrator = admin;
  model.roles.set(manager, 1).set(author, 2).set(contributor, 2).set(reader, 3);
  const path = '/portal/api/external/v2/admin/manage';
  const editors = (await world.tenant.request(admin, 'GET', `${path}/groups/${world.groupId}/edit`)).body;
  model.groups.set(world.groupId, {
    id: world.groupId,
    token: editors.occToken,
    name: editors.name,
    members: new Set([contributor]),
    visible: editors.visible,
    deleted: false,
  });
  const workflow = world.workflow!;
  const [handIn, withdraw, accept, reopen, nudge] = workflow.transitionIds as [number, number, number, number, number];
  model.transitions = [
    { id: handIn, name: 'Hand in', from: 'Open', to: 'Review', screen: true, byAuthor: true },
    { id: withdraw, name: 'Withdraw', from: 'Review', to: 'Open', screen: false, role: 2 },
    { id: accept, name: 'Accept', from: 'Review', to: 'Done', screen: false, group: world.groupId },
    { id: reopen, name: 'Escape', from: 'Done', to: 'Open', screen: false, role: 3 },
    { id: nudge, name: 'Nudge', from: 'Open', to: 'Open', screen: false, role: 1 },
  ];
  const [workspace] = await world.rows<{ id: number }>('SELECT id FROM workspaces WHERE tenant_id = $1');
  const form = (await world.tenant.request(admin, 'GET', `${path}/workspaces/${workspace!.id}/edit`)).body;
  model.workspace = { token: form.occToken, name: form.contentData.name };
  const field = (label: string) => String(world.fieldIds.get(label));
  const onScreen = (label: string) => String(workflow.fields.get(label)!.id);
  return {
    workspaceId: workspace!.id,
    play: {
      world,
      model,
      random: new TestRandom(SEED),
      people: [manager, author, contributor, reader, outsider, admin],
      fields: { Text: field('Text'), Number: field('Number'), People: field('People') },
      screenFields: { Reason: onScreen('Reason'), Score: onScreen('Score') },
    },
  };
}

async function perform(play: Play, act: Act): Promise<void> {
  const path = act.path.startsWith('/') ? act.path : `/portal/api/external/v2/communication/${act.path}`;
  const answer = await play.world.tenant.request(act.caller, act.method, path, act.body);
  expect(answer.status, answer.text).toBe(act.status);
  if (answer.status === 409) expect(answer.body.currentOccToken).toBe(act.present);
  if (answer.status === 200) act.apply(answer.body);
}

/** Declares the test of `steps` random writes. */
export function testRandomWrites(steps: number): void {
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await createTestPortal();
  });
  afterAll(() => portal?.close());

  test(
    `the server agrees with the model over ${steps} writes`,
    async () => {
      const { play, workspaceId } = await begin(portal);
      const { model, random, people } = play;
      const done: Act[] = [];
      const outcomes = new Map<string, Set<number>>();
      try {
        for (let step = 1; step <= steps; step++) {
          const act = random.chance(0.8) ? contentAct(play) : adminAct(play, workspaceId);
          done.push(act);
          await perform(play, act);
          outcomes.set(act.name, (outcomes.get(act.name) ?? new Set()).add(act.status));
          const touched = /(?:posts\/manage\/[a-z-]+|create-task)\/(\d+)/.exec(act.path)?.[1];
          const post =
            (touched && model.posts.get(Number(touched))) ??
            (model.posts.size > 0 ? random.pick([...model.posts.values()]) : undefined);
          if (post) await comparePost(play, random.pick(people), post);
          if (step % 20 === 0) await compareLists(play, random.pick(people));
          if (step % 100 === 0) await compareAdministration(play, workspaceId, 20);
        }
        for (const user of people) await compareLists(play, user);
        for (const post of random.subset([...model.posts.values()], Math.min(1, 60 / model.posts.size)))
          for (const user of people) await comparePost(play, user, post);
        await compareAdministration(play, workspaceId);
      } catch (error) {
        const last = done
          .slice(-3)
          .map(({ name, caller, method, path, body, status }) =>
            JSON.stringify({ name, caller, method, path, body, status }),
          );
        throw new Error(
          `seed ${SEED}, step ${done.length}: ${(error as Error).message}\nlast writes:\n${last.join('\n')}`,
          { cause: error },
        );
      }
      // The random actions must include every kind of write, and most of them with more than one
      // outcome. A short run misses some of the rare kinds.
      expect(outcomes.size).toBeGreaterThan(steps >= 500 ? 22 : 12);
      if (steps >= 500)
        expect([...outcomes.values()].filter((statuses) => statuses.size > 1).length).toBeGreaterThan(12);
    },
    steps * 1_000,
  );
}
