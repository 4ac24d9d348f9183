/** Making preview pictures in a process of their own, with limits on pixels, time and memory. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { PreviewBit, PreviewShape } from './preview-kinds.ts';

/** What one job may take. */
export interface RenderLimits {
  /** Pixels of all frames together, as the file says in its header. */
  readonly pixels: number;
  /** Frames of moving pictures; further ones are left out. */
  readonly frames: number;
  /** Of one picture. */
  readonly seconds: number;
  /** Of the whole process. */
  readonly memoryBytes: number;
  /** Of all pictures of a file. Milliseconds. */
  readonly jobMs: number;
}

export const DEFAULT_RENDER_LIMITS: RenderLimits = {
  pixels: 128_000_000,
  frames: 100,
  seconds: 20,
  memoryBytes: 1024 ** 3,
  jobMs: 60_000,
};

/** A file and the pictures that are wanted of it, each with the path to write it to. */
export interface RenderJob {
  readonly input: string;
  readonly pictures: readonly (PreviewShape & { readonly output: string })[];
}

/** What came of a job. */
export interface RenderAnswer {
  /** The pictures that were made. */
  made: PreviewBit[];
  /** Why others could not be made. */
  error?: string;
}

const CHILD = fileURLToPath(new URL('./render-child.ts', import.meta.url));

/** Renders one file after the other. A process that dies is replaced with the next job. */
export class Renderer {
  readonly #limits: RenderLimits;
  #child: ChildProcess | undefined;

  constructor(limits: Partial<RenderLimits> = {}) {
    this.#limits = { ...DEFAULT_RENDER_LIMITS, ...limits };
  }

  /** Never fails: what goes wrong is told in the answer. One call at a time. */
  async render(job: RenderJob): Promise<RenderAnswer> {
    const child = this.#running();
    const { promise, resolve } = Promise.withResolvers<RenderAnswer>();
    const onMessage = (answer: RenderAnswer) => resolve(answer);
    const onExit = (code: number | null, signal: string | null) =>
      resolve({ made: [], error: `the process that decodes pictures ended (${signal ?? `code ${code}`})` });
    const onError = (error: Error) => resolve({ made: [], error: error.message });
    child.once('message', onMessage).once('exit', onExit).once('error', onError);
    const timer = setTimeout(() => {
      this.#kill(child);
      resolve({ made: [], error: `the pictures took longer than ${this.#limits.jobMs} ms` });
    }, this.#limits.jobMs);
    child.send(job, (error) => {
      if (error) onError(error);
    });
    const answer = await promise;
    clearTimeout(timer);
    child.off('message', onMessage).off('exit', onExit).off('error', onError);
    return answer;
  }

  /** Ends the process, if there is one. */
  close(): void {
    if (this.#child) this.#kill(this.#child);
  }

  #running(): ChildProcess {
    if (this.#child?.connected) return this.#child;
    const { jobMs: _ms, ...limits } = this.#limits;
    const child = fork(CHILD, {
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: [],
      // Secrets of the server are none of its business.
      env: { PATH: process.env['PATH'], PORTICO_RENDER_LIMITS: JSON.stringify(limits) },
    });
    child.once('exit', () => {
      if (this.#child === child) this.#child = undefined;
    });
    this.#child = child;
    return child;
  }

  #kill(child: ChildProcess): void {
    child.kill('SIGKILL');
    if (this.#child === child) this.#child = undefined;
  }
}
