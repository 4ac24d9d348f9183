/** Input and output types of each operation, derived from the operation table. */
import type { DryRun, TypeMap, TypeName } from '../types/index.ts';
import type { OperationId, operations } from './index.ts';
import type { PathParam, QueryParam } from './types.ts';

type Table = typeof operations;
type ParamsOf<P extends Readonly<Record<string, PathParam>>> = {
  [K in keyof P]: P[K] extends 'int64' ? number : string;
};
type QueryValue<Q extends QueryParam> = Q['type'] extends 'boolean'
  ? boolean
  : Q['type'] extends 'integer'
    ? number
    : Q extends { readonly allowed: readonly (infer A)[] }
      ? A
      : Q extends { readonly list: true }
        ? string | readonly string[]
        : string;
type QueryOf<Q extends Readonly<Record<string, QueryParam>>> = { [K in keyof Q]?: QueryValue<Q[K]> };
type Named<N> = N extends TypeName ? TypeMap[N] : undefined;
type ResponseOf<K extends OperationId> = Table[K]['responses'] extends { readonly 200: infer N } ? Named<N> : never;

/** Input and output of each operation, by operation id. */
export type OperationIo = {
  [K in OperationId]: {
    /** Path parameters; int64 ones are numbers. */
    params: ParamsOf<Table[K]['pathParams']>;
    /** Query parameters, all optional. */
    query: QueryOf<Table[K]['query']>;
    /** JSON body, or undefined for operations without one. */
    body: Named<Table[K]['body']>;
    /** Body of the 200 answer without `dryRun`, or undefined if it is empty. */
    response: ResponseOf<K>;
  };
};

/** The 200 answer of a write with `dryRun=true`. */
export type DryRunAnswer<K extends OperationId> = (OperationIo[K]['response'] extends undefined
  ? unknown
  : OperationIo[K]['response']) & { dryRun: DryRun };
