/**
 * The files in `examples/communities`: each creates a community in which a post can reach every end
 * of its workflow.
 */
import { globSync, readFileSync } from 'node:fs';
import type { CommunityFile, CommunityFileField, CommunityFileWorkflow } from '@portico/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { createTestPortal, type TestPortal, type TestTenant } from '../../../../test/support/index.ts';
import { writeTransaction } from '../../../kernel/access/index.ts';
import { setMemberships } from '../../people/users/edit-group-members.ts';

const FOLDER = new URL('../../../../../../examples/communities/', import.meta.url).pathname;
const ADMIN = '/portal/api/admin/manage';
const files = globSync('*.yaml', { cwd: FOLDER }).sort();

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
  const { status, body: answer, text } = await tenant.request(admin, method, `/portal/api${path}`, body);
  expect(status, `${method} ${path}: ${text}`).toBe(200);
  return answer;
}

/** Returns a value that the field accepts. @param entries ids to choose from */
function sample({ type, rules = [] }: CommunityFileField, entries: readonly number[]): unknown {
  switch (type) {
    case 'INT':
    case 'BIGINT':
    case 'DECIMAL':
    case 'FEEDBACK':
      return 3;
    case 'DATE':
    case 'DATETIME':
      return Date.UTC(2031, 4, 1);
    case 'FLAG':
      return true;
    case 'ENUM':
      return entries[0];
    case 'ENUM_LIST':
    case 'HIERARCHICAL_ENUM':
      return entries.slice(0, 1);
    case 'DELTA_AREA':
      return '[{"insert":"Text\\n"}]';
    case 'LINK':
      return 'https://acme.example/';
    default:
      return rules.some(({ rule }) => rule === 'PATTERN') ? '1.0' : 'Text';
  }
}

/**
 * Returns keys of transitions that lead from an initial state to each terminal state, or to states
 * that others follow.
 */
function ways({ states = [], transitions = [] }: CommunityFileWorkflow): string[][] {
  const reached = new Map(states.filter(({ initial }) => initial).map(({ key = '' }): [string, string[]] => [key, []]));
  for (const [state, way] of reached)
    for (const { key = '', from, to = '' } of transitions)
      if (from === state && !reached.has(to)) reached.set(to, [...way, key]);
  expect([...reached.keys()].sort(), 'every state can be reached').toEqual(states.map(({ key }) => key).sort());
  return states.filter(({ terminal }) => terminal).map(({ key = '' }) => reached.get(key)!);
}

test('there are ten', () => expect(files).toHaveLength(10));

test.each(files)('%s is exported as it is written, and a post reaches each end of its workflow', async (name) => {
  const file = parse(readFileSync(`${FOLDER}${name}`, 'utf8')) as CommunityFile;
  const { communityId } = await ok('POST', '/admin/manage/community-plans', { file });
  expect((await ok('POST', '/admin/data/community-plans', { file })).changes).toEqual([]);
  await joinGroups();
  const definition = await ok('GET', `/communication/settings/communities/${communityId}/post-definition`);
  const workflow = definition.workflowDefinition;
  const choices = async (field: { enumValues?: { id: number }[]; metadata?: Record<string, string> }) => {
    if (field.enumValues?.length) return field.enumValues.map(({ id }) => id);
    const catalogId = field.metadata?.['catalog_id'];
    if (catalogId === undefined) return [];
    const { items } = await ok('POST', `/communication/settings/post-definition/catalogs/${catalogId}/entries`, {});
    return (items as { id: number }[]).map(({ id }) => id);
  };
  for (const way of ways(file.workflow!)) {
    const customData: Record<string, unknown> = {};
    for (const field of file.fields ?? []) {
      const shown = definition.fieldDefinitions.find((one: { externalId: string }) => one.externalId === field.key);
      if (field.required) customData[shown.id] = sample(field, await choices(shown));
    }
    const text = { title: 'Post', description: 'Text', descriptionFormat: 2, announcement: false };
    const { postId } = await ok('POST', `/communication/posts/manage/create-post/${communityId}`, {
      ...text,
      customData,
    });
    for (const key of way) {
      const { workflowPermittedOperations } = await ok('GET', `/communication/posts/data/post-capabilities/${postId}`);
      const transition = workflowPermittedOperations.find((one: { externalId: string }) => one.externalId === key);
      expect(transition, `${key} is offered`).toBeDefined();
      const screen = file.workflow?.screens?.find((one) => one.name === transition.screen?.name);
      const screenData = Object.fromEntries(
        (screen?.fields ?? []).map(({ field }) => {
          const declared = file.workflow?.screenFields?.find((one) => one.key === field);
          const shown = transition.screen.fieldMetadatas.find(
            ({ label }: { label: string }) => label === declared?.label,
          );
          return [shown.id, sample(declared!, [])];
        }),
      );
      const screenOccToken = screen && (await screenToken(postId, transition.id));
      await ok('POST', `/communication/posts/manage/execute-post-workflow-operation/${postId}/${transition.id}`, {
        ...(screen && { screenData, screenOccToken }),
      });
    }
    const { currentWorkflowState } = await ok('GET', `/communication/posts/data/post-detail-by-id/${postId}`);
    expect(currentWorkflowState.terminal).toBe(true);
    expect(workflow.states.some(({ id }: { id: number }) => id === currentWorkflowState.id)).toBe(true);
  }
});

test('what is exported makes the same communities in an empty tenant, to the byte', async () => {
  const [one, other] = [await portal.createTenant(), await portal.createTenant()];
  const build = async (of: TestTenant, said: readonly CommunityFile[]): Promise<CommunityFile[]> => {
    const actor = await of.createUser({ admin: true });
    const made: CommunityFile[] = [];
    for (const file of said) {
      const { status, body, text } = await of.request(actor, 'POST', `${ADMIN}/community-plans`, { file });
      expect(status, text).toBe(200);
      const path = `${ADMIN}/communities/${body.communityId}/file`;
      made.push((await of.request(actor, 'GET', path)).body as CommunityFile);
    }
    return made;
  };
  const written = await build(
    one,
    files.map((name) => parse(readFileSync(`${FOLDER}${name}`, 'utf8')) as CommunityFile),
  );
  const again = await build(other, written);
  for (const [index, name] of files.entries())
    expect(JSON.stringify(again[index]), name).toBe(JSON.stringify(written[index]));
});

async function screenToken(postId: number, transitionId: number): Promise<number> {
  const path = `/communication/posts/manage/post-workflow-screen-data-for-edit/${postId}?workflowOperationId=${transitionId}`;
  return (await ok('GET', path)).screenOccToken;
}

/** Adds the administrator to every group that a file has created. */
async function joinGroups(): Promise<void> {
  const system = await tenant.scope(tenant.systemUserId);
  await writeTransaction(system, 'access', async (write) => {
    const groups = await write.tx.query<{ id: number }>('SELECT id FROM groups WHERE tenant_id = $1', [
      write.tx.tenantId,
    ]);
    await setMemberships(write, admin, { join: groups.map(({ id }) => id), leave: [] });
  });
}
