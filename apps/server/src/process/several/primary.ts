/**
 * The primary process of a node on which several processes serve (docs/adr/0022-processes-of-a-node.md). The primary listens and hands
 * each connection to the process with the fewest, counts for limits of the node, answers `/metrics`, names the process that runs the
 * background jobs, and replaces processes: one that ended, and on request all, one after the other.
 */
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Door, listenForOthers } from '../../http/listen.ts';
import { LocalLimits } from '../../kernel/node-limits.ts';
import type { Log } from '../../kernel/scope.ts';
import type { Closers, Ending } from '../closers.ts';
import type { Config } from '../config/config.ts';
import type { HandedDatabase, OpenDatabase } from '../database.ts';
import { closeNow, type Metrics } from '../metrics.ts';
import type { StartOrder } from './messages.ts';
import type { NodeMetrics } from './node-metrics.ts';
import { ServingProcess } from './serving-process.ts';

/** Time for which a process that is replaced keeps a connection for its next request; other processes serve meanwhile. Milliseconds. */
const LAST_REQUEST_MS = 10_000;
/** Time for the end of a process after its requests. Milliseconds. */
const END_MS = 30_000;
/** Time before a process that could not start is started again: the first, and the longest. Milliseconds. */
const [RETRY_MS, LONGEST_RETRY_MS] = [500, 30_000];
/** Connections that wait while no process serves; further ones are closed. */
const MOST_WAITING = 1_000;

interface PrimaryOptions {
  readonly config: Config;
  readonly logger: Log;
  readonly database: HandedDatabase;
  /** The figures of the primary process. */
  readonly metrics?: Metrics;
}

class Primary {
  readonly #options: PrimaryOptions;
  readonly #limits: LocalLimits;
  readonly #figures: NodeMetrics | undefined;
  readonly #processes = new Set<ServingProcess>();
  /** Connections that no process could be handed yet. */
  readonly #waiting: Socket[] = [];
  #jobs: ServingProcess | undefined;
  #door: Door | undefined;
  #stopping = false;
  #replacing: Promise<void> = Promise.resolve();
  #restartWaits = false;

  private constructor(options: PrimaryOptions, figures: NodeMetrics | undefined) {
    this.#options = options;
    this.#limits = new LocalLimits(options.config.processes);
    this.#figures = figures;
  }

  /** The figures of all processes are loaded where `/metrics` is on. */
  static async create(options: PrimaryOptions): Promise<Primary> {
    const { metrics } = options;
    return new Primary(options, metrics && new (await import('./node-metrics.ts')).NodeMetrics(metrics));
  }

