/**
 * The table of operations: the operations of the interface (`interface.json`), and the operations
 * that only Portico has.
 */

import { type Domain, operations } from './parts.ts';
import type { Operation } from './types.ts';

export { type Domain, operations, parts } from './parts.ts';
export { dryRunMediaType, dryRunQuery, idempotencyKeyHeader, queryPaging } from './query.ts';
export { type WriteRecord, writeRecords } from './records.ts';
export type { CommandSpec, HttpMethod, Operation, OperationSpec, PathParam, QueryParam } from './types.ts';

/** Id of an operation. */
export type OperationId = keyof typeof operations;

/** Every operation, with widened types, for loops over the table. */
export const operationList: readonly Operation[] = Object.values(operations);

/** Whether the token of the body may come in the header `If-Match`. */
export function takesIfMatch({ mergePatch, bulk }: Operation): boolean {
  return mergePatch === true && !bulk;
}

/** Returns an operation by id, with widened types. */
export function operationById(id: OperationId): Operation {
  return operations[id];
}

/** Ids of the operations by domain and method of the client library. */
export type MethodTable = {
  readonly [D in Domain]: {
    readonly [K in OperationId as (typeof operations)[K]['domain'] extends D
      ? (typeof operations)[K]['clientMethod']
      : never]: K;
  };
};

/**
 * Ids of the operations by domain and method of the client library. Lists have an iterator beside them: `posts.list` has
 * `posts.iterate`, `posts.history` has `posts.iterateHistory`.
 */
export const methodTable = tableOfMethods() as MethodTable;

function tableOfMethods(): Record<string, Record<string, string>> {
  const table: Record<string, Record<string, string>> = {};
  for (const { id, domain, clientMethod } of operationList) table[domain] = { ...table[domain], [clientMethod]: id };
  return table;
}

/** A former name of a method of the client library, and the present one. */
interface FormerMethod {
  readonly part: string;
  readonly method: string;
  readonly present: Operation;
}

/** Former names of methods, which work for one version more. */
export function formerMethods(): FormerMethod[] {
  return operationList.flatMap((present) => {
    if (present.formerMethod === undefined) return [];
    const [first = '', second] = present.formerMethod.split('.');
    return [
      second === undefined
        ? { part: present.domain, method: first, present }
        : { part: first, method: second, present },
    ];
  });
}

const dashed = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Returns the noun of the commands of a part: `identity-providers` of `identityProviders`. */
export const nounOf = (part: string): string => dashed(part);

/**
 * Returns the verb of the command of a method. Commands read the form and change only what is
 * named, so that they edit where the method replaces.
 */
export const verbOf = (method: string): string => dashed(method.replace(/^(?:replace|update)(?=[A-Z]|$)/, 'edit'));
