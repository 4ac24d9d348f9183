/**
 * Tables are written only by the folder that owns them: INSERT, UPDATE, DELETE, MERGE, TRUNCATE and COPY … FROM on a table
 * of the registry (apps/server/src/modules/tables.ts) are below its owner. Other folders call what the owner exports.
 */
import { tables } from '../../apps/server/src/modules/tables.ts';
import { type Node, parseSource, visit } from './imports.ts';

const ROOT = 'apps/server/src/';

/** Files that name the table of a write at run time, with the reason. */
const COMPUTED: Readonly<Record<string, string>> = {
  [`${ROOT}kernel/tables/erase-rows.ts`]: 'what belongs to an object is erased from the tables of the registry',
  [`${ROOT}kernel/tables/seal-rows.ts`]: 'encrypted columns are encrypted anew in the tables of the registry',
  [`${ROOT}modules/people/users/units.repository.ts`]: 'areas and business units are alike',
  [`${ROOT}operator/copy/copy-rows.ts`]: 'an empty database is filled with the rows of all tables of another',
  [`${ROOT}operator/tenant-archive/load-rows.ts`]: 'a tenant is imported with the rows of all tables',
  [`${ROOT}modules/tenants/delete-tenant.ts`]: 'a tenant is deleted with the rows of all tables',
};

/** Folders that write tables of an owner above them, for all the domains between the two. */
const BELOW: Readonly<Record<string, readonly string[]>> = {
  'modules/posts': ['modules/records', 'modules/post-parts/common', 'modules/post-parts/values'],
  'modules/notifications': ['modules/records'],
  'platform/db': ['schema'],
};

/** Returns the folder of an owner. */
const folderOf = (owner: string): string =>
  owner.startsWith('platform/') ? owner.replace('platform/', 'packages/platform/src/') : `${ROOT}${owner}`;

/** Stands for an expression within a text. */
export const EXPRESSION = '\0';
const NAME = String.raw`((?:"?\w+"?\.)?"?\w+"?|\0)`;
/** Statements that write a table, whose name is one of the groups. */
export const WRITE = new RegExp(
  [
    String.raw`\b(?:INSERT\s+INTO|DELETE\s+FROM(?:\s+ONLY)?|MERGE\s+INTO(?:\s+ONLY)?|TRUNCATE(?:\s+TABLE)?(?:\s+ONLY)?)\s+${NAME}`,
    String.raw`\bUPDATE(?:\s+ONLY)?\s+${NAME}(?:\s+(?:AS\s+)?\w+)?\s+SET\b`,
    String.raw`\bCOPY\s+${NAME}(?:\s*\([^)]*\))?\s+FROM\b`,
  ].join('|'),
  'gi',
);

/** Files without such a word need not be parsed. */
const MAYBE = /\b(insert|update|delete|merge|truncate|copy)\b/i;

/** A statement that writes. */
interface TableWrite {
  /** undefined: named at run time. */
  table: string | undefined;
  line: number;
}

/**
 * Returns the text of a literal or of concatenated literals, with {@link EXPRESSION} for computed
 * parts; undefined for other nodes.
 */
export function textOf(node: Node): string | undefined {
  if (node.type === 'StringLiteral') return node['value'] as string;
  if (node.type === 'TemplateLiteral') {
    const pieces = (node['quasis'] as Node[]).map((piece) => (piece['value'] as { cooked: string }).cooked);
    const expressions = node['expressions'] as Node[];
    return pieces.map((piece, at) => piece + (expressions[at] ? (textOf(expressions[at]) ?? EXPRESSION) : '')).join('');
  }
  if (node.type === 'BinaryExpression' && node['operator'] === '+') {
    const [left, right] = [textOf(node['left'] as Node), textOf(node['right'] as Node)];
    if (left !== undefined || right !== undefined) return (left ?? EXPRESSION) + (right ?? EXPRESSION);
  }
  return undefined;
}

/** The writes in the texts of a file. Comments do not count. */
function findWrites(file: string, source: string): TableWrite[] {
  const found = new Map<string, TableWrite>();
  visit(parseSource(file, source), (node) => {
    const text = textOf(node);
    if (text === undefined) return;
    for (const match of text.matchAll(WRITE)) {
      const name = match[1] ?? match[2] ?? match[3] ?? EXPRESSION;
      const table = name === EXPRESSION ? undefined : name.replaceAll('"', '').replace(/^.*\./, '').toLowerCase();
      const line = (node.loc?.start.line ?? 0) + text.slice(0, match.index).split('\n').length - 1;
      // The pieces of a concatenated text are visited again.
      found.set(`${line} ${name}`, { table, line });
    }
  });
  return [...found.values()];
}

/**
 * Finds writes on tables of other folders.
 * @param files sources without tests; tests and the bench may write to any table
 * @returns one sentence per breach
 */
export function checkTableWrites(files: readonly { path: string; text: string }[]): string[] {
  const problems: string[] = [];
  for (const { path, text } of files) {
    if (!/^(apps|packages)\//.test(path) || !MAYBE.test(text)) continue;
    for (const { table, line } of findWrites(path, text)) {
      if (table === undefined) {
        if (!COMPUTED[path])
          problems.push(`${path}:${line} writes a table that is named at run time; name it in the statement`);
        continue;
      }
      const owner = tables.get(table)?.owner;
      if (owner === undefined) continue;
      if (![owner, ...(BELOW[owner] ?? [])].some((folder) => path.startsWith(`${folderOf(folder)}/`)))
        problems.push(`${path}:${line} writes ${table}, which ${owner} owns; call a function that ${owner} exports`);
    }
  }
  return problems;
}
