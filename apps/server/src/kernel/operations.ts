/**
 * How a module answers operations of the contract: one handler per operation id, typed by the contract. `http/mount.ts`
 * makes the routes; a handler sees neither Fastify nor HTTP.
 */
import type { BulkPostError, OperationId, OperationIo, operations } from '@portico/contract';
import type { Scope, TenantScope } from './scope.ts';

/** The cookie by which a browser is signed in. */
export interface SessionCookie {
  /** As the request brought it; undefined without one. */
  readonly value: string | undefined;
  /** The browser, as it calls itself. */
  readonly userAgent: string | undefined;
  /** Sets the cookie with the answer. @param seconds how long the browser keeps it */
  set(value: string, seconds: number): void;
  /** Removes the cookie from the browser. */
  clear(): void;
}

/** Input of a handler: values that passed validation (null members of the body are gone: null means absent). */
export interface OperationRequest<K extends OperationId, S = Scope> {
  readonly scope: S;
  readonly params: OperationIo[K]['params'];
  readonly query: OperationIo[K]['query'];
  readonly body: OperationIo[K]['body'];
  /** The elements of a body that came as lines, where the operation takes such; absent for a JSON body. */
  readonly lines?: AsyncIterable<Line> | undefined;
  readonly cookie: SessionCookie;
  /** Bulk work that must follow the answer: run after it was sent, awaited at shutdown, its failure logged. */
  readonly afterAnswer: (work: () => Promise<void>) => void;
  /** Runs work, such as reading a large upload, that does not count for the time limit of the request. */
  readonly untimed: Untimed;
}

/** @returns the result of the work */
export type Untimed = <T>(work: () => Promise<T>) => Promise<T>;

/** A line of a body. */
export interface Line {
  /** From 1 on. */
  readonly line: number;
  /** Size of the line. Absent for an element of a JSON body. */
  readonly bytes?: number;
  /** Valid against the schema of an element; absent for a line that is not. */
  readonly value?: unknown;
  readonly error?: BulkPostError;
}

/** Operations that need no sign-in get a scope without an actor. */
type PublicOperationId = {
  [K in OperationId]: (typeof operations)[K]['permission'] extends 'public' ? K : never;
}[OperationId];

/** Operations that return nothing if the named object is deleted. */
type EmptyWhenDeletedId = {
  [K in OperationId]: (typeof operations)[K] extends { emptyWhenDeleted: true } ? K : never;
}[OperationId];

/**
 * Handles one operation. `undefined` stands for an empty body: 200 where the contract declares
 * none, 204 where the named object is deleted.
 */
export type Handler<K extends OperationId> = (
  request: OperationRequest<K, K extends PublicOperationId ? TenantScope : Scope>,
) => Promise<OperationIo[K]['response'] | (K extends EmptyWhenDeletedId ? undefined : never)>;

/** The handlers of all operations. */
export type AllHandlers = { readonly [K in OperationId]: Handler<K> };

/** A module's share of the operations. */
export type Handlers = Partial<AllHandlers>;
