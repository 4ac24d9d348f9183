/**
 * How a module describes the tables that it owns, once, in its `tables.ts`. Dry runs, the erasure of posts, ANALYZE, the
 * search for unused files and the loaders of tests are derived from it. A test compares the descriptions with the database.
 */
import type { TableEntity } from '@portico/contract';
import type { TableKeeping } from '@portico/platform/db/tables';
import { type ConstraintError, registerConstraintErrors } from '../database-errors.ts';

/**
 * The field of the interface that shows a column; null for a column that no answer shows. A map of values (`each`) gives
 * one field per key; `of` gives the field that contains a number.
 */
export type Column = string | null | { each: string } | { of: (value: number) => string };

/** A table as its owner describes it. */
export interface Table extends TableKeeping {
  /** Every column. */
  columns: Readonly<Record<string, Column>>;
  /**
   * Name of the objects of the interface that the rows are. They have a column `id`, or another that
   * `audit.key` names; where they have a column `deleted_at`, a
   * row that has one counts as deleted.
   */
  entity?: TableEntity;
  /** The object that the rows belong to and are erased with: its table and the column that holds its id, or `principal`. */
  parent?: { readonly table: string; readonly column: string };
  /** SQL of the field of the parent that the rows are shown in. */
  field?: string;
  /** SQL of the order in which rows are erased, of the table named `t`, where it matters. */
  eraseOrder?: string;
  /** Columns with references of stored files. */
  files?: readonly string[];
  /**
   * Treatment of the rows when a person is erased, for each column that holds ids of people:
   * `remove` deletes the rows, `keep` leaves them, with an id about which no personal data remains.
   * In a column named `principal`, positive numbers are ids of people.
   */
  people?: Readonly<Record<string, 'remove' | 'keep'>>;
  /**
   * The encrypted column. A value belongs to its table, its column and its row, which the column
   * `row` names within the tenant. `words` names one value in sentences for operators.
   */
  sealed?: { readonly row: string; readonly column: string; readonly words: string };
  /** The rows are states of one installation, such as sessions: an export of the tenant omits them. */
  leftBehind?: true;
  /** The planner is to know of the rows that an import wrote, without waiting for autovacuum. */
  analyze?: true;
  /** The audit log records changes of the objects that the rows are. */
  audit?: {
    /** Name of the objects in the log. Default: `entity`. */
    readonly object?: string;
    /** Column of the object's id, for dry runs too. Default: `id`. */
    readonly key?: string;
    /** Columns whose values are not recorded, only that they changed. */
    readonly secret?: readonly string[];
    /** Columns that are recorded although no answer shows them. */
    readonly also?: readonly string[];
  };
  /** The audit log records the rows as a list that belongs to an object of another table. */
  auditList?: {
    readonly of: string;
    /** Column of the object's id. */
    readonly column: string;
    /** Name of the list in the log. */
    readonly field: string;
    /** SQL of the recorded value of a row `l`, as JSON. */
    readonly value: string;
  };
  /**
   * Errors for clients, by the name of the unique constraint or index, or foreign key, that rejects
   * a value.
   */
  constraints?: Readonly<Record<string, ConstraintError>>;
}

/** Describes the tables of a module and registers the errors of their constraints. */
export function defineTables<const T extends Readonly<Record<string, Table>>>(tables: T): T {
  for (const { constraints } of Object.values<Table>(tables)) if (constraints) registerConstraintErrors(constraints);
  return tables;
}

/** Columns that no answer shows. */
export function internal<const C extends string>(...columns: readonly C[]): Readonly<Record<C, null>> {
  return Object.fromEntries(columns.map((column) => [column, null])) as Record<C, null>;
}

/** Columns of the user and the time of a row's creation. */
export const CREATED = { creator_id: 'creatorUser', created_at: 'creationTimestamp' } as const;
/** Columns of who changed a row last and when. */
export const MODIFIED = { modifier_id: 'lastModifyUser', modified_at: 'lastModifyTimestamp' } as const;
/** The key of an object. */
export const OWN = { tenant_id: null, id: null } as const;

/** SQL of the field of a row that names a user (a positive `principal`) or a group (a negative one). */
export function byPrincipal(users: string, groups: string): string {
  return `CASE WHEN principal > 0 THEN '${users}' ELSE '${groups}' END`;
}
