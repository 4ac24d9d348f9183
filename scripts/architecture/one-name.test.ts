/** Each operation has one noun in client library, command and server. */
import { describe, expect, it } from 'vitest';
import { operationList } from '../../packages/contract/src/index.ts';
import { checkNames } from './one-name.ts';

const M = 'apps/server/src/modules';
const ALL = operationList.length;
const handlers = 'const a = () => ({ listTasks: () => 1 }) satisfies Handlers;';
const breaches = (path: string, text = handlers) => checkNames([{ path, text }]);
const named = (path: string, text?: string) =>
  breaches(path, text).filter((breach) => breach.startsWith(path) || breach.includes('/ has the name'));

describe('the noun of an operation', () => {
  it.each([`${M}/post-parts/tasks/a.ts`, `${M}/tasks/b/c.ts`, `${M}/posts/tasks.routes.ts`])(
    'is found in %s',
    (path) => {
      expect(breaches(path)).toHaveLength(ALL - 1);
      expect(named(path)).toEqual([]);
    },
  );

  it.each([`${M}/post-parts/comments/a.ts`, `${M}/tasks/posts.routes.ts`, `${M}/fields/a.ts`])(
    'is missing in %s',
    (path) => {
      expect(named(path)).toEqual([expect.stringContaining('move it to a folder tasks or to tasks.routes.ts')]);
    },
  );

  it.each([
    ["defineOperations('tasks', {", 'tasks', 0],
    ["defineOperations('serviceAccounts', {", 'service-accounts', 0],
    ["defineOperations('tasks', {", 'posts', 1],
    ["defineOperations('tasks', {\n  a: {\n    domain: 'posts',", 'tasks', 1],
  ])('of %s is the folder %s of the contract', (text, folder, count) => {
    expect(named(`packages/contract/src/operations/${folder}/a.ts`, text)).toHaveLength(count);
  });

  it.each([
    ['packages/contract/src/schemas/tasks/a.ts', 0],
    ['packages/contract/src/schemas/a.ts', 0],
    ['packages/contract/src/schemas/people/a.ts', 1],
    ['apps/web/src/tasks/a.tsx', 0],
    ['apps/web/src/home/a.tsx', 0],
    ['apps/web/src/post/a.tsx', 1],
  ])('names the folder of %s', (path, count) => {
    expect(named(path, '').length).toBe(count);
  });

  it('needs a handler', () => {
    expect(named(`${M}/post-parts/tasks/a.ts`, 'export const a = { listTasks: 1 };')).toEqual([]);
    expect(breaches(`${M}/post-parts/tasks/a.ts`, '')).toHaveLength(ALL);
  });
});
