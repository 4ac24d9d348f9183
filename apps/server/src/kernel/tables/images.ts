/** Reads objects as they are at one moment: their rows with the rows that belong to them. */
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { keyOf, type RegisteredTable } from './registry.ts';

/** An object at one moment. */
export interface Image<P = unknown> {
  readonly row: Readonly<Record<string, unknown>>;
  /** Values of the parts, by name. */
  readonly parts: ReadonlyMap<string, P>;
}

/** Rows that belong to objects. */
export interface ImagePart {
  readonly name: string;
  /** SQL of the value of the part for the object `t`, as JSON. */
  readonly sql: string;
}

/**
 * Reads objects in one statement.
 * @param table of the objects
 * @param lock locks the rows, so that the next statement changes the state that was read
 * @param row SQL of the row `t` as JSON
 * @returns by id, in the order of the ids; objects that do not exist are missing
 */
export async function readImages<P>(
  tx: TenantExecutor,
  table: RegisteredTable,
  ids: readonly number[],
  parts: readonly ImagePart[],
  lock = false,
  row = 'to_jsonb(t)',
): Promise<Map<number, Image<P>>> {
  const key = keyOf(table);
  const columns = parts.map(({ sql }, index) => `, ${sql} AS part${index}`);
  const rows = await tx.query<{ id: number; row: Image['row'] } & Record<`part${number}`, P | null>>(
    `SELECT t.${key} AS id, ${row} AS row${columns.join('')} FROM ${table.name} t
      WHERE t.tenant_id = $1 AND t.${key} = ANY ($2::bigint[]) ORDER BY t.${key}${lock ? ' FOR NO KEY UPDATE OF t' : ''}`,
    [tx.tenantId, ids],
  );
  return new Map(
    rows.map((found) => [
      found.id,
      {
        row: found.row,
        parts: new Map(
          parts.flatMap(({ name }, index): [string, P][] => {
            const value = found[`part${index}`];
            return value == null ? [] : [[name, value]];
          }),
        ),
      },
    ]),
  );
}

/** Returns whether two values of a column are the same. A missing value equals null. */
export const sameValue = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? null) === JSON.stringify(b ?? null);

/** Returns whether an object is deleted, its row still there. */
export const isGone = ({ row }: Image): boolean => (row['deleted_at'] ?? null) !== null;
