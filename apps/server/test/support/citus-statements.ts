/**
 * Checks that statements stay on the node of their tenant: the coordinator of a Citus cluster logs
 * the service's statements during a run of tests; then each text is explained once, with the values
 * of its first use.
 */
import { createReadStream } from 'node:fs';
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import type { CitusCluster } from './citus.ts';
import { EXCEPTIONS, type StatementException } from './citus-exceptions.ts';

/** A statement as it was first sent. */
interface SentStatement {
  text: string;
  /** As texts; null is NULL. */
  values: (string | null)[];
  /** The tenant that the transaction named, or 0. */
  tenantId: number;
  /** Message of the coordinator when it refused the statement. */
  refused?: string;
}

/** The application name of connections whose statements are a test's own and are not looked at. */
export const UNRECORDED = 'portico-unrecorded';

/** Process, database, SQLSTATE, application: the parts of each entry for {@link readStatements}. */
const LINE_PREFIX = '~%p~%d~%e~%a~ ';
const ENTRY = /^~(\d+)~([^~]*)~(\w{5})~([^~]*)~ (LOG|ERROR|STATEMENT|DETAIL): {2}(.*)$/s;
const SENT = /^(?:statement|execute [^:]*): (.*)$/s;
const SCOPE = /^SET LOCAL app\.tenant_id = '(\d+)'$/;
const NOT_SUPPORTED = '0A000';
/** Statements that EXPLAIN accepts. */
const EXPLAINABLE = /^\s*(?:--[^\n]*\n\s*)*(?:SELECT|WITH|INSERT|UPDATE|DELETE|VALUES|MERGE|\()/i;

/** Makes the coordinator log the statements of a role from now on. */
export async function logStatements(directory: string, { ports }: CitusCluster, role: string): Promise<void> {
  const client = new pg.Client({ host: '127.0.0.1', port: ports[0], user: 'postgres', database: 'postgres' });
  await client.connect();
  try {
    await client.query(`ALTER SYSTEM SET log_line_prefix = '${LINE_PREFIX}'`);
    await client.query('SELECT pg_reload_conf()');
    // For the coordinator alone: the extension is not in this database, so nothing passes the
    // setting on.
    await client.query(`ALTER ROLE ${role} SET log_statement = 'all'`);
  } finally {
    await client.end();
  }
  await truncate(logOf(directory, ports));
}

function logOf(directory: string, ports: readonly number[]): string {
  return join(directory, 'logs', `${ports[0]}.log`);
}

/**
 * Reads a log of PostgreSQL.
 * @param lines of the log; further lines of an entry begin with a tab
 * @param databases the beginning of their names
 * @returns each text once
 */
export async function readStatements(lines: AsyncIterable<string>, databases: string): Promise<SentStatement[]> {
  const found = new Map<string, SentStatement>();
  const tenants = new Map<string, number>();
  const refusals = new Map<string, string>();
  /** Sent by a process, and not yet followed by its parameters. */
  const open = new Map<string, SentStatement>();
  const take = (entry: string) => {
    const [, process, database, state, application, kind, message] = ENTRY.exec(entry) ?? [];
    if (!process || !database?.startsWith(databases)) return;
    // Parts of statements, which Citus sends to the coordinator as it does to other nodes.
    if (
      application === UNRECORDED ||
      application!.startsWith('citus_internal') ||
      message!.includes('OPERATOR(pg_catalog.')
    )
      return;
    if (kind === 'ERROR' && state === NOT_SUPPORTED) refusals.set(process, message!);
    if (kind === 'STATEMENT') {
      const refused = refusals.get(process);
      refusals.delete(process);
      const known = found.get(message!) ?? { text: message!, values: [], tenantId: tenants.get(process) ?? 0 };
      if (refused && EXPLAINABLE.test(message!)) found.set(message!, { ...known, refused });
    }
    if (kind === 'DETAIL') {
      const statement = open.get(process);
      if (statement && message!.startsWith('parameters: ')) statement.values = valuesOf(message!);
    }
    if (kind !== 'LOG') return;
    open.delete(process);
    const text = SENT.exec(message!)?.[1];
    if (text === undefined) return;
    const scope = SCOPE.exec(text);
    if (scope) tenants.set(process, Number(scope[1]));
    if (found.has(text) || !EXPLAINABLE.test(text)) return;
    const statement = { text, values: [], tenantId: tenants.get(process) ?? 0 };
    found.set(text, statement);
    open.set(process, statement);
  };
  let entry: string[] = [];
  for await (const line of lines) {
    if (line.startsWith('~')) {
      take(entry.join('\n'));
      entry = [line];
    } else entry.push(line.replace(/^\t/, ''));
  }
  take(entry.join('\n'));
  return [...found.values()];
}

/** `parameters: $1 = '5', $2 = NULL`, quotes doubled. */
function valuesOf(detail: string): (string | null)[] {
  return [...detail.matchAll(/\$\d+ = (?:NULL|'((?:[^']|'')*)')/g)].map(
    ([, text]) => text?.replaceAll("''", "'") ?? null,
  );
}

