/**
 * Compares the names of the tests with the names at an earlier commit: `node scripts/test-names.ts
 * [COMMIT]`. Prints each missing name and the counts; ends with 1 if one is missing. A test that
 * moves to another file keeps its name.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { parse } from '@babel/parser';

/** A node of the syntax tree. */
type Node = Record<string, unknown> & { type: string };

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** Returns the name of the function that `test.for(…)(…)` or `it.skip(…)` calls at the root. */
function rootOf(callee: unknown): string | undefined {
  if (!isNode(callee)) return undefined;
  if (callee.type === 'Identifier') return callee['name'] as string;
  if (callee.type === 'MemberExpression') return rootOf(callee['object']);
  return callee.type === 'CallExpression' ? rootOf(callee['callee']) : undefined;
}

/** Returns the names of the tests of a source, as written; a table of cases counts once. */
function namesOf(source: string): string[] {
  const names: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const part of node) visit(part);
    if (!isNode(node)) return;
    const [title] = (node['arguments'] ?? []) as Node[];
    const isTest = node.type === 'CallExpression' && ['test', 'it'].includes(rootOf(node['callee']) ?? '');
    if (isTest && title && ['StringLiteral', 'TemplateLiteral'].includes(title.type))
      names.push(source.slice((title['start'] as number) + 1, (title['end'] as number) - 1));
    for (const part of Object.values(node)) visit(part);
  };
  visit(parse(source, { sourceType: 'module', plugins: ['typescript', 'jsx'] }).program);
  return names;
}

function counted(sources: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const source of sources) for (const name of namesOf(source)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
const testsAmong = (files: string) => files.split('\n').filter((file) => file.endsWith('.test.ts'));

const commit = process.argv[2] ?? 'HEAD';
const before = counted(
  testsAmong(git('ls-tree', '-r', '--name-only', commit)).map((file) => git('show', `${commit}:${file}`)),
);
const now = counted(
  testsAmong(git('ls-files', '--cached', '--others', '--exclude-standard'))
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8')),
);
const gone = [...before].filter(([name, count]) => (now.get(name) ?? 0) < count);
const added = [...now].filter(([name, count]) => (before.get(name) ?? 0) < count);
for (const [name] of gone) console.log(`gone: ${name}`);
console.log(`${gone.length} names gone, ${added.length} new since ${commit}`);
if (gone.length > 0) process.exitCode = 1;
