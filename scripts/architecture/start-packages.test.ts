import { describe, expect, it } from 'vitest';
import { checkStartPackages } from './start-packages.ts';

const S = 'apps/server/src';
const plant = (text: string) =>
  checkStartPackages([
    { path: `${S}/main.ts`, text: "import { a } from './a.ts';" },
    { path: `${S}/a.ts`, text },
  ]);

describe('packages of single features', () => {
  it('are refused where a start leads to them', () => {
    expect(plant("import { parse } from 'yaml';")).toEqual([
      `${S}/main.ts → ${S}/a.ts loads yaml at the start; import it by import() where it is used`,
    ]);
    expect(plant("export { parse } from 'yaml';")).toHaveLength(1);
  });

  it.each([
    ['as types', "import type { Document } from 'yaml';"],
    ['at first use', "const { parse } = await import('yaml');"],
    ['by a file that is imported at first use', "const b = await import('./b.ts');"],
  ])('may be imported %s', (_how, text) => {
    expect(plant(text)).toEqual([]);
  });
});
