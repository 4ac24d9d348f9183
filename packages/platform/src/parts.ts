/** Work that is cut into parts, as a generator that yields after each: done at once, or in turns with other requests. */
import { Turns } from './turns.ts';

/** Returns the result of the work, done without a break. */
export function finishAtOnce<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** Resolves to the result of the work; other requests are served between its parts. */
export async function finishInTurns<T>(work: Generator<void, T>): Promise<T> {
  const turns = new Turns();
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    if (turns.isOver) await turns.next();
  }
}
