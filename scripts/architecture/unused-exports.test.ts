/**
 * An export without a use is found in each of its forms. `npm run check` looks for them in the
 * repository itself.
 */
import { describe, expect, it } from 'vitest';
import { checkUnusedExports } from './unused-exports.ts';

const S = 'apps/server/src/modules/people';
/** Returns the findings about `a.ts` beside other files. */
const plant = (text: string, others: Record<string, string> = {}) =>
  checkUnusedExports([
    { path: `${S}/a.ts`, text },
    ...Object.entries(others).map(([name, text]) => ({ path: `${S}/${name}`, text })),
  ]).filter((problem) => problem.startsWith(`${S}/a.ts`));

describe('exports', () => {
  it.each([
    ['a function', 'export function x() {}'],
    ['a function that the file itself uses', 'export function x() {}\nx();'],
    ['a constant', 'export const x = 1;'],
    ['a part of an object', 'export const { x, ...rest } = f();\nrest;', "import { rest } from './a.ts';"],
    ['a class', 'export class X {}'],
    ['a type', 'export type X = string;'],
    ['an interface', 'export interface X {}'],
    ['a name in a list', 'const x = 1;\nexport { x };'],
    ['what another file offers', "export { x } from './c.ts';"],
    ['one name of two', 'export const x = 1, y = 2;', "import { y } from './a.ts';"],
    ['not named of an import of the whole', 'export const x = 1, y = 2;', "import * as a from './a.ts';\nf(a.y);"],
    ['a name that another file passes on to nobody', 'export const x = 1;', "export * from './a.ts';"],
    ['a function that tests alone use', 'export function x() {}', "import { x } from './a.ts';", 'b.test.ts'],
    ['what is passed on to tests alone', "export { x } from './c.ts';", "import { x } from './a.ts';", 'b.test.ts'],
  ])('%s: refused', (_, text, other = '', name = 'b.ts') => {
    expect(plant(text, { [name]: other })).toHaveLength(1);
  });

  it.each([
    ['imported', "import { x } from './a.ts';"],
    ['imported by another name', "import { x as y } from './a.ts';"],
    ['imported as a whole', "import * as a from './a.ts';\nf(a);"],
    ['named of an import of the whole', "import * as a from './a.ts';\nf(a.x);"],
    ['a type of an import of the whole', "import * as a from './a.ts';\ntype X = a.x;"],
    ['imported when needed', "const { x } = await import('./a.ts');"],
    ['imported as a type', "type X = import('./a.ts').x;"],
  ])('%s: used', (_, other) => {
    expect(plant('export const x = 1;', { 'b.ts': other })).toEqual([]);
  });

  it('are used through a file that passes them on, or by tests where the file uses them too', () => {
    const through = { 'b.ts': "export * from './a.ts';", 'c.ts': "import { x } from './b.ts';" };
    expect(plant('export const x = 1;', through)).toEqual([]);
    const test = { 'b.test.ts': "import { x } from './a.ts';" };
    expect(plant('export const x = 1;\nf(x);', test)).toEqual([]);
  });

  it('of the client library and the contract are for others', () => {
    const path = 'packages/sdk/src/node.ts';
    expect(checkUnusedExports([{ path, text: 'export class PorticoClient {}' }])).toEqual([]);
  });
});
