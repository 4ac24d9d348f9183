/** A serving process, as the primary process of its node sees it. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { LocalLimits } from '../../kernel/node-limits.ts';
import { readFigures } from './figures-text.ts';
import { LAST_FIGURES, type Order, type Question, type Report, type StartOrder } from './messages.ts';
import { LimitsOfProcess } from './node-limits.ts';
import type { Figures } from './node-metrics.ts';
import { ServingProcessError } from './serving-process-error.ts';

const ENTRY = fileURLToPath(new URL('./entry.ts', import.meta.url));
/** Time for the figures of a process; after it, a scrape uses the answer before. Milliseconds. */
const FIGURES_MS = 2_000;

/** Services of the primary for a serving process. */
interface Surroundings {
  readonly limits: LocalLimits;
  /** Called when the process alone was told to end. */
  leaving(process: ServingProcess): void;
}

export class ServingProcess {
  readonly order: StartOrder;
  /** Resolves when the process has ended and its reports were taken. */
  readonly ended: Promise<void>;
  readonly #child: ChildProcess;
  readonly #surroundings: Surroundings;
  readonly #places: LimitsOfProcess;
  readonly #ready = Promise.withResolvers<string>();
  readonly #asked = new Map<number, () => void>();
  #lastId = LAST_FIGURES;
  #figures: Figures = [];
  /** Connections that it was handed and has not closed. */
  connections = 0;
  #serves = false;
  /** True once it was told to stop. */
  stopping = false;
  /** True while another process is started to take its place. */
  inReplacement = false;

  /** Starts the process. It loads its code at once, and begins to work with its order. */
  constructor(order: StartOrder, surroundings: Surroundings) {
    this.order = order;
    this.#surroundings = surroundings;
    this.#places = new LimitsOfProcess(surroundings.limits);
    this.#child = fork(ENTRY, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.ended = Promise.all([once(this.#child, 'exit'), once(this.#child, 'disconnect')]).then(() => undefined);
    this.#child.on('message', (report: Report) => this.#take(report));
    this.#child.on('error', (error) => this.#ready.reject(error));
    this.#child.once('exit', (code, signal) => {
      this.#places.releaseAll();
      for (const answered of this.#asked.values()) answered();
      this.#ready.reject(new ServingProcessError(`a serving process ended (${signal ?? `code ${code}`})`));
    });
    // Without a caller of start(), nobody handles the rejection.
    this.#ready.promise.catch(() => undefined);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** True once it serves, until it is told to stop. */
  get serves(): boolean {
    return this.#serves && !this.stopping && this.#child.connected;
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** The figures of the last answer. */
  get lastFigures(): Figures {
    return this.#figures;
  }

  /** Waits until it serves. @returns output of the start  @throws ServingProcessError */
  async start(): Promise<string> {
    this.send(this.order);
    const welcome = await this.#ready.promise;
    this.#serves = true;
    return welcome;
  }

  /** Sends an order; nothing happens where the process has ended. */
  send(order: Order): void {
    // The event of its end follows where the process has just ended.
    if (this.#child.connected) this.#child.send(order, () => undefined);
  }

  /** Hands a connection over. */
  serve(socket: Socket): void {
    this.connections++;
    const order: Order = { kind: 'connection' };
    this.#child.send(order, socket, (error) => {
      // The client learns of it by the end of the connection.
      if (error) socket.destroy();
    });
  }

  /** Asks for the figures. @returns the answer before where none comes in time */
  async figures(): Promise<Figures> {
    const id = ++this.#lastId;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#asked.set(id, resolve);
    this.send({ kind: 'measure', id });
    const timer = new AbortController();
    await Promise.race([promise, sleep(FIGURES_MS, undefined, { signal: timer.signal }).catch(() => undefined)]);
    timer.abort();
    this.#asked.delete(id);
    return this.#figures;
  }

  /** Lets it finish and end. @param lastRequestMs how long a connection without a request is kept; undefined: as usual */
  stop(lastRequestMs?: number): void {
    this.stopping = true;
    this.send({ kind: 'stop', ...(lastRequestMs !== undefined && { lastRequestMs }) });
  }

  /** Ends it at once. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #take(report: Report): void {
    const { kind } = report;
    if (kind === 'ready') this.#ready.resolve(report.welcome);
    else if (kind === 'failed') this.#ready.reject(new ServingProcessError(report.error, report.sentence));
    else if (kind === 'closed') this.connections -= report.connections;
    else if (kind === 'ask') void this.#answer(report.id, report.question);
    else if (kind === 'release') this.#places.release(report.id);
    else if (kind === 'measured') {
      this.#figures = readFigures(report.figures);
      this.#asked.get(report.id)?.();
    } else this.#surroundings.leaving(this);
  }

  async #answer(id: number, question: Question): Promise<void> {
    this.send({ kind: 'answer', id, answer: await this.#places.answer(id, question) });
  }
}
