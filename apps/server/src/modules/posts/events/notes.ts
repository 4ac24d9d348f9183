/**
 * What a write recorded, kept in memory while it runs, so that a dry run can tell about rows that are rolled back.
 * Nothing is collected unless somebody asked ({@link collectNotes}).
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Change } from './changes.ts';
import type { HistoryEvent } from './history.ts';

/** The history and change rows that a write made, in order. */
export interface WriteNotes {
  history: HistoryEvent[];
  changes: Change[];
}

interface Collector extends WriteNotes {
  /** The transaction that the notes are of: a retried write starts over. */
  tx?: object;
}

const running = new AsyncLocalStorage<Collector>();

/** Runs `work` (the verbs of one request) and gives what they recorded beside its result. */
export async function collectNotes<T>(work: () => Promise<T>): Promise<{ result: T; notes: WriteNotes }> {
  const collector: Collector = { history: [], changes: [] };
  const result = await running.run(collector, work);
  return { result, notes: { history: collector.history, changes: collector.changes } };
}

function collectorOf(tx: object): Collector | undefined {
  const collector = running.getStore();
  if (!collector) return undefined;
  if (collector.tx !== tx) {
    collector.tx = tx;
    collector.history = [];
    collector.changes = [];
  }
  return collector;
}

/** Notes history rows of a write. @param tx the transaction that made them */
export function noteHistory(tx: object, events: readonly HistoryEvent[]): void {
  collectorOf(tx)?.history.push(...events);
}

/** Notes change rows of a write. @param tx the transaction that made them */
export function noteChanges(tx: object, changes: readonly Change[]): void {
  collectorOf(tx)?.changes.push(...changes);
}
