/** The response to the deletion of a task. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal } from '../../../../test/support/index.ts';
import { send } from '../../../../test/write-matrix/calls.fixture.ts';
import { createRecipeWorld, recipes, type TestWorld } from '../../../../test/write-matrix/recipes.fixture.ts';

let portal: TestPortal;
let world: TestWorld;
beforeAll(async () => {
  portal = await createTestPortal();
  world = await createRecipeWorld(portal);
});
afterAll(() => portal?.close());

test('deleting a task answers with its post', async () => {
  const call = await recipes.deleteTask!.prepare(world);
  const detail = `/portal/api/communication/tasks/data/task-detail-by-id/${call.params['taskId']}`;
  const { postId } = (await world.tenant.request(world.people.author, 'GET', detail)).body;
  const answer = await send(world, world.people.author, 'deleteTask', call);
  expect([answer.status, answer.body]).toEqual([200, { postId }]);
});
