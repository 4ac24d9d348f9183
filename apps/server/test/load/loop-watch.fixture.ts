/**
 * Measures the cost of requests for the main thread between two turns of the event loop, and the
 * memory that they keep.
 */
import { PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Work between two turns of the event loop. Milliseconds. */
interface Piece {
  from: number;
  to: number;
  cpu: number;
}

/** The cost of the work while a watch was on. */
interface LoopCost {
  /** Processor time of the longest piece, garbage collection apart. Milliseconds. */
  longestMs: number;
  /** Most memory that a collection left, above that at the start. Bytes. */
  keptBytes: number;
}

/** Shorter pieces are not looked at. Milliseconds. */
const SHORT_MS = 3;
/** Growth at which garbage is collected to see how much of it is kept. Bytes. */
const LOOKED_AT_BYTES = 96 * 1024 * 1024;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};
const usedBytes = () => {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
};

/** Watches the main thread from {@link LoopWatch.start} to {@link LoopWatch.stop}. */
export class LoopWatch {
  #pieces: Piece[] = [];
  readonly #collections: { from: number; to: number }[] = [];
  readonly #observer = new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      this.#collections.push({ from: startTime, to: startTime + duration });
  });
  #on = false;
  #last: { at: number; cpu: number } = { at: 0, cpu: 0 };
  /** Memory that the process keeps between requests. Bytes. */
  readonly #before: number;
  #kept = 0;
  #lookAt = 0;

  constructor() {
    collect();
    this.#before = usedBytes();
  }

  start(): void {
    this.#kept = 0;
    this.#lookAt = Math.max(usedBytes(), this.#before + LOOKED_AT_BYTES);
    this.#pieces = [];
    this.#collections.length = 0;
    this.#observer.observe({ entryTypes: ['gc'] });
    this.#on = true;
    this.#mark();
    this.#turn();
  }

  /** Ends the watch. @returns cost of the work since the start */
  async stop(): Promise<LoopCost> {
    this.#on = false;
    // Entries of collections are delivered some turns later.
    await sleep(5);
    for (const { startTime, duration } of this.#observer.takeRecords())
      this.#collections.push({ from: startTime, to: startTime + duration });
    this.#observer.disconnect();
    const longestMs = Math.max(0, ...this.#pieces.map((piece) => piece.cpu - this.#collectedIn(piece)));
    return { longestMs, keptBytes: this.#kept };
  }

  #mark(): void {
    this.#last = { at: performance.now(), cpu: cpuMs() };
  }

  /** Runs once in each turn. Without a reference it does not keep the loop turning while there is nothing to do. */
  #turn(): void {
    const turn = setImmediate(() => {
      const { at, cpu } = this.#last;
      this.#mark();
      if (this.#last.cpu - cpu >= SHORT_MS)
        this.#pieces.push({ from: at, to: this.#last.at, cpu: this.#last.cpu - cpu });
      if (!this.#on) return;
      if (usedBytes() > this.#lookAt) {
        collect();
        const used = usedBytes();
        this.#kept = Math.max(this.#kept, used - this.#before);
        this.#lookAt = Math.max(used, this.#before) + LOOKED_AT_BYTES;
        this.#mark();
      }
      this.#turn();
    });
    turn.unref();
  }

  /** The processor time of collections in a piece: while another process had the core, neither went on. */
  #collectedIn({ from, to, cpu }: Piece): number {
    const collected = this.#collections.reduce(
      (sum, one) => sum + Math.max(0, Math.min(to, one.to) - Math.max(from, one.from)),
      0,
    );
    return collected * Math.min(1, cpu / (to - from));
  }
}
