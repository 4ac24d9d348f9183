/** Builds the table of operations from their definitions. */
import type { TypeName } from '../types/index.ts';
import type { Domain } from './parts.ts';
import { dryRunQuery } from './query.ts';
import type { Operation, OperationSpec, QueryParam } from './types.ts';

/** Members of a spec that are derived or have a default, and can be absent. */
type Derived = 'domain' | 'kind' | 'pathParams' | 'query' | 'body' | 'bodyless' | 'paging';

/**
 * The definition of an operation. Defaults: the parameters of the path are identifiers, the query
 * of a read is empty, there is no body, the answer is not paged, the domain is the table's, and the
 * operation writes if its path has `/manage/`, unless it is a GET. Every write takes `dryRun` in
 * addition to its query.
 */
type OperationDefinition = Omit<OperationSpec, Derived> & Partial<Pick<OperationSpec, Exclude<Derived, 'bodyless'>>>;

type Given<S, K extends string, Otherwise> = S extends Readonly<Record<K, infer V>> ? V : Otherwise;
type NamesIn<Path> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesIn<Rest> : never;
type KindOf<S extends OperationDefinition> = Given<
  S,
  'kind',
  S['method'] extends 'GET' ? 'read' : S['path'] extends `${string}/manage/${string}` ? 'write' : 'read'
>;
type OperationOf<S extends OperationDefinition, Id, D extends Domain> = S & {
  readonly id: Id;
  readonly domain: Given<S, 'domain', D>;
  readonly kind: KindOf<S>;
  readonly pathParams: Given<S, 'pathParams', { readonly [K in NamesIn<S['path']>]: 'int64' }>;
  readonly query: (KindOf<S> extends 'write' ? typeof dryRunQuery : unknown) &
    Given<S, 'query', Readonly<Record<never, QueryParam>>>;
  readonly body: Given<S, 'body', null>;
  readonly bodyless: S extends { readonly body: TypeName } ? false : true;
  readonly paging: Given<S, 'paging', 'none'>;
};

/**
 * The command of a write with a token in its path starts from the read that returns the token:
 * `form` names it.
 */
type WithForm<T extends Readonly<Record<string, OperationDefinition>>> = {
  readonly [K in keyof T]: T[K]['path'] extends `${string}{${'occToken' | 'screenOccToken'}}${string}`
    ? { readonly command: { readonly form: string } }
    : unknown;
};

/** Refusals of a write of a post that has custom fields. */
export const valueErrors = { 400: 'CustomFieldValidationErrorResponse', 403: null, 404: null } as const;

/**
 * Turns a table of definitions into a table of operations, with the key as `id`.
 * @param domain default for definitions without one
 */
export function defineOperations<D extends Domain, const T extends Readonly<Record<string, OperationDefinition>>>(
  domain: D,
  definitions: T & WithForm<T>,
): { readonly [K in keyof T & string]: OperationOf<T[K], K, D> } {
  const table: Record<string, unknown> = {};
  for (const [id, definition] of Object.entries<OperationDefinition>(definitions)) {
    const names = [...definition.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, 'int64'] as const);
    const writes = definition.method !== 'GET' && definition.path.includes('/manage/');
    const kind = definition.kind ?? (writes ? 'write' : 'read');
    table[id] = {
      id,
      domain,
      kind,
      pathParams: Object.fromEntries(names),
      body: null,
      bodyless: !definition.body,
      paging: 'none',
      ...definition,
      query: { ...(kind === 'write' && dryRunQuery), ...definition.query },
    } satisfies Operation;
  }
  return table as { readonly [K in keyof T & string]: OperationOf<T[K], K, D> };
}
