/** Long work in parts: between two of them other requests are served. */
import { mainThread, presentRequester, type Requester } from './main-thread.ts';

/** Divides work into parts that take turns with the work of others. */
export class Turns {
  readonly #requester: Requester;
  #since = performance.now();

  /** @param requester of the work; by default the one of the present request or job */
  constructor(requester = presentRequester()) {
    this.#requester = requester;
  }

  /** Whether the part has taken its time. */
  get isOver(): boolean {
    return performance.now() - this.#since >= mainThread.sliceMs;
  }

  /** Resolves in a later turn of the event loop. A resolved promise would keep the present one. */
  async next(): Promise<void> {
    await mainThread.wait(this.#requester);
    this.#since = performance.now();
  }
}

/** Maps the elements of a list in parts, see {@link Turns}. Elements mapped to undefined are left out. */
export async function mapInTurns<From, To>(from: readonly From[], map: (one: From) => To | undefined): Promise<To[]> {
  const mapped: To[] = [];
  const turns = new Turns();
  for (const one of from) {
    if (turns.isOver) await turns.next();
    const to = map(one);
    if (to !== undefined) mapped.push(to);
  }
  return mapped;
}
