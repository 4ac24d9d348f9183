/**
 * The boundaries of docs/architecture.md, enforced. Each import of the repository must be one that `zones.ts` allows;
 * each breach is one sentence that says what to do instead. Also: no circles between files, no file over 500 lines, tables
 * written only by the folder that owns them, columns of other domains read by their types, objects named where they are written, one noun for
 * each operation, no export without a use, and no heavy package loaded by a start.
 */
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkForeignColumns } from './foreign-columns.ts';
import { findImports, type ImportReference, isTest } from './imports.ts';
import { checkMigrationNumbers, readMigrationNames } from './migration-numbers.ts';
import { checkMigrationTypes } from './migration-types.ts';
import { checkMigrationUpdates, readMigrationTexts } from './migration-updates.ts';
import { checkNamedWrites } from './named-writes.ts';
import { checkNodeStatements } from './node-statements.ts';
import { checkNames } from './one-name.ts';
import { checkStartPackages } from './start-packages.ts';
import { checkTableWrites } from './table-writes.ts';
import { checkUnusedExports } from './unused-exports.ts';
import { type Zone, zones } from './zones.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MAX_LINES = 500;
const FOLDERS = ['packages', 'apps', 'acceptance', 'bench', 'scripts', 'examples'];

/** A source file. */
export interface SourceFile {
  /** Relative to the root, with forward slashes. */
  path: string;
  text: string;
}

const builtIn = (specifier: string) => specifier.startsWith('node:');

/** Returns the zone of a file: the zone with the longest matching path. */
function zoneOf(path: string): [string, Zone] | undefined {
  let best: [string, Zone] | undefined;
  let length = 0;
  for (const [name, zone] of Object.entries(zones)) {
    if (zone.pattern?.test(path)) return [name, zone];
    for (const prefix of zone.paths) {
      if (path.startsWith(prefix) && prefix.length > length) {
        best = [name, zone];
        length = prefix.length;
      }
    }
  }
  return best;
}

const where = ({ file, line, specifier }: ImportReference) => `${file}:${line} imports ${specifier}`;

/**
 * Checks an import of the product.
 * @returns a sentence for each breach
 */
function breachesOf(item: ImportReference, from: readonly [string, Zone]): string[] {
  const [name, zone] = from;
  const found: string[] = [];
  const { target, specifier } = item;
  if (target === undefined) {
    if (builtIn(specifier)) {
      if (zone.without?.includes(specifier))
        found.push(`${where(item)}: ${name} does not use ${specifier}; return plain objects, http/ does the rest`);
    } else if (zone.packages !== 'any' && !zone.packages.includes(specifier)) {
      found.push(
        `${where(item)}: ${name} may not use this package; use what the folder below offers, or allow it in zones.ts`,
      );
    }
  } else if (isTest(target)) {
    found.push(`${where(item)}: the product may not import tests`);
  } else {
    const to = zoneOf(target);
    if (!to) found.push(`${where(item)}: no zone holds ${target}; add its folder to zones.ts`);
    else if (to[0] !== name) {
      if (!zone.mayImport.includes(to[0]))
        found.push(
          `${where(item)}: ${name} may not import ${to[0]}; pass it in as a parameter, or move what both need below both`,
        );
      else if (zone.parts && to[0] === 'tables' && dirname(target) !== dirname(item.file))
        found.push(`${where(item)}: only the files beside it use a description of tables`);
      else if (to[1].entry && !to[1].entry.test(target))
        found.push(`${where(item)}: ${to[0]} is entered by its index.ts; export there what others may use`);
    }
  }
  found.push(...rolesOf(item));
  return found;
}

