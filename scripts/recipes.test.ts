import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const text = readFileSync(join(root, 'docs/recipes.md'), 'utf8');

/** Files that an addition may touch at most. */
const LIMITS: Readonly<Record<string, number>> = { 'Add a read': 5, 'Add a write': 6 };

interface Row {
  file: string;
  words: string[];
}

/** The rows of the table of each recipe by its heading. */
const recipes = new Map(
  text
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const rows = [...section.matchAll(/^\| \[[^\]]+\]\(([^)]+)\) \|.*\| ([^|]+) \|$/gm)].map(
        ([, link = '', words = '']): Row => ({
          file: normalize(join('docs', link)),
          words: [...words.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word),
        }),
      );
      return [section.slice(0, section.indexOf('\n')), rows];
    }),
);

/** Every hand-written source of the product by its path. */
const product = new Map(
  globSync(['apps/*/src/**/*.ts', 'packages/*/src/**/*.ts'], { cwd: root })
    .filter((file) => !/\.(test|fixture|generated)\.ts$|\/testing\//.test(file))
    .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
);

it('has every recipe', () => {
  expect([...recipes.keys()]).toEqual(Object.keys(LIMITS));
});

it('links to files that exist', () => {
  for (const [, link = ''] of text.matchAll(/\]\(([^)#]+)/g)) {
    expect(() => readFileSync(join(root, 'docs', link)), link).not.toThrow();
  }
});

describe.each([...recipes])('%s', (heading, rows) => {
  it('names at most so many files', () => {
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.length).toBeLessThanOrEqual(LIMITS[heading] ?? 0);
  });

  it('names words that stand in its files and in no other of the product', () => {
    for (const word of new Set(rows.flatMap(({ words }) => words))) {
      const found = [...product].filter(([, source]) => new RegExp(`\\b${word}\\b`).test(source)).map(([file]) => file);
      const named = rows.filter(({ words }) => words.includes(word)).map(({ file }) => file);
      expect(found.sort(), word).toEqual(named.sort());
    }
  });
});