/** A node of a plan as EXPLAIN (FORMAT JSON) tells it, as far as it is read here. */
interface DistributedPlan {
  'Custom Plan Provider'?: string;
  'INSERT/SELECT method'?: string;
  'Distributed Query'?: {
    Job?: { 'Task Count'?: number; Tasks?: { 'Remote Plan'?: { Plan?: { 'Node Type'?: string } }[][] }[] };
    Subplans?: { PlannedStmt?: unknown[] }[];
  };
}

/** Returns the reasons for which a plan in JSON leaves the node of a tenant, or undefined. */
export function leavesNode(plan: unknown): string | undefined {
  const found: string[] = [];
  for (const { 'Custom Plan Provider': provider = '', ...node } of distributedNodes(plan)) {
    if (provider.includes('INSERT')) found.push(`INSERT … SELECT by ${node['INSERT/SELECT method']}`);
    const { Job: job, Subplans: subplans = [] } = node['Distributed Query'] ?? {};
    if ((job?.['Task Count'] ?? 0) > 1) found.push(`${job?.['Task Count']} tasks`);
    // Writes within WITH run on the node, before the rest, and return no rows to it.
    if (!subplans.every((subplan) => distributedNodes(subplan).some(writes)))
      found.push('rows are read to the coordinator first');
  }
  return found.length > 0 ? [...new Set(found)].join(', ') : undefined;
}

function distributedNodes(value: unknown): DistributedPlan[] {
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.values(value).flatMap(distributedNodes);
  return 'Custom Plan Provider' in value ? [value as DistributedPlan, ...below] : below;
}

function writes(node: DistributedPlan): boolean {
  const tasks = node['Distributed Query']?.Job?.Tasks ?? [];
  return tasks.some((task) => task['Remote Plan']?.flat().some(({ Plan }) => Plan?.['Node Type'] === 'ModifyTable'));
}

/**
 * Compares the statements that leave their node with the list of exceptions.
 * @param complete whether every statement of the list was sent
 * @returns a sentence for each statement that is not listed and for each entry that nothing needs
 */
export function compareWithExceptions(
  judged: readonly { text: string; leaves: string | undefined }[],
  exceptions: readonly StatementException[],
  complete: boolean,
): string[] {
  const used = new Set<StatementException>();
  const problems: string[] = [];
  for (const { text, leaves } of judged) {
    if (leaves === undefined) continue;
    const listed = exceptions.filter(({ statement }) => oneLine(text).includes(oneLine(statement)));
    for (const exception of listed) used.add(exception);
    if (listed.length === 0) problems.push(`${leaves}: ${oneLine(text)}`);
  }
  for (const exception of exceptions) {
    if (used.has(exception)) continue;
    const sent = judged.some(({ text }) => oneLine(text).includes(oneLine(exception.statement)));
    if (sent || complete)
      problems.push(`${sent ? 'stays on its node' : 'is not sent'}, so take it off the list: ${exception.statement}`);
  }
  return problems;
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

/**
 * Explains the statements that the coordinator has logged.
 * @param database of the service, with the schema
 * @returns number of statements, and their problems
 */
export async function explainLogged(
  directory: string,
  { ports }: CitusCluster,
  databases: string,
  database: pg.ClientConfig,
  complete: boolean,
): Promise<{ count: number; problems: string[] }> {
  const lines = createInterface({
    input: createReadStream(logOf(directory, ports)),
    crlfDelay: Number.POSITIVE_INFINITY,
  });
  const statements = await readStatements(lines, databases);
  const judged: { text: string; leaves: string | undefined }[] = [];
  const waiting = statements.values();
  await Promise.all(
    Array.from({ length: 3 }, async () => {
      const client = new pg.Client(database);
      await client.connect();
      try {
        for (const statement of waiting)
          judged.push({ text: statement.text, leaves: statement.refused ?? (await explain(client, statement)) });
      } finally {
        await client.end();
      }
    }),
  );
  return { count: statements.length, problems: compareWithExceptions(judged, EXCEPTIONS, complete).sort() };
}

async function explain(client: pg.Client, { text, values, tenantId }: SentStatement): Promise<string | undefined> {
  await client.query('BEGIN');
  try {
    await client.query('SET LOCAL citus.propagate_set_commands = local');
    await client.query(`SET LOCAL app.tenant_id = '${tenantId}'`);
    const { rows } = await client.query({ text: `EXPLAIN (FORMAT JSON, COSTS OFF) ${text}`, values });
    return leavesNode(rows[0]['QUERY PLAN']);
  } catch (error) {
    return `EXPLAIN fails (${(error as Error).message})`;
  } finally {
    await client.query('ROLLBACK');
  }
}
