/** The shape of the operation table. */
import type { Permission } from '../permissions.ts';
import type { TypeName } from '../types/index.ts';
import type { Examples } from './examples.ts';
import type { Domain } from './parts.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Type of a path parameter: a 64-bit identifier within ±(2^53 − 1), or free text. */
export type PathParam = 'int64' | 'string';

/** One query parameter. */
export interface QueryParam {
  readonly type: 'boolean' | 'integer' | 'string';
  /** Value when the parameter is left out. */
  readonly default?: boolean | number | string;
  /** The only values that are taken. */
  readonly allowed?: readonly string[];
  /** True for texts that are separated by commas: the client library takes a list, too. */
  readonly list?: true;
  readonly description: string;
  /** True for parameters that only Portico knows, beside `interface.json`. */
  readonly extension?: true;
}

/** What the command line needs of an operation beside the flags that follow from its path, query and body. */
export interface CommandSpec {
  /** Member of the answer that holds the rows of the table, for lists that are not paged. */
  readonly rows?: string;
  /** Member of the answer that a table shows alone. Default: the whole answer. */
  readonly object?: string;
  /** Columns of the table of a list. Default: every field. */
  readonly columns?: readonly string[];
  /** The command asks before it runs, as it takes something away. */
  readonly confirms?: true;
  /** Id of the read whose answer the values start from that the command was not given; its path is part of this one's. */
  readonly form?: string;
  /** The command refuses to run without a value to change, as it would write what is there already. */
  readonly needsValue?: true;
  /** Verb for posts of the other kind, whose form answers 404 here. */
  readonly otherVerb?: string;
  /** Member of the body that `--field` fills. */
  readonly customFields?: 'customData' | 'screenData';
  /** Member of the body that `--attach` fills. */
  readonly attachments?: 'attachments' | 'addAttachments';
  /** A text of the body that is plain unless it is a delta, and the member that says so. */
  readonly plainText?: readonly [text: string, format: string];
  /** Members of the body where the command was given none. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** Two examples without `portico <noun> <verb>`; a test runs each. */
  readonly examples: readonly [string, string];
}

/** What one operation is and asks; everything about it but its schemas. */
export interface OperationSpec {
  readonly method: HttpMethod;
  /** Path below the API root (`/portal/api` or `/portal/api/external/v2`), parameters in braces. */
  readonly path: `/${string}`;
  /** Part of the product that it belongs to. */
  readonly domain: Domain;
  readonly pathParams: Readonly<Record<string, PathParam>>;
  readonly query: Readonly<Record<string, QueryParam>>;
  /** Name of the body's type, or null when no body is declared. */
  readonly body: TypeName | null;
  /** Fields of the body that this operation needs beside those that its type requires of every operation. */
  readonly requires?: readonly string[];
  /** Fields of the body of which one must be sent. */
  readonly requiresOneOf?: readonly string[];
  /**
   * True when no body is declared: the request needs neither body nor content type, and a body that comes nevertheless is
   * ignored. Where a body is declared, an absent or empty one means `{}`.
   */
  readonly bodyless: boolean;
  /**
   * True when the body is a merge patch, or a member of it is: null empties what it names, where other bodies take it as left
   * out. The token of a body that is one may come in the header `If-Match`.
   */
  readonly mergePatch?: true;
  /**
   * True when the request names many objects, each of which is written by itself, some of them in each transaction. The answer has
   * an outcome of each.
   */
  readonly bulk?: true;
  /** Member of the body whose elements may come as lines of JSON (`application/x-ndjson`) instead. */
  readonly lines?: string;
  /** Declared statuses; the value names the body's type, null means that the contract declares no body of its own. */
  readonly responses: Readonly<Record<number, TypeName | null>>;
  /** Answers 204 without a body where what the path names is deleted. */
  readonly emptyWhenDeleted?: true;
  readonly permission: Permission;
  /** Writes also take `dryRun` and the header `Idempotency-Key`. */
  readonly kind: 'read' | 'write';
  /** Whether it creates a file, whose `contentRef` the answer holds; dry runs report it. */
  readonly createsFile?: true;
  /** How the answer is paged: by `pageToken` in the body, by sync and page tokens in the query, or not at all. */
  readonly paging: 'none' | 'page' | 'stream';
  readonly deprecated?: true;
  /** True for operations that only Portico has: `x-portico: true` in the OpenAPI document. */
  readonly extension?: true;
  /** One line. */
  readonly summary: string;
  /** What an integrator must know; Markdown. */
  readonly description: string;
  /** Examples of the body in the OpenAPI document, each valid against its schema. */
  readonly requestExamples?: Examples;
  /** Examples of the 200 answer, each valid against its schema in strict mode. */
  readonly responseExamples?: Examples;
  /** Name of the client library's method in the group of `domain`; in kebab case the verb of the command. */
  readonly clientMethod: string;
  readonly command: CommandSpec;
}

/** An operation together with its id. */
export interface Operation extends OperationSpec {
  readonly id: string;
}
