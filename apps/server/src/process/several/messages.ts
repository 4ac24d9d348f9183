/** Messages between the primary process of a node and its serving processes; they are sent as JSON, in order. */
import type { Counted, Limit, Window } from '../../kernel/node-limits.ts';
import type { HandedDatabase } from '../database.ts';

/** The order to begin to serve. */
export interface StartOrder {
  readonly kind: 'start';
  readonly database: HandedDatabase;
  /** Serves an installation first: encrypts old secrets, makes the demo tenant. */
  readonly first: boolean;
  /** Number of processes that serve on the node. */
  readonly processes: number;
  /** Largest number of its database connections. */
  readonly connections: number;
}

/** To a serving process. */
export type Order =
  | StartOrder
  /** Order to run the background jobs of the node, and to measure the figures of its database. */
  | { readonly kind: 'jobs' }
  /** Comes with a connection to serve. */
  | { readonly kind: 'connection' }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answer }
  | { readonly kind: 'measure'; readonly id: number }
  /** The node is about to stop: `/readyz` says so. */
  | { readonly kind: 'drain' }
  /** No further connection follows: the process finishes its requests and ends. */
  | { readonly kind: 'stop'; readonly lastRequestMs?: number };

/** From a serving process. */
export type Report =
  /** The process serves. `welcome`: lines that the start prints below the address. */
  | { readonly kind: 'ready'; readonly welcome: string }
  /** The process cannot serve. `sentence` is for the operator; without it, `error` is a bug with its stack. */
  | { readonly kind: 'failed'; readonly sentence?: string; readonly error: string }
  /** Number of connections closed since the last report. */
  | { readonly kind: 'closed'; readonly connections: number }
  | { readonly kind: 'ask'; readonly id: number; readonly question: Question }
  | { readonly kind: 'release'; readonly id: number }
  | { readonly kind: 'measured'; readonly id: number; readonly figures: string }
  /** The process alone was told to end: the primary replaces and stops it. */
  | { readonly kind: 'leaving' };

/** A count or units to take for all processes, as in `NodeLimits`. */
export type Question =
  | { readonly count: string; readonly key: string; readonly units: number; readonly window: Window }
  | { readonly take: string; readonly limits: readonly Limit[]; readonly units: number };

/**
 * A count; whether units were taken (they are released by the id of the question); or the limit
 * that was full.
 */
export type Answer = Counted | { readonly taken: true } | { readonly full: number; readonly held: number };

/** The id by which the primary asks for the last figures of a process that ends: the process sends them unasked. */
export const LAST_FIGURES = 0;
