/**
 * Records the statements that the product sends for a request, so that a bare driver can send the
 * same: in the same order, with the same parallelism, transactions on one connection.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import pg from 'pg';

/** A statement in the form of the driver. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}

/**
 * Statements that are sent together: single ones at once, or the statements of a transaction one
 * after another.
 */
interface Unit {
  readonly transaction: boolean;
  readonly statements: readonly Recorded[];
}

interface Recorded {
  readonly statement: Statement;
  /**
   * The connection of the unit that sent it: statements sent at once on one connection are a
   * pipeline.
   */
  readonly connection: number;
  /** The rows that the product received. */
  readonly rows: readonly Record<string, unknown>[];
}

/** The recorded statements of a request. */
export interface Recording {
  readonly units: readonly Unit[];
  /** The statement by which the caller's token is checked against the database; not part of {@link units}. */
  readonly signIn: Recorded | undefined;
}

interface Entry extends Omit<Recorded, 'connection'> {
  readonly client: pg.Client;
  readonly started: number;
  ended: number;
}

interface Store {
  entries: Entry[];
  clock: number;
  open: boolean;
}

const storage = new AsyncLocalStorage<Store>();

/**
 * Returns the name of a statement, derived from its text, so that requests with the same text share
 * the prepared statement.
 */
function nameOf(text: string): string {
  return `l_${createHash('sha1').update(text).digest('base64url')}`;
}

/** Starts to watch the driver; statements outside of {@link record} are not recorded. */
export function watchDriver(): void {
  const original = pg.Client.prototype.query as unknown as (...args: unknown[]) => Promise<pg.QueryResult>;
  pg.Client.prototype.query = async function (this: pg.Client, ...args: unknown[]) {
    const store = storage.getStore();
    const [first, second] = args as [string | pg.QueryConfig, unknown[] | undefined];
    const named = typeof first === 'object' && first.name === 'scope';
    if (!store?.open || named || typeof args.at(-1) === 'function') return original.apply(this, args);
    const asked = typeof first === 'string' ? { text: first, values: second } : first;
    const { text, values, name } = asked as pg.QueryConfig;
    const entry: Entry = {
      client: this,
      started: ++store.clock,
      ended: Number.POSITIVE_INFINITY,
      rows: [],
      // Commands of a transaction have no name, nor do statements planned for their values.
      statement: { ...(name && { name: nameOf(text) }), text, ...(values && { values: [...values] }) },
    };
    store.entries.push(entry);
    const result = await original.apply(this, args);
    entry.ended = ++store.clock;
    Object.assign(entry, { rows: result.rows ?? [] });
    return result;
  } as never;
}

/** Runs work and records its statements. */
export async function record<T>(work: () => Promise<T>): Promise<{ result: T; recording: Recording }> {
  const store: Store = { entries: [], clock: 0, open: true };
  const result = await storage.run(store, work);
  store.open = false;
  return { result, recording: arrange(store.entries) };
}

/**
 * Reading a detail counts as a view, which is written in batches after the answer: not part of the
 * request.
 */
const VIEWS = /post_view_counts AS c/;
const SIGN_IN = /"keyRevoked"/;

function arrange(entries: readonly Entry[]): Recording {
  const units: { transaction: boolean; statements: Recorded[]; ended: number; clients: pg.Client[] }[] = [];
  const open = new Map<pg.Client, (typeof units)[number]>();
  let signIn: Recorded | undefined;
  for (const { client, started, ended, statement, rows } of entries) {
    const recorded = { statement, rows, connection: 0 };
    const within = open.get(client);
    if (within) {
      within.statements.push(recorded);
      within.ended = ended;
      if (/^(COMMIT|ROLLBACK)$/i.test(statement.text)) open.delete(client);
    } else if (/^BEGIN/i.test(statement.text)) {
      const unit = { transaction: true, statements: [recorded], ended, clients: [client] };
      open.set(client, unit);
      units.push(unit);
    } else if (SIGN_IN.test(statement.text)) {
      signIn = recorded;
    } else {
      const last = units.at(-1);
      if (last && !last.transaction && started < last.ended) {
        if (!last.clients.includes(client)) last.clients.push(client);
        last.statements.push({ ...recorded, connection: last.clients.indexOf(client) });
        last.ended = Math.max(last.ended, ended);
      } else {
        units.push({ transaction: false, statements: [recorded], ended, clients: [client] });
      }
    }
  }
  return {
    units: units.filter(({ statements }) => !statements.some(({ statement }) => VIEWS.test(statement.text))),
    signIn,
  };
}

/**
 * Numbers that a write creates each time (ids from sequences): the rows that return them, and the
 * later values that contain them. They are made recognisable before the recording.
 */
export interface FreshNumbers {
  /** For each statement, in the order of {@link Recording.units}: the numbers in its rows. */
  readonly gives: readonly (readonly { row: number; column: string; number: string }[])[];
  /** For each statement: whether its values contain such numbers. */
  readonly holds: readonly boolean[];
  /** Numbers that no row returned: the product had reserved them ahead. */
  readonly takenAhead: readonly string[];
}

/** From here on, numbers are recognisable. */
export const FIRST_FRESH = 700_000_000_000;
const FRESH = /(?<!\d)[78]\d{11}(?!\d)/g;

/** Finds the recognisable numbers of a recording. */
export function freshNumbers(recording: Recording): FreshNumbers {
  const all = recording.units.flatMap((unit) => unit.statements);
  const gives = all.map(({ rows }) =>
    rows.flatMap((row, index) =>
      Object.entries(row).flatMap(([column, value]) =>
        /^[78]\d{11}$/.test(String(value)) ? [{ row: index, column, number: String(value) }] : [],
      ),
    ),
  );
  const held = all.map(({ statement }) => JSON.stringify(statement.values ?? []).match(FRESH) ?? []);
  const given = new Set(gives.flat().map(({ number }) => number));
  return {
    gives,
    holds: held.map((numbers) => numbers.length > 0),
    takenAhead: [...new Set(held.flat())].filter((number) => !given.has(number)),
  };
}

/** Returns a value with the recorded numbers replaced by the numbers of this run. */
export function renewed(value: unknown, numbers: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'number') return numbers.get(String(value)) ?? value;
  if (Array.isArray(value)) return value.map((item) => renewed(item, numbers));
  if (typeof value !== 'string') return value;
  return numbers.get(value) ?? value.replaceAll(FRESH, (number) => numbers.get(number) ?? number);
}
