/**
 * The operations as far as the client library needs them, read from a compact table. By its name it is imported first: a
 * bundle with the table between other code is 3% larger when compressed.
 */
import type { HttpMethod, MethodTable, OperationId } from '@portico/contract';
import { operationTable } from './api-table.generated.ts';

/** Facts about an operation. */
interface OperationFacts {
  readonly id: OperationId;
  readonly method: HttpMethod;
  readonly path: string;
  /** Names of parameters of the path and of the query. */
  readonly pathParams: Readonly<Record<string, true>>;
  readonly query: Readonly<Record<string, true>>;
  /** Names of the members of the body. */
  readonly members: readonly string[];
  readonly bodyless: boolean;
  readonly write: boolean;
  /** Whether the response is a page of a list. */
  readonly paged: boolean;
  /** Whether it needs no sign-in. */
  readonly isPublic: boolean;
  /** Whether the response holds a secret that is shown once. */
  readonly secret: boolean;
}

/** Inputs that all lists of pages take. */
export const pagingNames: readonly string[] = ['pageToken', 'pageSize', 'calculateTotalItemsCount'];

interface Tables {
  readonly byId: ReadonlyMap<string, OperationFacts>;
  /** Ids by part and method. */
  readonly methods: MethodTable;
}

let read: Tables | undefined;

function tables(): Tables {
  read ??= readTable(operationTable);
  return read;
}

const METHODS: Readonly<Record<string, HttpMethod>> = { P: 'POST', U: 'PUT', D: 'DELETE' };

const words = (text: string) => (text === '' ? [] : text.split(' '));
const named = (names: Iterable<string>) => Object.fromEntries([...names].map((name) => [name, true as const]));

function readTable(table: string): Tables {
  const byId = new Map<string, OperationFacts>();
  const methods: Record<string, Record<string, string>> = {};
  let group: Record<string, string> = {};
  for (const line of table.split('\n')) {
    const [flags = '', name, given, path = '', body = '', query = ''] = line.split('|');
    if (name === undefined) {
      group = {};
      methods[flags] = group;
      continue;
    }
    const id = given || name;
    group[name] = id;
    const has = (letter: string) => flags.includes(letter);
    byId.set(id, {
      id: id as OperationId,
      method: METHODS[flags.charAt(0)] ?? 'GET',
      path,
      pathParams: named([...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] as string)),
      query: named([...words(query), ...(has('w') ? ['dryRun'] : [])]),
      members: [...(has('p') ? pagingNames : []), ...words(body)],
      bodyless: has('b'),
      write: has('w'),
      paged: has('p'),
      isPublic: has('u'),
      secret: has('s'),
    });
  }
  return { byId, methods: methods as unknown as MethodTable };
}

/** Returns the facts about an operation. */
export const factsOfOperation = (id: OperationId): OperationFacts => tables().byId.get(id) as OperationFacts;

/** Returns the ids of operations by part and method. */
export const methodsByPart = (): MethodTable => tables().methods;

/**
 * Ids of the operations by part and method of the client library. Lists have an iterator beside them: `posts.list` has
 * `posts.iterate`, `posts.history` has `posts.iterateHistory`.
 */
export const methodTable: MethodTable = /* @__PURE__ */ methodsByPart();
