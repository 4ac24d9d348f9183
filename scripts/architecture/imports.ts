/**
 * Finds every reference of a source file to another: static, dynamic, type-only, `require`, `new
 * URL`.
 */
import { dirname, join, normalize, sep } from 'node:path';
import { type ParserOptions, parse } from '@babel/parser';
import { fileOfPackage } from './workspaces.ts';

export interface ImportReference {
  /** Importing file, relative to the root, with forward slashes. */
  file: string;
  /** As written. */
  specifier: string;
  /** Imported file relative to the root, for relative specifiers and packages that offer their files. */
  target: string | undefined;
  line: number;
  /** Absent at run time. */
  typeOnly: boolean;
  /** Loaded when the code around it runs: `import()`, `require`, `new URL`. */
  late: boolean;
}

/** Whether a file belongs to tests, which may import any file of the product. */
export const isTest = (path: string): boolean =>
  /\.(test|fixture)\.tsx?$/.test(path) || /\/(testing|test)\//.test(path) || path.endsWith('.d.ts');

/** A node of the syntax tree. */
export interface Node {
  type: string;
  loc?: { start: { line: number }; end: { line: number } };
  [key: string]: unknown;
}

/**
 * Parses a source file.
 * @param more further options of the parser
 * @throws Error if it does not parse
 */
export function parseSource(file: string, text: string, more: ParserOptions = {}): Node {
  return parse(text, {
    sourceType: 'module',
    errorRecovery: false,
    ...more,
    plugins: ['typescript', ...(file.endsWith('x') ? (['jsx'] as const) : []), 'explicitResourceManagement'],
  }) as unknown as Node;
}

/** Whether an import says that the build leaves its address alone. */
const isViteIgnored = (text: string, { loc }: Node): boolean =>
  loc != null &&
  text
    .split('\n')
    .slice(loc.start.line - 1, loc.end.line)
    .join('\n')
    .includes('@vite-ignore');

/**
 * Reads the imports of one file.
 * @param file relative to the root, with forward slashes
 * @throws Error if the file does not parse, or imports something that is not a literal
 */
export function findImports(file: string, text: string): ImportReference[] {
  const program = parseSource(file, text);
  const found: ImportReference[] = [];
  const add = (node: Node, source: Node | null | undefined, typeOnly: boolean, late = false) => {
    if (!source) return;
    if (source.type !== 'StringLiteral') {
      // The address of a file of the built page is no file of the repository.
      if (file.startsWith('apps/web/src/') && isViteIgnored(text, node)) return;
      throw new Error(`${file}:${node.loc?.start.line} imports a computed name; write the name as a literal`);
    }
    const specifier = source['value'] as string;
    found.push({
      file,
      specifier,
      target: specifier.startsWith('.') ? resolve(file, specifier) : fileOfPackage(specifier),
      line: node.loc?.start.line ?? 0,
      typeOnly,
      late,
    });
  };
  visit(program, (node) => {
    switch (node.type) {
      case 'ImportDeclaration':
        add(node, node['source'] as Node, node['importKind'] === 'type');
        break;
      case 'ExportNamedDeclaration':
      case 'ExportAllDeclaration':
        add(node, node['source'] as Node | null, node['exportKind'] === 'type');
        break;
      case 'TSImportType':
        add(node, (node['argument'] ?? node['source']) as Node, true);
        break;
      case 'TSExternalModuleReference':
        add(node, node['expression'] as Node, false);
        break;
      case 'ImportExpression':
        add(node, node['source'] as Node, false, true);
        break;
      case 'CallExpression': {
        const callee = node['callee'] as Node;
        const first = (node['arguments'] as Node[])[0];
        if (callee.type === 'Import') add(node, first, false, true);
        else if (callee.type === 'Identifier' && callee['name'] === 'require' && first?.type === 'StringLiteral')
          add(node, first, false, true);
        break;
      }
      case 'NewExpression': {
        const callee = node['callee'] as Node;
        const [first, base] = node['arguments'] as Node[];
        const isUrl = callee.type === 'Identifier' && callee['name'] === 'URL' && base?.type === 'MemberExpression';
        // Scripts of child processes and workers are reached by their address.
        if (isUrl && first?.type === 'StringLiteral' && /\.[cm]?[jt]sx?$/.test(first['value'] as string)) {
          const specifier = first['value'] as string;
          add(node, specifier.startsWith('.') ? first : { ...first, value: `./${specifier}` }, false, true);
        }
        break;
      }
    }
  });
  return found;
}

function resolve(file: string, specifier: string): string {
  return normalize(join(dirname(file), specifier))
    .split(sep)
    .join('/');
}

/** Visits a node and all below it. */
export function visit(node: Node, seen: (node: Node) => void): void {
  seen(node);
  for (const [key, value] of Object.entries(node)) {
    if (key === 'loc' || key === 'leadingComments' || key === 'trailingComments' || key === 'innerComments') continue;
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) visit(item, seen);
    } else if (isNode(value)) visit(value, seen);
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