  /**
   * Starts the processes, then listens.
   * @returns the port, and the lines below the address  @throws ServingProcessError; the system's error of listening
   */
  async start(): Promise<{ port: number; welcome: string }> {
    const { config } = this.#options;
    const shares = sharesOf(config.databasePoolSize, config.processes);
    const [first, ...others] = shares.map((connections, index) => this.#fork(this.#orderOf(connections, index === 0)));
    if (!first) throw new Error('a node has at least one process');
    // The others load their code meanwhile.
    const welcome = await first.start();
    this.#giveJobs();
    await Promise.all(others.map((one) => one.start()));
    for (const one of this.#processes) this.#watch(one);
    this.#door = await listenForOthers(config, (socket) => this.#hand(socket));
    return { port: this.#door.port, welcome };
  }

  /** Answers `/metrics`. @returns stops that */
  async listenForMetrics(): Promise<() => Promise<void>> {
    const { metrics, config } = this.#options;
    if (!metrics || !config.metrics) return async () => undefined;
    const server = await metrics.listen(config.metrics, () => this.#text());
    return async () => closeNow(server);
  }

  /** Replaces all processes, one after the other; none is stopped before another one serves in its place. */
  restart(): void {
    if (this.#stopping || this.#restartWaits) return;
    this.#restartWaits = true;
    this.#inTurn(async () => {
      this.#restartWaits = false;
      this.#options.logger.info({}, 'restarting all processes, one after the other');
      for (const one of [...this.#processes]) if (one.serves) await this.#replace(one);
      this.#options.logger.info({}, 'all processes were restarted');
    });
  }

  /** `/readyz` answers 503 from now on; everything else goes on. */
  drain(): void {
    this.#stopping = true;
    for (const one of this.#processes) one.send({ kind: 'drain' });
  }

  /** Accepts no further connection, and ends all processes once they have finished their requests. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await this.#door?.close();
    for (const socket of this.#waiting.splice(0)) socket.destroy();
    for (const one of this.#processes) if (!one.stopping) one.stop();
    await Promise.all([...this.#processes].map((one) => this.#end(one)));
  }

  #orderOf(connections: number, first: boolean): StartOrder {
    const { config, database } = this.#options;
    return { kind: 'start', database, first, connections, processes: config.processes };
  }

  #fork(order: StartOrder): ServingProcess {
    const one = new ServingProcess(order, {
      limits: this.#limits,
      leaving: (leaver) => this.#inTurn(() => this.#replace(leaver)),
    });
    this.#processes.add(one);
    void one.ended.then(() => {
      this.#processes.delete(one);
      if (this.#jobs === one) this.#giveJobs();
      this.#figures?.keep(one.lastFigures);
    });
    return one;
  }

  /** Replaces a process that serves when it ends by itself. */
  #watch(one: ServingProcess): void {
    void one.ended.then(() => {
      if (this.#stopping || one.stopping || one.inReplacement) return;
      this.#options.logger.error(
        { process: one.pid },
        'a serving process ended by itself; another one takes its place',
      );
      void this.#startAnother(one.order);
    });
  }

  /** Starts a process in the place of an ended one, and tries again until it serves. */
  async #startAnother(order: StartOrder): Promise<void> {
    for (let pause = RETRY_MS; !this.#stopping; pause = Math.min(pause * 2, LONGEST_RETRY_MS)) {
      if (await this.#startIn(order)) return;
      await sleep(pause, undefined, { ref: false });
    }
  }

  /** @returns whether another process serves, with the share of connections of an earlier one */
  async #startIn({ connections }: StartOrder): Promise<boolean> {
    const one = this.#fork(this.#orderOf(connections, false));
    try {
      await one.start();
    } catch (error) {
      if (!this.#stopping) this.#options.logger.error({ err: error }, 'a serving process could not start');
      await this.#end(one);
      return false;
    }
    this.#watch(one);
    if (!this.#jobs) this.#giveJobs();
    for (const socket of this.#waiting.splice(0)) this.#hand(socket);
    return true;
  }

  async #replace(old: ServingProcess): Promise<void> {
    if (this.#stopping || old.hasEnded || old.stopping) return;
    old.inReplacement = true;
    if (!(await this.#startIn(old.order))) {
      // The node stays as it was, unless the old process has ended meanwhile.
      old.inReplacement = false;
      if (old.hasEnded) await this.#startAnother(old.order);
      return;
    }
    if (this.#stopping) return;
    old.stop(LAST_REQUEST_MS);
    if (this.#jobs === old) this.#giveJobs();
    await this.#end(old);
  }

  /** Waits for the end of a process that was told to stop, and kills it after too long. */
  async #end(one: ServingProcess): Promise<void> {
    const timer = setTimeout(() => {
      this.#options.logger.error({ process: one.pid }, 'a serving process did not end in time and was killed');
      one.kill();
    }, this.#options.config.stopTimeoutMs + END_MS);
    await one.ended;
    clearTimeout(timer);
  }

  #giveJobs(): void {
    if (this.#stopping) return;
    this.#jobs = [...this.#processes].find((one) => one.serves);
    this.#jobs?.send({ kind: 'jobs' });
  }

  /** Hands a connection to the process that has the fewest. */
  #hand(socket: Socket): void {
    let fewest: ServingProcess | undefined;
    for (const one of this.#processes)
      if (one.serves && (!fewest || one.connections < fewest.connections)) fewest = one;
    if (fewest) fewest.serve(socket);
    else if (this.#waiting.length < MOST_WAITING) this.#waiting.push(socket);
    else socket.destroy();
  }

  async #text(): Promise<string> {
    await Promise.all([...this.#processes].map((one) => one.figures()));
    // The counters of a process that ended meanwhile are kept already.
    return (this.#figures as NodeMetrics).text([...this.#processes].map(({ lastFigures }) => lastFigures));
  }

  /** Runs replacements one at a time. */
  #inTurn(work: () => Promise<void>): void {
    this.#replacing = this.#replacing.then(work).catch((error: unknown) => {
      this.#options.logger.error({ err: error }, 'a process could not be replaced');
    });
  }
}

interface Opened {
  readonly config: Config;
  readonly logger: Log;
  readonly database: OpenDatabase;
  readonly metrics?: Metrics;
  /** Aborted, with an {@link Ending}, when the node is told to stop. */
  readonly stopping: AbortSignal;
  readonly closers: Closers;
}

/**
 * Serves by several processes.
 * @returns the port, the lines below the address, and a function that replaces all processes. Throws when told to stop in between.
 */
export async function serveBySeveral({ config, logger, database, metrics, stopping, closers }: Opened): Promise<{
  port: number;
  welcome: string;
  restart: () => void;
}> {
  const primary = await Primary.create({ config, logger, database: database.handed, ...(metrics && { metrics }) });
  stopping.addEventListener('abort', () => primary.drain());
  closers.push(() => primary.stop());
  closers.push(await primary.listenForMetrics());
  const { port, welcome } = await primary.start();
  closers.push(async () => {
    // Balancers see /readyz at 503 and turn to other nodes while this one still answers.
    if ((stopping.reason as Ending).reason === 'SIGTERM') await sleep(config.drainMs);
  });
  stopping.throwIfAborted();
  return { port, welcome, restart: () => primary.restart() };
}

/** Divides database connections among processes; their sum is the number that was configured. */
export function sharesOf(connections: number, processes: number): number[] {
  return Array.from({ length: processes }, (_, index) => Math.floor((connections + index) / processes)).toReversed();
}
