/**
 * `npm run count [-- COMMIT]`: lines and tokens of hand-written product source, by folder and in
 * total, of the working tree or of a commit. Product source is the code under `src/` of an
 * application or package, without tests, fixtures, test helpers and generated files. Comments are
 * no tokens; a string and a part of a template are one each.
 */
import { execFileSync } from 'node:child_process';
import { readSources, type SourceFile } from './architecture/check.ts';
import { isTest, parseSource } from './architecture/imports.ts';

const SOURCE = /^(?:apps|packages)\/[^/]+\/src\/.*\.(?:ts|tsx|mjs)$/;

const isProduct = (path: string): boolean => SOURCE.test(path) && !isTest(path) && !path.includes('.generated.');

/** Reads the product source of a commit. */
function readCommit(commit: string): SourceFile[] {
  const git = (args: readonly string[], input = '') =>
    execFileSync('git', args, { input, maxBuffer: 256 * 1024 * 1024 });
  const paths = git(['ls-tree', '-r', '--name-only', '-z', commit]).toString().split('\0').filter(isProduct);
  const objects = git(['cat-file', '--batch'], paths.map((path) => `${commit}:${path}\n`).join(''));
  let at = 0;
  return paths.map((path) => {
    // `OID blob SIZE`, a line break, the content, a line break.
    const start = objects.indexOf('\n', at) + 1;
    const size = Number(objects.toString('latin1', at, start).split(' ')[2]);
    at = start + size + 1;
    return { path, text: objects.toString('utf8', start, start + size) };
  });
}

function countTokens({ path, text }: SourceFile): number {
  const { tokens } = parseSource(path, text, { tokens: true });
  const types = (tokens as { type: string | { label: string } }[]).map(({ type }) => type);
  // Comments have a name as type, other tokens an object; the last token is the end of the file.
  return types.filter((type) => typeof type !== 'string').length - 1;
}

const [commit] = process.argv.slice(2);
const sources = commit === undefined ? await readSources() : readCommit(commit);
const counts = new Map<string, { lines: number; tokens: number }>();
const total = { lines: 0, tokens: 0 };
for (const source of sources.filter(({ path }) => isProduct(path))) {
  const [, , , ...inside] = source.path.split('/').slice(0, -1);
  // A folder is one level below `src/`, two inside `modules/`.
  const depth = 3 + Math.min(inside.length, inside[0] === 'modules' ? 2 : 1);
  const folder = source.path.split('/').slice(0, depth).join('/');
  const count = counts.get(folder) ?? { lines: 0, tokens: 0 };
  counts.set(folder, count);
  const lines = source.text.split('\n').length - 1;
  const tokens = countTokens(source);
  for (const sum of [count, total]) {
    sum.lines += lines;
    sum.tokens += tokens;
  }
}

const width = Math.max(...[...counts.keys()].map((folder) => folder.length));
const line = (name: string, lines: number | string, tokens: number | string) =>
  `${name.padEnd(width)} ${String(lines).padStart(7)} ${String(tokens).padStart(8)}\n`;
process.stdout.write(line('folder', 'lines', 'tokens'));
for (const [folder, { lines, tokens }] of [...counts].sort()) process.stdout.write(line(folder, lines, tokens));
process.stdout.write(line('total', total.lines, total.tokens));
