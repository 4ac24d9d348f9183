/**
 * `npm run count`: lines of hand-written product source, by folder and in total. Product source is `.ts` and `.mjs` under
 * `src/` of an application or package, without tests, fixtures, test helpers and generated files.
 */
import { readSources } from './architecture/check.ts';
import { isTest } from './architecture/imports.ts';

const SOURCE = /^(?:apps|packages)\/[^/]+\/src\//;

const counts = new Map<string, number>();
for (const { path, text } of await readSources()) {
  if (!SOURCE.test(path) || isTest(path) || path.includes('.generated.')) continue;
  const [, , , ...inside] = path.split('/').slice(0, -1);
  // A folder is one level below `src/`, two inside `modules/`.
  const depth = 3 + Math.min(inside.length, inside[0] === 'modules' ? 2 : 1);
  const folder = path.split('/').slice(0, depth).join('/');
  counts.set(folder, (counts.get(folder) ?? 0) + text.split('\n').length - 1);
}

const width = Math.max(...[...counts.keys()].map((folder) => folder.length));
const line = (name: string, lines: number) => `${name.padEnd(width)} ${String(lines).padStart(7)}\n`;
for (const [folder, lines] of [...counts].sort()) process.stdout.write(line(folder, lines));
process.stdout.write(
  line(
    'total',
    [...counts.values()].reduce((sum, lines) => sum + lines, 0),
  ),
);