/** Rules for kinds of file, by their names. */
function rolesOf(item: ImportReference): string[] {
  const { file, target = '', specifier, typeOnly } = item;
  const found: string[] = [];
  if (typeOnly) return found;
  if (
    /\.(policy|presenter)\.ts$/.test(file) &&
    (/\.repository\.ts$/.test(target) || /^(node:(fs|http|https|net|child_process)|pg\b)/.test(specifier))
  )
    found.push(
      `${where(item)}: policies and presenters read nothing; load the facts in the read or the verb and pass them in`,
    );
  if (/\.routes\.ts$/.test(file) && /\.repository\.ts$|\/platform\/src\/db\//.test(target))
    found.push(`${where(item)}: routes hold no SQL; call a verb or a read of the module`);
  return found;
}

/** Rules for tests and tools: the acceptance suite uses only the public interface. */
function breachesOfTests(item: ImportReference): string[] {
  const { file, specifier, target = '' } = item;
  if (
    file.startsWith('acceptance/') &&
    ((target.startsWith('apps/') && target !== 'apps/server/start.mjs') ||
      (/^@portico\/server/.test(specifier) && !/^@portico\/server\/testing(\/process)?$/.test(specifier)))
  )
    return [`${where(item)}: the acceptance suite speaks HTTP or runs the portico command`];
  if (/^packages\/contract\//.test(file) && target !== '' && !target.startsWith('packages/contract/'))
    return [`${where(item)}: the contract imports nothing of ours`];
  return [];
}

/** Circles of files that import each other at run time. */
function circlesOf(references: readonly ImportReference[]): string[] {
  const edges = new Map<string, string[]>();
  for (const { file, target, typeOnly } of references) {
    if (target && !typeOnly && !isTest(file)) edges.set(file, [...(edges.get(file) ?? []), target]);
  }
  const state = new Map<string, 'open' | 'done'>();
  const found = new Set<string>();
  const visit = (file: string, path: string[]) => {
    if (state.get(file) === 'done') return;
    if (state.get(file) === 'open') {
      const circle = path.slice(path.indexOf(file));
      const first = circle.indexOf([...circle].sort()[0] as string);
      const turned = [...circle.slice(first), ...circle.slice(0, first)];
      found.add([...turned, turned[0]].join(' → '));
      return;
    }
    state.set(file, 'open');
    for (const next of edges.get(file) ?? []) visit(next, [...path, file]);
    state.set(file, 'done');
  };
  for (const file of edges.keys()) visit(file, []);
  return [...found].map((circle) => `files import each other: ${circle}; move what both need below both`);
}

/**
 * Returns the part of a domain that a file belongs to: a folder of the domain, or the domain's own
 * files. The index, the tables and the routes put parts together, so they belong to none.
 */
function partOf(path: string, [name, zone]: readonly [string, Zone]): string | undefined {
  if (!zone.parts || /(^|\/)index\.ts$|\.routes\.ts$/.test(path)) return undefined;
  const [folder, ...rest] = path.slice(zone.paths[0]?.length).split('/');
  return rest.length > 0 ? `${name}/${folder}` : name;
}

/** Circles of parts of a domain that import each other, types included. */
function circlesOfParts(references: readonly ImportReference[]): string[] {
  const edges = new Map<string, Map<string, string>>();
  for (const item of references) {
    const from = zoneOf(item.file);
    const to = item.target === undefined ? undefined : zoneOf(item.target);
    if (!from || !to || !item.target || isTest(item.file) || from[0] !== to[0]) continue;
    const [a, b] = [partOf(item.file, from), partOf(item.target, to)];
    if (!a || !b || a === b) continue;
    const known = edges.get(a) ?? new Map<string, string>();
    edges.set(a, known.set(b, where(item)));
  }
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (part: string, path: readonly string[]) => {
    if (path.includes(part)) {
      const circle = [...path.slice(path.indexOf(part)), part];
      const steps = circle.slice(1).map((to, at) => edges.get(circle[at] as string)?.get(to));
      found.push(
        `folders import each other: ${circle.join(' → ')} (${steps.join('; ')}); move what both need below both`,
      );
      return;
    }
    if (done.has(part)) return;
    for (const next of edges.get(part)?.keys() ?? []) visit(next, [...path, part]);
    done.add(part);
  };
  for (const part of edges.keys()) visit(part, []);
  return found;
}

/** Circles in the allow-list itself. */
function circlesOfZones(): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (name: string, path: readonly string[]) => {
    if (path.includes(name)) {
      // The platform and its database know each other: errors of one, types of the other.
      const circle = [...path.slice(path.indexOf(name)), name];
      if (circle.some((one) => !one.startsWith('platform')))
        found.push(`zones.ts allows a circle: ${circle.join(' → ')}`);
      return;
    }
    if (done.has(name)) return;
    for (const next of zones[name]?.mayImport ?? []) {
      if (!zones[next]) found.push(`zones.ts: ${name} may import ${next}, which is no zone`);
      else visit(next, [...path, name]);
    }
    done.add(name);
  };
  for (const name of Object.keys(zones)) visit(name, []);
  return found;
}

/** @returns one sentence per breach; empty if the boundaries hold */
export function checkBoundaries(files: readonly SourceFile[]): string[] {
  const problems: string[] = circlesOfZones();
  const references: ImportReference[] = [];
  for (const { path, text } of files) {
    const lines = text.split('\n').length - 1;
    if (lines > MAX_LINES && !path.includes('.generated.'))
      problems.push(`${path} has ${lines} lines; split it (at most ${MAX_LINES})`);
    let imports: ImportReference[];
    try {
      imports = findImports(path, text);
    } catch (error) {
      problems.push(isTest(path) ? '' : (error as Error).message);
      continue;
    }
    references.push(...imports);
    const zone = isTest(path) ? undefined : zoneOf(path);
    for (const item of imports) problems.push(...(zone ? breachesOf(item, zone) : breachesOfTests(item)));
    if (!zone && !isTest(path) && /^(packages|apps)\/[^/]+\/src\//.test(path))
      problems.push(`${path} is in no zone; add its folder to zones.ts`);
  }
  return [...problems.filter((problem) => problem !== ''), ...circlesOf(references), ...circlesOfParts(references)];
}

/** Reads all source files of the repository. */
export async function readSources(): Promise<SourceFile[]> {
  const found: SourceFile[] = [];
  for (const top of FOLDERS) {
    const entries = await readdir(join(ROOT, top), { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      const path = relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/');
      if (entry.isFile() && /\.(ts|tsx|mjs)$/.test(path) && !/(^|\/)(node_modules|dist)\//.test(path))
        found.push({ path, text: await readFile(join(ROOT, path), 'utf8') });
    }
  }
  found.push({ path: 'vitest.config.ts', text: await readFile(join(ROOT, 'vitest.config.ts'), 'utf8') });
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const sources = await readSources();
  const product = sources.filter(({ path }) => !isTest(path));
  const migrations = await readMigrationTexts();
  const problems = [
    ...checkBoundaries(sources),
    ...checkUnusedExports(sources),
    ...checkTableWrites(product),
    ...checkForeignColumns(product),
    ...checkNamedWrites(product),
    ...checkNodeStatements(product),
    ...checkNames(product),
    ...checkStartPackages(product),
    ...checkMigrationNumbers(await readMigrationNames()),
    ...checkMigrationUpdates(migrations),
    ...checkMigrationTypes(migrations),
  ];
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
