/**
 * The limits of a node with several processes: the primary counts, serving processes ask it. A question is asked only where
 * something is limited: failed sign-ins, requests without a sign-in or with a limit set, slots of long operations.
 */
import type { Counted, Limit, LocalLimits, NodeLimits, Taken, Window } from '../../kernel/node-limits.ts';
import type { Answer, Question } from './messages.ts';

/** Answers the questions of one serving process. */
export class LimitsOfProcess {
  readonly #limits: LocalLimits;
  readonly #releases = new Map<number, () => void>();

  /** @param limits of the node, which all its processes share */
  constructor(limits: LocalLimits) {
    this.#limits = limits;
  }

  async answer(id: number, question: Question): Promise<Answer> {
    if ('count' in question) {
      const { count, key, units, window } = question;
      return this.#limits.count(count, key, units, window);
    }
    const taken = await this.#limits.take(question.take, question.limits, question.units);
    if (!('release' in taken)) return taken;
    this.#releases.set(id, taken.release);
    return { taken: true };
  }

  /** Releases the units that a question took. */
  release(id: number): void {
    this.#releases.get(id)?.();
    this.#releases.delete(id);
  }

  /** Gives back everything: the process has ended. */
  releaseAll(): void {
    for (const id of [...this.#releases.keys()]) this.release(id);
  }
}

/** The limits as a serving process sees them. */
export class AskedLimits implements NodeLimits {
  readonly processes: number;
  readonly #ask: (id: number, question: Question) => void;
  readonly #release: (id: number) => void;
  readonly #waiting = new Map<number, (answer: Answer) => void>();
  #lastId = 0;

  /** @param send sends messages to the primary */
  constructor(processes: number, send: { ask(id: number, question: Question): void; release(id: number): void }) {
    this.processes = processes;
    this.#ask = send.ask;
    this.#release = send.release;
  }

  async count(kind: string, key: string, units: number, window: Window): Promise<Counted> {
    const { answer } = await this.#answerOf({ count: kind, key, units, window });
    return answer as Counted;
  }

  async take(kind: string, limits: readonly Limit[], units = 1): Promise<Taken> {
    const { id, answer } = await this.#answerOf({ take: kind, limits, units });
    if ('full' in answer) return answer;
    let released = false;
    return {
      release: () => {
        if (released) return;
        released = true;
        this.#release(id);
      },
    };
  }

  /** Takes an answer of the primary. */
  answered(id: number, answer: Answer): void {
    this.#waiting.get(id)?.(answer);
    this.#waiting.delete(id);
  }

  async #answerOf(question: Question): Promise<{ id: number; answer: Answer }> {
    const id = ++this.#lastId;
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.#waiting.set(id, resolve);
    this.#ask(id, question);
    return { id, answer: await promise };
  }
}
