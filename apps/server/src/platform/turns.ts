/** Long work in parts: between two of them other requests are served. */
import { setImmediate } from 'node:timers/promises';

/** How long a part may take before the event loop turns. Milliseconds. */
const PART_MS = 5;

export class Turns {
  #since = performance.now();

  /** Whether the part has taken its time. */
  get isOver(): boolean {
    return performance.now() - this.#since >= PART_MS;
  }

  /** Resolves in a later turn of the event loop. A resolved promise would keep the present one. */
  async next(): Promise<void> {
    await setImmediate();
    this.#since = performance.now();
  }
}
