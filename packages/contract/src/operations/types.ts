/** The shape of the operation table. */
import type { Permission } from '../permissions.ts';
import type { TypeName } from '../types/index.ts';
import type { Examples } from './examples.ts';
import type { Domain } from './parts.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Type of a path parameter: a 64-bit identifier within ±(2^53 − 1), or free text. */
export type PathParam = 'int64' | 'string';

/** A query parameter. */
export interface QueryParam {
  readonly type: 'boolean' | 'integer' | 'string';
  /** Default value. */
  readonly default?: boolean | number | string;
  /** The only accepted values. */
  readonly allowed?: readonly string[];
  /** True for comma-separated texts: the client library also accepts a list. */
  readonly list?: true;
  readonly description: string;
  /** True for parameters that only Portico has, in addition to `interface.json`. */
  readonly extension?: true;
}

/**
 * Settings of an operation's command, in addition to the flags derived from its path, query and
 * body.
 */
export interface CommandSpec {
  /** Member of the answer with the rows of the table, for lists that are not paged. */
  readonly rows?: string;
  /** Member of the answer that a table shows. Default: the whole answer. */
  readonly object?: string;
  /** Columns of the table of a list. Default: every field. */
  readonly columns?: readonly string[];
  /** The command asks for confirmation, because it deletes something. */
  readonly confirms?: true;
  /**
   * Id of the read whose answer provides the values missing on the command line; its path is part
   * of this one's.
   */
  readonly form?: string;
  /**
   * The command refuses to run without a changed value, because it would write the present values.
   */
  readonly needsValue?: true;
  /** Verb for posts of the other kind, whose form returns 404 here. */
  readonly otherVerb?: string;
  /** Member of the body that `--field` fills. */
  readonly customFields?: 'customData' | 'screenData';
  /** Member of the body that `--attach` fills. */
  readonly attachments?: 'attachments' | 'addAttachments';
  /**
   * A text of the body that is plain unless it is a delta, and the member that holds the format.
   */
  readonly plainText?: readonly [text: string, format: string];
  /** Members of the body that are set if the command line does not give them. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** At least two examples without `portico <noun> <verb>`; a test runs each. */
  readonly examples: readonly [string, string, ...string[]];
}

/** Description and inputs of an operation; all facts about it except its schemas. */
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
  /**
   * Fields of the body required by this operation, in addition to the required fields of its type.
   */
  readonly requires?: readonly string[];
  /** Fields of the body of which at least one is required. */
  readonly requiresOneOf?: readonly string[];
  /**
   * True if no body is declared: the request needs neither body nor content type, and a body is
   * ignored. If a body is declared, an absent or empty one means `{}`.
   */
  readonly bodyless: boolean;
  /**
   * True if the body, or a member of it, is a merge patch: null empties the named field, while in
   * other bodies null equals an absent field. The token of a body that is a merge patch can be sent
   * in the header `If-Match`.
   */
  readonly mergePatch?: true;
  /**
   * True if the request names many objects, which are written one by one, several in each
   * transaction. The answer has an outcome for each.
   */
  readonly bulk?: true;
  /**
   * Member of the body whose elements can be sent as lines of JSON (`application/x-ndjson`)
   * instead.
   */
  readonly lines?: string;
  /**
   * Declared statuses; the value names the body's type, null means that the contract declares no
   * body of its own.
   */
  readonly responses: Readonly<Record<number, TypeName | null>>;
  /** Returns 204 without a body if the object in the path is deleted. */
  readonly emptyWhenDeleted?: true;
  readonly permission: Permission;
  /** Writes also take `dryRun` and the header `Idempotency-Key`. */
  readonly kind: 'read' | 'write';
  /** Whether it creates a file, whose `contentRef` is in the answer; dry runs report it. */
  readonly createsFile?: true;
  /**
   * Paging of the answer: by `pageToken` in the body, by sync and page tokens in the query, or
   * none.
   */
  readonly paging: 'none' | 'page' | 'stream';
  readonly deprecated?: true;
  /** True for operations that only Portico has: `x-portico: true` in the OpenAPI document. */
  readonly extension?: true;
  /** A single line. */
  readonly summary: string;
  /** Facts for integrators; Markdown. */
  readonly description: string;
  /** Examples of the body in the OpenAPI document, each valid against its schema. */
  readonly requestExamples?: Examples;
  /** Examples of the 200 answer, each valid against its schema in strict mode. */
  readonly responseExamples?: Examples;
  /** Name of the client library's method in the group of `domain`; in kebab case the verb of the command. */
  readonly clientMethod: string;
  /** Former name of the method, with its part if that is another one; it works for one version more. */
  readonly formerMethod?: string;
  /** Method that serves better; this one is deprecated. */
  readonly successor?: string;
  readonly command: CommandSpec;
}

/** An operation together with its id. */
export interface Operation extends OperationSpec {
  readonly id: string;
}
