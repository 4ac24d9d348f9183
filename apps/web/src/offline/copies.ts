/**
 * Copies of answers to reads, for the time without a network: by account, at most 30 days old,
 * bounded in size. Files, data of sign-ins and of the administration are not kept.
 */
import { clear, createStore, delMany, get, setMany, update } from 'idb-keyval';

const DAYS_KEPT = 30;
const DAY = 86_400_000;
/** Characters of JSON of all copies together, and of a single one. */
const MOST_IN_ALL = 20_000_000;
const MOST_IN_ONE = 1_000_000;
/** Milliseconds in which writes are collected. */
const PAUSE = 1_000;
const INDEX = 'index';
/** Beginnings of the keys of queries that are not kept. */
const NOT_KEPT: ReadonlySet<unknown> = new Set(['totp', 'passkeys', 'sessions', 'tokens', 'providers', 'admin']);

interface Copy {
  readonly at: number;
  readonly data: unknown;
}

/** Age and size of each copy, by its key. */
type Index = Readonly<Record<string, { readonly at: number; readonly size: number }>>;

const store = createStore('portico-copies', 'copies');
const pending = new Map<string, { readonly copy: Copy; readonly size: number }>();
let timer: ReturnType<typeof setTimeout> | undefined;
/** Counts removals: an answer that arrived before a removal is not written after it. */
let generation = 0;

const keyOf = (account: number, hash: string) => `${account}/${hash}`;

/** Keeps a copy of the answer to a query. */
export function keepCopy(account: number, queryKey: readonly unknown[], hash: string, data: unknown): void {
  if (account === 0 || NOT_KEPT.has(queryKey[0])) return;
  const { length: size } = JSON.stringify(data) ?? '';
  if (size > MOST_IN_ONE) return;
  pending.set(keyOf(account, hash), { copy: { at: Date.now(), data }, size });
  timer ??= setTimeout(() => void writePending(), PAUSE);
}

/** @returns undefined where there is no copy, or the browser keeps nothing */
export async function readCopy(account: number, hash: string): Promise<unknown> {
  const key = keyOf(account, hash);
  const known = pending.get(key)?.copy ?? (await get<Copy>(key, store).catch(() => undefined));
  return known && Date.now() - known.at < DAYS_KEPT * DAY ? known.data : undefined;
}

async function writePending(): Promise<void> {
  timer = undefined;
  const written = [...pending];
  pending.clear();
  const begun = generation;
  try {
    let stale: string[] = [];
    await update<Index>(
      INDEX,
      (before = {}) => {
        const sizes = written.map(([key, { copy, size }]) => [key, { at: copy.at, size }] as const);
        const kept = keptOf({ ...before, ...Object.fromEntries(sizes) });
        stale = Object.keys(before).filter((key) => kept[key] === undefined);
        return kept;
      },
      store,
    );
    if (begun === generation)
      await setMany(
        written.map(([key, { copy }]) => [key, copy]),
        store,
      );
    await delMany(stale, store);
    if (begun !== generation) await clear(store);
  } catch {
    // A browser without storage, as in private windows, keeps no copies.
  }
}

/** The copies that stay: the newest ones that are young enough and fit together. */
export function keptOf(index: Index, now = Date.now()): Index {
  let total = 0;
  return Object.fromEntries(
    Object.entries(index)
      .toSorted(([, a], [, b]) => b.at - a.at)
      .filter(([, { at, size }]) => {
        if (now - at >= DAYS_KEPT * DAY || total + size > MOST_IN_ALL) return false;
        total += size;
        return true;
      }),
  );
}

/** Removes the copies of all accounts. */
export async function deleteCopies(): Promise<void> {
  generation++;
  pending.clear();
  clearTimeout(timer);
  timer = undefined;
  await clear(store).catch(() => undefined);
}
