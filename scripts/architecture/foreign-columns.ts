/**
 * SQL of a domain names columns of another domain's tables by `sqlColumns` of modules/columns.ts, so
 * that renaming a column is a type error wherever another domain reads it.
 */
import { tables } from '../../apps/server/src/modules/tables.ts';
import { type Node, parseSource, visit } from './imports.ts';

const MODULES = 'apps/server/src/modules/';

const TABLE =
  /\b(?:FROM|JOIN)\s+(?:ONLY\s+)?(\w+)(?:\s+(?:AS\s+)?(?!(?:ON|WHERE|JOIN|LEFT|RIGHT|FULL|ORDER|SET|USING|GROUP|LIMIT|CROSS|FOR|UNION|INNER|EXCEPT|HAVING)\b)([a-z]\w*))?/gi;

/** A word that may be a column of the only table of a statement. */
const BARE = /(?<![\w.:"']|\bAS\s)([a-z]\w*)\b(?![\w"'(.]|\s\()/g;

/** A literal of a statement: the place of its text in the source, without quotes. */
interface Piece {
  node: Node;
  /** Offset of the text in the file. */
  at: number;
  text: string;
}

/** A column of a foreign table that a statement names by its text. */
interface ForeignColumn {
  table: string;
  /** Empty in a statement that reads one table, without an alias. */
  alias: string;
  column: string;
  /** The literal with the name: a part of a template, or a string. */
  node: Node;
  /** Offset of `alias.column` in the file. */
  at: number;
}

/** Returns the literals of a template or string, with those of its expressions. */
function piecesOf(node: Node, source: string): Piece[] {
  const pieces: Piece[] = [];
  visit(node, (inner) => {
    const { start, end } = inner as unknown as { start: number; end: number };
    if (inner.type === 'TemplateElement') pieces.push({ node: inner, at: start, text: source.slice(start, end) });
    if (inner.type === 'StringLiteral')
      pieces.push({ node: inner, at: start + 1, text: source.slice(start + 1, end - 1) });
  });
  return pieces;
}

/** Returns tables by the names that a statement gives them; null for a name of two tables. */
function aliasesOf(pieces: readonly Piece[]): Map<string, string | null> {
  const found = new Map<string, string | null>();
  for (const { text } of pieces)
    for (const [, name = '', alias = name] of text.matchAll(TABLE)) {
      const known = found.get(alias);
      if (tables.has(name)) found.set(alias, known === undefined || known === name ? name : null);
      else if (known !== undefined) found.set(alias, null);
    }
  return found;
}

/** Returns the domain of an owner, or of a file below modules/. */
const domainOf = (path: string): string | undefined => path.split('/')[0];

/** Finds columns of other domains' tables that the statements of a file name by their text. */
function foreignColumns(path: string, source: string): ForeignColumn[] {
  const domain = domainOf(path.slice(MODULES.length));
  const found: ForeignColumn[] = [];
  const seen = new Set<Node>();
  visit(parseSource(path, source), (node) => {
    if (!['TemplateLiteral', 'StringLiteral'].includes(node.type) || seen.has(node)) return;
    visit(node, (inner) => seen.add(inner));
    const pieces = piecesOf(node, source);
    const names = aliasesOf(pieces);
    for (const [alias, table] of names) {
      const { owner, columns } = (table !== null && tables.get(table)) || {};
      if (table === null || columns === undefined || !owner?.startsWith('modules/')) continue;
      if (domainOf(owner.slice('modules/'.length)) === domain) continue;
      const named = new RegExp(String.raw`(?<![\w.'])${alias}\.(\w+)\b`, 'g');
      const alone = names.size === 1 && alias === table;
      for (const piece of pieces)
        for (const match of piece.text.matchAll(alone ? BARE : named)) {
          const column = match[1] ?? '';
          // Every table has the column of the tenant, which other checks look for.
          if (column !== 'tenant_id' && Object.hasOwn(columns, column))
            found.push({ table, alias: alone ? '' : alias, column, node: piece.node, at: piece.at + match.index });
        }
    }
  });
  return found.sort((a, b) => a.at - b.at);
}

/** Files and folders below modules/ that still name columns of other domains by their text. */
const BY_NAME: readonly string[] = [
  'search/',
  'webhooks/',
  'communities/field-rows.ts',
  'communities/mapping-required.ts',
  'communities/workflow-rows.ts',
  'definitions/changes/change-field-type.ts',
  'definitions/changes/work-on-posts.ts',
  'definitions/files/community-files.repository.ts',
  'notifications/due-tasks.repository.ts',
  'notifications/live/live.repository.ts',
  'notifications/notifications.repository.ts',
  'people/users/user-filters.ts',
  'post-parts/documents/index-documents.ts',
  'records/events/changes.ts',
  'tenants/scopes.ts',
  'tenants/tenant-settings.ts',
];

/** @returns one sentence for each statement's line that names a column of another domain's table by its text */
export function checkForeignColumns(files: readonly { path: string; text: string }[]): string[] {
  const problems = new Set<string>();
  for (const { path, text } of files) {
    if (!path.startsWith(MODULES) || !text.includes('FROM')) continue;
    if (BY_NAME.some((place) => path.startsWith(`${MODULES}${place}`))) continue;
    for (const { table, column, at } of foreignColumns(path, text)) {
      const line = text.slice(0, at).split('\n').length;
      problems.add(
        `${path}:${line} names ${table}.${column} by its text; use sqlColumns('${table}') of modules/columns.ts`,
      );
    }
  }
  return [...problems];
}
