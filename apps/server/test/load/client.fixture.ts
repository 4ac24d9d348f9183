/** A client in a thread of its own. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** A request, serialised as it is sent. */
export interface SentRequest {
  url: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array | undefined;
}

/** An answer. `start` is the beginning of its body. */
interface ShortAnswer {
  status: number;
  bytes: number;
  start: string;
}

/** Sends one request at a time. */
export class ThreadClient {
  readonly #worker = new Worker(new URL('./client.worker.ts', import.meta.url));

  async send(sent: SentRequest): Promise<ShortAnswer> {
    const answered = once(this.#worker, 'message');
    this.#worker.postMessage(sent);
    const [answer] = (await answered) as [ShortAnswer];
    return answer;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
