/**
 * The boundaries of docs/architecture.md, enforced: walks every import of the repository and names the ones that cross
 * a boundary, with what to use instead. Also: no circles between modules, no file over 500 lines.
 */
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, normalize, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MAX_LINES = 500;

interface Import {
  /** Importing file, relative to the root, with forward slashes. */
  file: string;
  /** As written. */
  specifier: string;
  /** Imported file relative to the root, for relative imports. */
  target: string | undefined;
  line: number;
  /** `import type`: gone at run time. */
  typeOnly: boolean;
}

interface Rule {
  name: string;
  breaks(item: Import): boolean;
  instead: string;
}

const moduleOf = (path: string | undefined) => /^apps\/server\/src\/modules\/([^/]+)\//.exec(path ?? '')?.[1];
const isTest = (file: string) => /\.test\.ts$/.test(file) || file.includes('/testing/') || file.includes('.fixture');
/** Which part of a module a file belongs to: posts is large enough to have parts with an index of their own. */
const partOf = (path: string | undefined) => /^apps\/server\/src\/modules\/posts\/([^/]+)\//.exec(path ?? '')?.[1];

const rules: readonly Rule[] = [
  {
    name: 'platform knows no module',
    breaks: ({ file, target }) =>
      file.startsWith('apps/server/src/platform/') &&
      !isTest(file) &&
      /^apps\/server\/src\/(modules|http)\//.test(target ?? ''),
    instead: 'hand what is needed in as a parameter',
  },
  {
    name: 'modules know nothing of HTTP',
    breaks: ({ file, target }) =>
      moduleOf(file) !== undefined &&
      !isTest(file) &&
      !file.includes('/files/') &&
      (target ?? '').startsWith('apps/server/src/http/'),
    instead: 'throw a PorticoError and return plain objects; http/mount.ts does the rest',
  },
  {
    name: 'a module is entered by its index.ts',
    breaks: ({ file, target }) => {
      const to = moduleOf(target);
      if (to === undefined || isTest(file)) return false;
      const inside = moduleOf(file) === to && (to !== 'posts' || partOf(file) === partOf(target));
      return !inside && !/\/(index|[a-z-]+-types)\.ts$/.test(target ?? '') && !/\/handlers\.ts$/.test(file);
    },
    instead: 'import from the module’s index.ts, and export there what others may use',
  },
  {
    name: 'policies and presenters do no I/O',
    breaks: ({ file, target, specifier, typeOnly }) =>
      !typeOnly &&
      /\.(policy|presenter)\.ts$/.test(file) &&
      (/\.repository\.ts$/.test(target ?? '') || /^(node:fs|node:http|pg|kysely)/.test(specifier)),
    instead: 'load the facts in the read or the verb and pass them in',
  },
  {
    name: 'routes hold no SQL',
    breaks: ({ file, target }) => /\.routes\.ts$/.test(file) && /\.repository\.ts$/.test(target ?? ''),
    instead: 'call a verb or a read of the module',
  },
  {
    name: 'the contract imports nothing of ours',
    breaks: ({ file, specifier, target }) =>
      file.startsWith('packages/contract/') &&
      (specifier.startsWith('@portico/') || (target !== undefined && !target.startsWith('packages/contract/'))) &&
      !isTest(file),
    instead: 'move what is shared into packages/contract',
  },
  {
    name: 'the acceptance suite is a stranger',
    breaks: ({ file, specifier, target }) =>
      file.startsWith('acceptance/') && (specifier.startsWith('@portico/server') || (target ?? '').startsWith('apps/')),
    instead: 'speak HTTP, or run the portico command',
  },
];

async function sourceFiles(): Promise<string[]> {
  const found: string[] = [];
  for (const top of ['packages', 'apps', 'acceptance', 'bench', 'scripts', 'examples']) {
    const entries = await readdir(join(ROOT, top), { recursive: true, withFileTypes: true }).catch(
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return [];
        throw error;
      },
    );
    for (const entry of entries) {
      const path = relative(ROOT, join(entry.parentPath, entry.name)).split(sep).join('/');
      if (entry.isFile() && /\.(ts|tsx|mjs)$/.test(path) && !/(^|\/)(node_modules|dist)\//.test(path)) found.push(path);
    }
  }
  return found.sort();
}

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s(?:[^'";]*?\sfrom\s)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g;

function importsOf(file: string, text: string): Import[] {
  return [...text.matchAll(IMPORT)].map((match) => {
    const specifier = (match[1] ?? match[2]) as string;
    return {
      file,
      specifier,
      typeOnly: /^\s*(?:import|export)\s+type\s/.test(match[0]),
      target: specifier.startsWith('.')
        ? normalize(join(dirname(file), specifier))
            .split(sep)
            .join('/')
        : undefined,
      line: text.slice(0, match.index).split('\n').length + (match[0].startsWith('\n') ? 1 : 0),
    };
  });
}

/** Circles between modules of the server (parts of posts count as modules). */
function circles(imports: readonly Import[]): string[] {
  const unit = (path: string | undefined) => {
    const module = moduleOf(path);
    const part = partOf(path);
    return module && part ? `${module}/${part}` : module;
  };
  const edges = new Map<string, Set<string>>();
  for (const item of imports) {
    const [from, to] = [unit(item.file), unit(item.target)];
    if (!from || !to || from === to || isTest(item.file)) continue;
    edges.set(from, (edges.get(from) ?? new Set()).add(to));
  }
  const found = new Set<string>();
  const visit = (node: string, path: string[]) => {
    const at = path.indexOf(node);
    if (at >= 0) {
      const circle = path.slice(at);
      const first = circle.indexOf([...circle].sort()[0] as string);
      const turned = [...circle.slice(first), ...circle.slice(0, first)];
      found.add([...turned, turned[0]].join(' → '));
      return;
    }
    if (path.length < 12) for (const next of edges.get(node) ?? []) visit(next, [...path, node]);
  };
  for (const node of edges.keys()) visit(node, []);
  return [...found].map(
    (circle) => `modules in a circle: ${circle}; move what both need into one of them, or below both`,
  );
}

/** @returns one sentence per breach, none when the architecture holds */
export async function checkArchitecture(): Promise<string[]> {
  const problems: string[] = [];
  const imports: Import[] = [];
  for (const file of await sourceFiles()) {
    const text = await readFile(join(ROOT, file), 'utf8');
    const lines = text.split('\n').length - 1;
    if (lines > MAX_LINES && !file.includes('.generated.'))
      problems.push(`${file} has ${lines} lines; split it (at most ${MAX_LINES})`);
    imports.push(...importsOf(file, text));
  }
  for (const item of imports) {
    for (const rule of rules) {
      if (rule.breaks(item))
        problems.push(`${item.file}:${item.line} imports ${item.specifier}: ${rule.name}; ${rule.instead}`);
    }
  }
  return [...problems, ...circles(imports)];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = await checkArchitecture();
  for (const problem of problems) process.stdout.write(`${problem}\n`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
