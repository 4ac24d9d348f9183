import { expect, test } from 'vitest';
import { operationById } from '../operations/index.ts';
import table from './always-sent.json' with { type: 'json' };
import { absentMembers } from './always-sent.ts';
import { declarations, type FieldSchema } from './index.ts';

test('members that are always sent are declared, and no secrets, which repeated responses lack', () => {
  const faults = Object.entries(table).flatMap(([name, members]) => {
    const { fields }: { fields: Readonly<Record<string, FieldSchema>> } = declarations[name as keyof typeof table];
    return members.split(' ').filter((member) => !fields[member] || fields[member]['x-secret']);
  });
  expect(faults).toEqual([]);
});

test('members that a response lacks are named with their type and place', () => {
  const list = operationById('listCommunityPostsFiltered');
  const page = { items: [{ creatorUser: { firstName: 'Ada' } }] };
  const absent = absentMembers(list, {}, page);
  expect(absent).toContain('BaseListPostsElement.customId, which is always sent, is absent at "items.0"');
  expect(absent).toContain('User.lastName, which is always sent, is absent at "items.0.creatorUser"');
  expect(absentMembers(list, {}, {})).toEqual(['PagedListPostsResponse.items, which is always sent, is absent at ""']);
});

test('a selection of members may lack others, and not those of the objects within', () => {
  const list = operationById('listCommunityPostsFiltered');
  expect(absentMembers(list, { fields: 'title' }, { items: [{ id: 1, title: 'A' }] })).toEqual([]);
  expect(absentMembers(list, { loadPostDetails: false }, { items: [{ id: 1 }] })).toEqual([]);
  const post = operationById('getPostDetailById');
  expect(absentMembers(post, { fields: 'type' }, { id: 1, type: 1 })).toEqual([]);
  expect(absentMembers(post, { fields: 'creatorUser' }, { id: 1, creatorUser: { id: 2 } })).toContain(
    'User.lastName, which is always sent, is absent at "creatorUser"',
  );
});
