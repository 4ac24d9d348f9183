/** Makes the table of operations from what is written down of each. */
import type { TypeName } from '../types/index.ts';
import { dryRunQuery } from './query.ts';
import type { Operation, OperationSpec, QueryParam } from './types.ts';

/** What follows from the rest of a spec, or is the same for most operations, and need not be written. */
type Derived = 'pathParams' | 'query' | 'body' | 'bodyless' | 'paging';

/**
 * What is written down of an operation. Left out, the parameters of the path are identifiers, the query of a read is empty, there
 * is no body, and the answer is not paged. The query of a write is always `dryRun`.
 */
export type OperationDefinition = Omit<OperationSpec, Derived> & Partial<Omit<OperationSpec, 'bodyless'>>;

type Given<S, K extends string, Otherwise> = S extends Readonly<Record<K, infer V>> ? V : Otherwise;
type NamesIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type OperationOf<S extends OperationDefinition, Id> = S & {
  readonly id: Id;
  readonly pathParams: Given<S, 'pathParams', { readonly [K in NamesIn<S['path']>]: 'int64' }>;
  readonly query: S['kind'] extends 'write'
    ? typeof dryRunQuery
    : Given<S, 'query', Readonly<Record<never, QueryParam>>>;
  readonly body: Given<S, 'body', null>;
  readonly bodyless: S extends { readonly body: TypeName } ? false : true;
  readonly paging: Given<S, 'paging', 'none'>;
};

/** Turns a table of definitions into a table of operations, with the key as `id`. */
export function defineOperations<const T extends Readonly<Record<string, OperationDefinition>>>(
  definitions: T,
): { readonly [K in keyof T & string]: OperationOf<T[K], K> } {
  const table: Record<string, Operation> = {};
  for (const [id, definition] of Object.entries<OperationDefinition>(definitions)) {
    const names = [...definition.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, 'int64'] as const);
    table[id] = {
      id,
      pathParams: Object.fromEntries(names),
      query: definition.kind === 'write' ? dryRunQuery : {},
      body: null,
      bodyless: !definition.body,
      paging: 'none',
      ...definition,
    };
  }
  return table as { readonly [K in keyof T & string]: OperationOf<T[K], K> };
}
