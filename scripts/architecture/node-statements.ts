/**
 * The rules by which the text of a statement does the same on PostgreSQL and on Citus
 * (docs/adr/0014-citus.md), as far as the text shows whether it follows them.
 */
import { tables } from '../../apps/server/src/modules/tables.ts';
import { parseSource, visit } from './imports.ts';
import { EXPRESSION, textOf } from './table-writes.ts';

const ROOT = 'apps/server/src/';

const INSERT =
  /\bINSERT\s+INTO\s+(\w+|\0)(?:\s+AS\s+\w+)?\s*\(([^)]*)\)\s*(?:SELECT\s+(?:(\w+)\.tenant_id\b)?|VALUES\b|\0)/gi;
const IN_CTE = /\bAS\s*(?:(?:NOT\s+)?MATERIALIZED\s*)?\(\s*$/i;
const UPDATE = /\bUPDATE\s+(?:\w+|\0)(?:\s+(?:AS\s+)?\w+)?\s+SET\b/i;
const TRANSACTION = /\bpg_(?:current_xact_id|current_snapshot|snapshot_xmin|snapshot_xmax)\b/i;
/** STABLE functions: Citus evaluates them on the coordinator, where columns of rows are unknown. */
const STABLE =
  /\b(?:now|statement_timestamp|current_timestamp|jsonb_build_object|jsonb_build_array|to_jsonb|to_char)\b|\binterval\s*'/i;
const OF_TENANT = /\b(\w+)\.tenant_id\s*=\s*(\w+)\.tenant_id\b/g;

/** Returns the breaches of a statement, a sentence each. */
function breachesOf(text: string): { at: number; says: string }[] {
  const found: { at: number; says: string }[] = [];
  const inserts = [...text.matchAll(INSERT)];
  const inCte = (at: number) => IN_CTE.test(text.slice(0, at).replaceAll(/--[^\n]*\n\s*/g, ''));
  for (const match of inserts) {
    const [whole, table, columns, alias] = match;
    const tell = (says: string) => found.push({ at: match.index, says });
    const selects = /\)\s*SELECT\s/i.test(whole);
    const known = table === EXPRESSION ? undefined : tables.get(table!.toLowerCase());
    if (table !== EXPRESSION && known?.distribution !== 'distributed') continue;
    if (selects && (alias === undefined || !new RegExp(String.raw`\b${alias}\.tenant_id\s*=\s*\$1(?!\d)`).test(text)))
      tell(
        'inserts rows that it does not read from a table of the tenant; SELECT a.tenant_id FROM tenant_versions a WHERE a.tenant_id = $1',
      );
    const identity = known !== undefined && 'id' in known.columns;
    if (selects && identity && !/(^|,)\s*id\b/.test(columns!) && !columns!.includes(EXPRESSION))
      tell('leaves ids to a default; take them by takeIds and give them in the statement');
    if (inCte(match.index)) {
      if (!selects) tell('inserts values within WITH; INSERT … SELECT from tenant_versions');
      if (inserts.some((other) => !inCte(other.index)) || UPDATE.test(text))
        tell('inserts within WITH of a statement that writes as well; end it with a SELECT');
    }
  }
  const update = text.search(UPDATE);
  const first = inserts[0];
  if ((first || update >= 0) && TRANSACTION.test(text))
    found.push({
      at: first?.index ?? update,
      says: 'writes a transaction of the coordinator; use portico_transaction(x.tenant_id)',
    });
  if (update >= 0 && STABLE.test(text.slice(update)))
    found.push({ at: update, says: 'calls a STABLE function in UPDATE; pass its value' });
  for (const query of subqueries(text)) {
    // A join may run it for each row, and each run then takes other rows than the runs before.
    if (/\bIN\s*$/i.test(text.slice(0, query.at)) && /\bLIMIT\b[\s\S]*\bSKIP\s+LOCKED\b/i.test(query.text))
      found.push({
        at: query.at,
        says: 'takes a number of free rows in a subquery of a condition; take them in WITH … AS MATERIALIZED',
      });
    for (const match of query.text.matchAll(OF_TENANT)) {
      const outer = [match[1]!, match[2]!].find((name) => !introduces(query.text, name));
      if (outer)
        found.push({
          at: query.at + match.index,
          says: `names the tenant of a subquery by ${outer}.tenant_id; use $1`,
        });
    }
  }
  return found;
}

/** The texts between parentheses that begin with SELECT. */
function subqueries(text: string): { at: number; text: string }[] {
  return [...text.matchAll(/\(\s*SELECT\b/gi)].map(({ index }) => {
    let depth = 0;
    for (let at = index; at < text.length; at++) {
      if (text[at] === '(') depth++;
      else if (text[at] === ')' && --depth === 0) return { at: index, text: text.slice(index, at) };
    }
    return { at: index, text: text.slice(index) };
  });
}

function introduces(query: string, alias: string): boolean {
  return new RegExp(
    String.raw`(?:\b(?:FROM|JOIN)|,|\))\s+(?:LATERAL\s+)?(?:[\w\0]+(?:\s+AS)?\s+)?${alias}\b(?!\.)`,
    'i',
  ).test(query);
}

/**
 * Finds statements that Citus refuses, runs on the coordinator, or answers wrongly.
 * @param files sources without tests
 * @returns one sentence per breach
 */
export function checkNodeStatements(files: readonly { path: string; text: string }[]): string[] {
  const problems = new Map<string, string>();
  for (const { path, text } of files) {
    if (!path.startsWith(ROOT) || !/tenant_id/.test(text)) continue;
    visit(parseSource(path, text), (node) => {
      const sql = textOf(node);
      if (sql === undefined || !/tenant_id|pg_current_xact_id/.test(sql)) return;
      for (const { at, says } of breachesOf(sql)) {
        const line = (node.loc?.start.line ?? 0) + sql.slice(0, at).split('\n').length - 1;
        problems.set(`${path}:${line} ${says}`, `${path}:${line} ${says}`);
      }
    });
  }
  return [...problems.values()];
}
