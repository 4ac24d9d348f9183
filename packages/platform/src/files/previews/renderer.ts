/** Making preview pictures in a process of their own, with limits on pixels, time and memory. */
import { fileURLToPath } from 'node:url';
import { IsolatedProcess } from '../isolation/isolated-process.ts';
import type { IsolationLimits } from '../isolation/launch.ts';
import type { JobFiles } from '../isolation/workplace.ts';
import type { PreviewBit, PreviewShape } from './preview-kinds.ts';

/** Limits of one picture. */
interface PictureLimits {
  /** Pixels of all frames together, as the file says in its header. */
  readonly pixels: number;
  /** Frames of moving pictures; further ones are left out. */
  readonly frames: number;
  readonly seconds: number;
}

/** Limits of rendering. */
type RenderLimits = PictureLimits & IsolationLimits;

const DEFAULT_RENDER_LIMITS: RenderLimits = {
  pixels: 128_000_000,
  frames: 100,
  seconds: 20,
  memoryBytes: 1024 ** 3,
  jobMs: 60_000,
};

/** A picture to make, and the path to write it to. */
type WantedPicture = PreviewShape & { readonly output: string };

/** Request to the process. */
export interface RenderJob {
  /** Path of the file. */
  readonly input: string;
  readonly mimeType: string;
  readonly pictures: readonly WantedPicture[];
  readonly limits: PictureLimits;
}

/** Result of a job. */
export interface RenderAnswer {
  /** The pictures that were made. */
  made: PreviewBit[];
  /** Why others could not be made. */
  error?: string;
}

const SCRIPT = fileURLToPath(new URL('./render-child.ts', import.meta.url));

/** Renders one file after the other. */
export class Renderer {
  readonly #limits: PictureLimits;
  readonly #process: IsolatedProcess<RenderJob, RenderAnswer>;

  constructor(limits: Partial<RenderLimits> = {}) {
    const { memoryBytes, jobMs, ...picture } = { ...DEFAULT_RENDER_LIMITS, ...limits };
    this.#limits = picture;
    this.#process = new IsolatedProcess(SCRIPT, { memoryBytes, jobMs });
  }

  /** Makes the files of a job: the file to be looked at, and the pictures to be made. */
  async newFiles(): Promise<JobFiles> {
    return this.#process.newFiles();
  }

  /** Never fails: the answer holds the error. Call it for one job at a time. */
  async render(input: string, mimeType: string, pictures: readonly WantedPicture[]): Promise<RenderAnswer> {
    const outcome = await this.#process.run({ input, mimeType, pictures, limits: this.#limits });
    return 'answer' in outcome ? outcome.answer : { made: [], error: outcome.failed };
  }

  close(): void {
    this.#process.close();
  }
}
