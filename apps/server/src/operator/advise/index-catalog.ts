/** Reads the indexes of the tables that lists read, and their use. */
import type pg from 'pg';
import { ADVISED, type KnownIndex } from './index-spec.ts';

const TABLES = ['posts', 'post_values', 'attachments'];
const COMMENT = /^portico db advise (\S+)/;

/** Comment of an advised index: the time of its build. */
export function commentOf(builtAt: number): string {
  return `portico db advise ${new Date(builtAt).toISOString()}`;
}

/** An index with its use. */
export interface IndexUse extends KnownIndex {
  readonly advised: boolean;
  readonly definition: string;
  readonly bytes: number;
  readonly scans: number;
  /** Epoch milliseconds; null where it never was, or PostgreSQL is older than 16 and does not keep it. */
  readonly lastScan: number | null;
  /** Epoch milliseconds; null for the indexes of every installation. */
  readonly builtAt: number | null;
}

/** A table's size, to estimate the size of an index. */
interface TableSize {
  /** About. */
  readonly rows: number;
  /** Bytes of a column in an index, about. */
  readonly width: ReadonlyMap<string, number>;
}

export interface IndexCatalog {
  readonly indexes: readonly IndexUse[];
  readonly tables: ReadonlyMap<string, TableSize>;
  /** Since when scans are counted, epoch milliseconds; null when since ever. */
  readonly countedSince: number | null;
  /** On Citus scans are counted where the shards are, and not seen here. */
  readonly scansKnown: boolean;
}

/** Reads the catalog. @param owner connection of the tables' owner */
export async function readIndexCatalog(owner: pg.ClientBase): Promise<IndexCatalog> {
  const { rows } = await owner.query<Omit<IndexUse, 'builtAt' | 'advised'> & { comment: string | null }>(
    `SELECT c.relname AS name, t.relname AS table, am.amname AS method, pg_get_expr(i.indpred, i.indrelid) AS where,
            i.indisvalid AND i.indisready AS valid, pg_relation_size(c.oid)::float8 AS bytes, coalesce(s.idx_scan, 0)::float8 AS scans,
            extract(epoch FROM (to_jsonb(s) ->> 'last_idx_scan')::timestamptz)::float8 * 1000 AS "lastScan",
            pg_get_indexdef(c.oid) AS definition, obj_description(c.oid, 'pg_class') AS comment,
            ARRAY(SELECT a.attname::text FROM unnest(i.indkey[0:i.indnkeyatts - 1]) WITH ORDINALITY k (num, at)
                    LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.num AND k.num > 0 ORDER BY k.at) AS keys,
            ARRAY(SELECT a.attname::text FROM unnest(i.indkey[i.indnkeyatts:]) WITH ORDINALITY k (num, at)
                    JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.num ORDER BY k.at) AS include
       FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid JOIN pg_am am ON am.oid = c.relam
       LEFT JOIN pg_stat_user_indexes s ON s.indexrelid = i.indexrelid
      WHERE t.relnamespace = 'public'::regnamespace AND t.relname = ANY ($1) ORDER BY t.relname, c.relname`,
    [TABLES],
  );
  const [around] = (
    await owner.query<{ since: number | null; citus: boolean }>(
      `SELECT extract(epoch FROM (SELECT stats_reset FROM pg_stat_database WHERE datname = current_database()))::float8 * 1000 AS since,
              EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS citus`,
    )
  ).rows;
  return {
    indexes: rows.map(({ comment, ...row }) => ({
      ...row,
      advised: row.name.startsWith(ADVISED),
      builtAt: builtAtOf(comment),
    })),
    tables: await readSizes(owner),
    countedSince: around?.since ?? null,
    scansKnown: around?.citus !== true,
  };
}

function builtAtOf(comment: string | null): number | null {
  const [, text] = COMMENT.exec(comment ?? '') ?? [];
  const ms = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(ms) ? null : ms;
}

/** Bytes that a column whose values differ in length takes, about: statistics are hidden under row security. */
const TEXT_BYTES = 32;

async function readSizes(owner: pg.ClientBase): Promise<ReadonlyMap<string, TableSize>> {
  const { rows } = await owner.query<{ table: string; rows: number; columns: string[]; widths: number[] }>(
    `SELECT t.relname AS table, greatest(t.reltuples, 0)::float8 AS rows, array_agg(a.attname::text) AS columns,
            array_agg(CASE WHEN a.attlen > 0 THEN a.attlen ELSE $2 END::int) AS widths
       FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
      WHERE t.relnamespace = 'public'::regnamespace AND t.relname = ANY ($1) GROUP BY t.oid`,
    [TABLES, TEXT_BYTES],
  );
  return new Map(
    rows.map((row) => [
      row.table,
      { rows: row.rows, width: new Map(row.columns.map((column, at) => [column, row.widths[at] ?? TEXT_BYTES])) },
    ]),
  );
}
