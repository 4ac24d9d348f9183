/**
 * Answers to a questionnaire are returned by the ids of its questions, also answers stored under
 * other names.
 */
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal } from '../../../test/support/index.ts';
import { send } from '../../../test/write-matrix/calls.fixture.ts';
import { createRecipeWorld, recipes, type TestWorld } from '../../../test/write-matrix/recipes.fixture.ts';

let portal: TestPortal;
let world: TestWorld;
beforeAll(async () => {
  portal = await createTestPortal();
  world = await createRecipeWorld(portal);
});
afterAll(() => portal?.close());

test('keys of surveys become the ids of the questions, and values stay', async () => {
  const made = await send(world, world.people.author, 'createTask', await recipes.createTask!.prepare(world));
  await world.rows('UPDATE tasks SET survey_data = $3, survey_comments = $4 WHERE tenant_id = $1 AND id = $2', [
    made.body.taskId,
    { q1: { value: 3 }, q22: { value: ['x'] }, 7: { value: 1 } },
    { q1: { compliant: true, commentsCount: 0 } },
  ]);
  await portal.owner.query(
    await readFile(new URL('../../../migrations/0028-survey-keys.sql', import.meta.url), 'utf8'),
  );
  const path = `/portal/api/communication/tasks/data/task-detail-by-id/${made.body.taskId}`;
  const { body } = await world.tenant.request(world.people.author, 'GET', path);
  expect(body.surveyData).toEqual({ 1: { value: 3 }, 22: { value: ['x'] }, 7: { value: 1 } });
  expect(body.surveyDataCommentsInfo).toEqual({ 1: { compliant: true, commentsCount: 0 } });
});

test('deleting a task answers with its post', async () => {
  const call = await recipes.deleteTask!.prepare(world);
  const detail = `/portal/api/communication/tasks/data/task-detail-by-id/${call.params['taskId']}`;
  const { postId } = (await world.tenant.request(world.people.author, 'GET', detail)).body;
  const answer = await send(world, world.people.author, 'deleteTask', call);
  expect([answer.status, answer.body]).toEqual([200, { postId }]);
});
