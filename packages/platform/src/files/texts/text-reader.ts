/** Reading the text of documents in a process of their own, with limits on time and memory. */
import { fileURLToPath } from 'node:url';
import { IsolatedProcess, type Outcome } from '../isolation/isolated-process.ts';
import type { IsolationLimits } from '../isolation/launch.ts';
import type { JobFiles } from '../isolation/workplace.ts';

/** Request to the process. */
export interface TextJob {
  /** Path of the file. */
  readonly input: string;
  readonly mimeType: string;
}

const SCRIPT = fileURLToPath(new URL('./text-child.ts', import.meta.url));
const LIMITS: IsolationLimits = { memoryBytes: 768 * 1024 ** 2, jobMs: 30_000 };

/** Reads one document after the other. */
export class TextReader {
  readonly #process: IsolatedProcess<TextJob, string>;

  constructor(limits: Partial<IsolationLimits> = {}) {
    this.#process = new IsolatedProcess(SCRIPT, { ...LIMITS, ...limits }, { native: false });
  }

  /** Makes the files of a job: the document to be read. */
  async newFiles(): Promise<JobFiles> {
    return this.#process.newFiles();
  }

  /** Never fails: the outcome holds the error. Call it for one job at a time. */
  async read(input: string, mimeType: string): Promise<Outcome<string>> {
    return this.#process.run({ input, mimeType });
  }

  close(): void {
    this.#process.close();
  }
}
