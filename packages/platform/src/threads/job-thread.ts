/**
 * A thread for jobs that would hold the main thread: one job at a time, of tenants in turn, within
 * limits of time and memory, with a lower priority. It starts with the first job, and ends when it
 * is idle.
 */
import { Worker } from 'node:worker_threads';
import { presentRequester } from '../main-thread.ts';
import { TurnQueue } from './turn-queue.ts';

interface Limits {
  /** Time limit of a job. Milliseconds. */
  readonly mostMs: number;
  readonly memoryMb: number;
}

/** A job exceeded a limit, or its thread ended. The message is a phrase that says which. */
export class JobFailed extends Error {}

interface Waiter<Job, Result> {
  readonly job: Job;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

/** Time after which an idle thread is ended. Milliseconds. */
const IDLE_MS = 10_000;

export class JobThread<Job, Result> {
  readonly #script: URL;
  readonly #limits: Limits;
  readonly #queue = new TurnQueue<Waiter<Job, Result>>();
  #running: Waiter<Job, Result> | undefined;
  #thread: Worker | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** @param script a module that calls `serveJobs` */
  constructor(script: URL, limits: Limits) {
    this.#script = script;
    this.#limits = limits;
  }

  /**
   * Runs a job of the present requester.
   * @param signal takes a waiting job out of the queue
   * @throws JobFailed; the reason of the signal
   */
  async run(job: Job, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const requester = presentRequester();
    const waiter = { job, resolve, reject };
    const leave = () => {
      if (this.#queue.remove(requester, waiter)) reject(signal?.reason);
    };
    signal?.addEventListener('abort', leave, { once: true });
    this.#queue.add(requester, waiter);
    if (!this.#running) this.#next();
    try {
      return await promise;
    } finally {
      signal?.removeEventListener('abort', leave);
    }
  }

  #next(): void {
    clearTimeout(this.#timer);
    const waiter = this.#queue.take();
    this.#running = waiter;
    if (!waiter) {
      // An idle thread must not keep the process from ending.
      this.#thread?.unref();
      this.#timer = setTimeout(() => this.#end(), IDLE_MS).unref();
      return;
    }
    if (this.#thread) this.#limitTime();
    else this.#thread = this.#start();
    this.#thread.ref();
    this.#thread.postMessage(waiter.job);
  }

  #limitTime(): void {
    const { mostMs } = this.#limits;
    this.#timer = setTimeout(() => this.#fail(`it takes longer than ${mostMs} ms`), mostMs);
  }

  #start(): Worker {
    const thread = new Worker(this.#script, {
      resourceLimits: { maxOldGenerationSizeMb: this.#limits.memoryMb },
      // The thread gets no secrets of the server.
      env: {},
    });
    const ended = (reason: string) => {
      if (this.#thread === thread) this.#fail(reason);
    };
    // The first message says that the thread is ready.
    thread.once('message', () => {
      if (this.#thread !== thread) return;
      this.#limitTime();
      thread.on('message', (result: Result) => {
        if (this.#thread !== thread) return;
        this.#running?.resolve(result);
        this.#next();
      });
    });
    thread.on('error', (error: Error) =>
      ended('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'it takes too much memory' : error.message),
    );
    thread.on('exit', () => ended('its thread ended'));
    return thread;
  }

  /** Ends the thread, and begins the next job in a new one. */
  #fail(reason: string): void {
    this.#end();
    this.#running?.reject(new JobFailed(reason));
    this.#next();
  }

  #end(): void {
    clearTimeout(this.#timer);
    const thread = this.#thread;
    this.#thread = undefined;
    void thread?.terminate();
  }
}
