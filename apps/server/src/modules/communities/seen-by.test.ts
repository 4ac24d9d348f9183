import { RoleId } from '@portico/contract';
import { expect, test } from 'vitest';
import type { Actor } from '../../kernel/scope.ts';
import type { CommunityDefinition } from './definition-types.ts';
import { seenBy } from './seen-by.ts';

test('the same view serves holders of the same roles, and those that are not asked for are dropped', () => {
  const definition = {
    id: 1,
    fields: [
      { id: 7, visibleRoles: [RoleId.MANAGER] },
      { id: 8, visibleRoles: [] },
    ],
    workflow: null,
    postViews: [],
  } as unknown as CommunityDefinition;
  const actor = (...own: number[]) =>
    ({ roles: new Map([[1, RoleId.READER]]), ownRoles: new Map([[1, own]]) }) as unknown as Actor;
  const first = seenBy(actor(101), definition);
  expect(first.fields.map(({ id }) => id)).toEqual([8]);
  expect(seenBy(actor(101), definition)).toBe(first);
  for (let role = 200; role < 1_000; role++) seenBy(actor(role), definition);
  const again = seenBy(actor(101), definition);
  expect(again).not.toBe(first);
  expect(again).toEqual(first);
});
