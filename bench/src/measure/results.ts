/**
 * Results of a run, as kept in `bench/generated/performance.json`. Times are milliseconds, memory
 * bytes.
 */
import type { LoadFigures } from './load.ts';
import type { Used } from './usage.ts';

/** A load, in short. */
export interface Figures {
  readonly perSecond: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** Refused or lost requests. */
  readonly failed: number;
}

/** Results at a number of connections. */
export interface Level {
  readonly connections: number;
  readonly portico: Figures;
  readonly limit: Figures;
  /** Portico's requests per second divided by the limit's: the median over the rounds. */
  readonly ratio: number;
  /** Portico's p99 divided by the limit's: the median over the rounds. */
  readonly p99Ratio: number;
  readonly porticoUsed: Used;
  readonly limitUsed: Used;
}

/** Reads of the statements of a request. */
export interface Touched {
  readonly statements: number;
  readonly rows: number;
  /** Pages of 8 KiB, found in memory and not. */
  readonly hit: number;
  readonly read: number;
  /** Large tables with a full scan. */
  readonly sequential: readonly string[];
}

export interface OperationResult {
  readonly name: string;
  readonly kind: 'read' | 'write' | 'sign-in';
  readonly statements: number;
  readonly bytes: number;
  readonly levels: readonly Level[];
  readonly touched?: Touched;
}

/** A shape of list at eight connections. */
export interface ListResult {
  readonly name: string;
  readonly group: string;
  /** Matching posts, and their share of the community; without filters all. */
  readonly matches: number;
  readonly share: number;
  /** Share of the rarest of its filters. */
  readonly rarest: number;
  readonly portico: Figures;
  readonly limit: Figures;
  readonly touched: Touched;
}

export interface PageResult {
  readonly name: string;
  /** Page compared with the first: 1,000 if the list is long enough. */
  readonly page: number;
  readonly first: Figures;
  readonly later: Figures;
}

export interface TotalResult {
  readonly name: string;
  readonly total: number;
  readonly share: number;
  readonly p50: number;
  readonly p95: number;
}

/** A list request, taken apart: its cost with fewer and fewer parts. */
export interface ApartResult {
  /** Milliseconds of the two cores per request, from the requests per second at eight connections. */
  readonly portico: number;
  readonly verified: number;
  readonly signed: number;
  readonly limit: number;
  readonly bypass: number;
  /** As a manager, without a visibility rule: the limit without row security. */
  readonly managed: number;
}

export interface MemoryResult {
  readonly name: string;
  readonly connections: number;
  readonly server: number;
  readonly database: number;
  readonly perSecond: number;
  readonly bytesPerAnswer: number;
}

export interface GrowthResult {
  /** Posts of the small community. */
  readonly posts: number;
  readonly lists: readonly { readonly name: string; readonly small: number; readonly large: number }[];
}

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memory: number;
  readonly system: string;
  readonly node: string;
  readonly postgres: string;
  readonly sharedBuffers: string;
}

/** All results of a run. */
export interface Results {
  readonly posts: number;
  readonly date: string;
  readonly minutes: number;
  readonly machine: Machine;
  readonly pool: number;
  readonly seconds: number;
  readonly rounds: number;
  /** The brief run after this one, on the same data, which provides the operations. */
  readonly again?: {
    readonly date: string;
    readonly minutes: number;
    readonly seconds: number;
    readonly rounds: number;
  };
  readonly counts: Readonly<Record<string, number>>;
  readonly build: { readonly seconds: number; readonly bytes: number };
  readonly operations: readonly OperationResult[];
  readonly lists: readonly ListResult[];
  readonly pages: readonly PageResult[];
  readonly totals: readonly TotalResult[];
  readonly apart?: ApartResult;
  readonly memory: readonly MemoryResult[];
  readonly growth?: GrowthResult;
  /** Measurements that failed, with the reason. */
  readonly faults: readonly string[];
  /** Plans of statements as PostgreSQL wrote them, by file; kept beside the table. */
  readonly plans: ReadonlyMap<string, readonly string[]>;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? sorted[middle]!
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2;
}

/** @param digits significant ones */
export const rounded = (value: number, digits = 3) => (Number.isFinite(value) ? Number(value.toPrecision(digits)) : 0);

/** A load in short. */
export function figuresOf({ perSecond, p50, p95, p99, refused, lost }: LoadFigures): Figures {
  return {
    perSecond: rounded(perSecond, 4),
    p50: rounded(p50),
    p95: rounded(p95),
    p99: rounded(p99),
    failed: refused + lost,
  };
}

/** Several loads as one: medians, failures added up. */
export function middleOf(loads: readonly LoadFigures[]): Figures {
  const all = loads.map(figuresOf);
  const of = (key: 'perSecond' | 'p50' | 'p95' | 'p99') => median(all.map((figures) => figures[key]));
  return {
    perSecond: of('perSecond'),
    p50: of('p50'),
    p95: of('p95'),
    p99: of('p99'),
    failed: all.reduce((sum, { failed }) => sum + failed, 0),
  };
}

/** Watchings of several loads as one: mean cores, most memory. */
export function usedOf(all: readonly Used[]): Used {
  const mean = (of: (used: Used) => number) => rounded(all.reduce((sum, used) => sum + of(used), 0) / all.length);
  return {
    serverCores: mean((used) => used.serverCores),
    databaseCores: mean((used) => used.databaseCores),
    loadCores: mean((used) => used.loadCores),
    serverMemory: Math.max(...all.map((used) => used.serverMemory)),
    databaseMemory: Math.max(...all.map((used) => used.databaseMemory)),
  };
}
