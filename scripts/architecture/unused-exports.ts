/**
 * Another file must import every export of a file; otherwise it is dead code or needs no `export`.
 * An export can be imported by tests alone if the file itself uses it too: a limit, a part of a
 * computation. Code used by nothing but tests belongs to the tests, and an index.ts re-exports
 * nothing for tests alone: they import the file behind it.
 */
import { posix } from 'node:path';
import { isTest, type Node, parseSource, visit } from './imports.ts';
import { ENTRIES, fileOfPackage } from './workspaces.ts';

/** Files whose exports are published to other users. */
const PUBLISHED = /^packages\/(contract|sdk)\/src\/(index|node|schemas\/index|openapi\/index)\.ts$/;
const PRODUCT = /^(apps|packages)\/[^/]+\/src\//;
/** Stands for all that a file exports. */
const ALL = '*';

interface Export {
  path: string;
  name: string;
  line: number;
  /** The file itself uses it. */
  usedWithin: boolean;
}

const textOf = (name: Node) => (name['value'] ?? name['name']) as string;

/** The names that a declaration or a pattern binds. */
function boundBy(node: Node): string[] {
  if (node.type === 'Identifier') return [node['name'] as string];
  if (node.type === 'VariableDeclaration') return (node['declarations'] as Node[]).flatMap((one) => boundBy(one));
  if (node.type === 'ObjectPattern')
    return (node['properties'] as Node[]).flatMap((one) => boundBy((one['value'] ?? one['argument']) as Node));
  return node['id'] ? boundBy(node['id'] as Node) : [];
}

/** Exports of the files, and their importers. */
class Exports {
  readonly all: Export[] = [];
  /** `file name` → files that import it. */
  readonly #importers = new Map<string, Set<string>>();
  /** File → files that re-export all of it. */
  readonly #passedOn = new Map<string, Set<string>>();

  add(path: string, text: string): void {
    const counts = new Map<string, number>();
    const own: (Omit<Export, 'usedWithin'> & { passedOn: boolean })[] = [];
    const use = (source: Node, name: string, map = this.#importers) => {
      const specifier = String(source['value']);
      const target = specifier.startsWith('.')
        ? posix.join(posix.dirname(path), specifier)
        : (ENTRIES[specifier] ?? fileOfPackage(specifier));
      if (!target) return;
      const key = map === this.#importers ? `${target} ${name}` : target;
      map.set(key, (map.get(key) ?? new Set()).add(path));
    };
    /** For each `import * as name`: the file behind it, and the number of uses of its members. */
    const namespaces = new Map<string, { source: Node; members: number }>();
    visit(parseSource(path, text), (node) => {
      const line = node.loc?.start.line ?? 0;
      const [source, specifiers = []] = [node['source'] as Node | null, node['specifiers'] as Node[]];
      if (node.type === 'Identifier' || node.type === 'JSXIdentifier')
        counts.set(textOf(node), (counts.get(textOf(node)) ?? 0) + 1);
      else if (node.type === 'ImportDeclaration')
        for (const one of specifiers)
          if (one.type === 'ImportNamespaceSpecifier')
            namespaces.set(textOf(one['local'] as Node), { source: source!, members: 0 });
          else use(source!, one['imported'] ? textOf(one['imported'] as Node) : ALL);
      else if (node.type === 'MemberExpression' || node.type === 'TSQualifiedName') {
        const [object, name] = [node['object'] ?? node['left'], node['property'] ?? node['right']] as Node[];
        const namespace = namespaces.get(String(object!['name']));
        if (!namespace || node['computed']) return;
        namespace.members++;
        use(namespace.source, textOf(name!));
      } else if (node.type === 'ExportAllDeclaration') use(source!, ALL, this.#passedOn);
      else if (node.type === 'ImportExpression') use(source!, ALL);
      else if (node.type === 'TSImportType') use((node['argument'] ?? node['source']) as Node, ALL);
      else if (node.type === 'CallExpression' && (node['callee'] as Node).type === 'Import')
        use((node['arguments'] as Node[])[0]!, ALL);
      else if (node.type === 'ExportNamedDeclaration') {
        const declared = node['declaration'] ? boundBy(node['declaration'] as Node) : [];
        for (const name of declared) own.push({ path, name, line, passedOn: false });
        for (const one of specifiers) {
          own.push({ path, name: textOf(one['exported'] as Node), line, passedOn: true });
          if (source) use(source, textOf(one['local'] as Node));
        }
      }
    });
    // A name without a member uses the whole file.
    for (const [name, { source, members }] of namespaces) if ((counts.get(name) ?? 0) > members + 1) use(source, ALL);
    for (const { passedOn, ...one } of own)
      this.all.push({ ...one, usedWithin: !passedOn && (counts.get(one.name) ?? 0) > 1 });
  }

  /** The files that import a name from a file, or from a file that re-exports it. */
  importersOf(path: string, name: string): string[] {
    if (PUBLISHED.test(path)) return ['another repository'];
    const found = [`${path} ${name}`, `${path} ${ALL}`].flatMap((key) => [...(this.#importers.get(key) ?? [])]);
    return [...found, ...[...(this.#passedOn.get(path) ?? [])].flatMap((by) => this.importersOf(by, name))];
  }
}

/** @returns one sentence per export that only the file itself uses, or only tests */
export function checkUnusedExports(files: readonly { path: string; text: string }[]): string[] {
  const exports = new Exports();
  for (const { path, text } of files) exports.add(path, text);
  const problems: string[] = [];
  for (const { path, name, line, usedWithin } of exports.all) {
    const importers = exports.importersOf(path, name);
    if (importers.length === 0)
      problems.push(`${path}:${line} exports ${name}, which no other file imports; delete it, or its \`export\``);
    else if (PRODUCT.test(path) && !isTest(path) && !usedWithin && importers.every(isTest))
      problems.push(
        `${path}:${line} exports ${name} for tests alone; let them import the file that uses it, or move it to them`,
      );
  }
  return problems;
}
