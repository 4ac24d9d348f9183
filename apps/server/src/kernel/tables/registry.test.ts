import { expect, it } from 'vitest';
import { defineTables, internal } from './define-tables.ts';
import { assembleTables } from './registry.ts';

const parent = { distribution: 'distributed', columns: internal('tenant_id', 'id') } as const;
const child = { ...parent, parent: { table: 'parents', column: 'parent_id' } } as const;

it('refuses a table that comes before its parent, also within one owner', () => {
  const reversed = defineTables({ children: child, parents: parent });
  expect(() => assembleTables({ one: reversed })).toThrow('The table children comes before its parent parents.');
  expect(() => assembleTables({ one: { children: child }, two: { parents: parent } })).toThrow('children comes before');
  expect([...assembleTables({ one: { parents: parent, children: child } }).keys()]).toEqual(['parents', 'children']);
});
