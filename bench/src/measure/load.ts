/**
 * A closed-loop HTTP load: a number of connections, each with one request in flight. It uses bare
 * sockets, so that it costs the measured machine little and latencies are exact; every request is
 * counted as answered, refused or lost.
 */
import { connect, type Socket } from 'node:net';

/** A request in the form used throughout the bench. */
export interface HttpRequest {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body?: string;
}

interface LoadOptions {
  readonly port: number;
  readonly connections: number;
  /** Time in which new requests are started. */
  readonly seconds: number;
  /** Starts no more requests once this many were started and `leastSeconds` have passed. */
  readonly enough?: number;
  readonly leastSeconds?: number;
  /**
   * The next request of a connection.
   * @param previous body of that connection's last answer, if `bodies` is set
   */
  next(connection: number, previous: string | undefined): Buffer;
  readonly bodies?: boolean;
}

/** Result of a load. Milliseconds. */
export interface LoadFigures {
  readonly perSecond: number;
  readonly answers: number;
  /** Answers that are not 2xx. */
  readonly refused: number;
  /** Requests without an answer: connection lost or refused, or none within 30 s. */
  readonly lost: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
  readonly bytesPerAnswer: number;
  readonly firstRefusal?: string;
}

const TIMEOUT_MS = 30_000;
const HEAD_END = Buffer.from('\r\n\r\n');
const CHUNKS_END = Buffer.from('0\r\n\r\n');

/** The bytes of a request. */
export function encodeRequest({ method, path, headers, body }: HttpRequest): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`];
  for (const [name, value] of Object.entries({ host: '127.0.0.1', ...lowerCase(headers) }))
    lines.push(`${name}: ${value}`);
  if (body !== undefined) lines.push(`content-length: ${Buffer.byteLength(body)}`);
  else if (method !== 'GET') lines.push('content-length: 0');
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`);
}

function lowerCase(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Returns the bytes of the body that a head in lower case announces; undefined for a chunked body. */
function bodyBytesOf(head: string): number | undefined {
  const length = /\r\ncontent-length: *(\d+)/.exec(head)?.[1];
  if (length !== undefined) return Number(length);
  return head.includes('chunked') ? undefined : 0;
}

interface Answer {
  status: number;
  bytes: number;
  body: string | undefined;
}

/** A keep-alive connection. */
class Connection {
  readonly #port: number;
  #socket: Socket | undefined;
  #chunks: Buffer[] = [];
  #size = 0;
  /** Bytes of the whole answer; undefined until the head has arrived, -1 for a chunked one. */
  #expected: number | undefined;
  #headBytes = 0;
  #status = 0;
  #pending: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | undefined;
  #bodies = false;

  constructor(port: number, bodies: boolean) {
    this.#port = port;
    this.#bodies = bodies;
  }

  async ask(request: Buffer): Promise<Answer> {
    const socket = this.#socket ?? (await this.#open());
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#pending = { resolve, reject };
    const timer = setTimeout(() => this.#fail(new Error('no answer within 30 s')), TIMEOUT_MS);
    socket.write(request);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  async #open(): Promise<Socket> {
    const socket = connect({ host: '127.0.0.1', port: this.#port, noDelay: true });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    socket.once('connect', resolve);
    socket.once('error', reject);
    await promise;
    socket.off('error', reject);
    socket.on('data', (chunk) => this.#take(chunk));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new Error('the connection was closed')));
    this.#socket = socket;
    return socket;
  }

  #fail(error: Error): void {
    this.#socket?.destroy();
    this.#socket = undefined;
    this.#reset();
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.reject(error);
  }

  #reset(): void {
    this.#chunks = [];
    this.#size = 0;
    this.#expected = undefined;
  }

  #take(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#expected === undefined) {
      const all = this.#joined();
      const end = all.indexOf(HEAD_END);
      if (end < 0) return;
      const head = all.toString('latin1', 0, end).toLowerCase();
      this.#status = Number(head.slice(9, 12));
      this.#headBytes = end + 4;
      const bodyBytes = bodyBytesOf(head);
      this.#expected = bodyBytes === undefined ? -1 : this.#headBytes + bodyBytes;
    }
    const whole =
      this.#expected >= 0
        ? this.#size >= this.#expected
        : this.#joined().subarray(-CHUNKS_END.length).equals(CHUNKS_END);
    if (!whole) return;
    const failed = this.#status < 200 || this.#status > 299;
    const answer = {
      status: this.#status,
      bytes: this.#size,
      body: this.#bodies || failed ? this.#text(this.#expected === -1) : undefined,
    };
    this.#reset();
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.resolve(answer);
  }

  /** The answer's body. */
  #text(chunked: boolean): string {
    const all = this.#joined();
    if (!chunked) return all.toString('utf8', this.#headBytes);
    const parts: Buffer[] = [];
    for (let at = this.#headBytes; ; ) {
      const line = all.indexOf('\r\n', at);
      const size = Number.parseInt(all.toString('latin1', at, line), 16);
      if (line < 0 || !(size > 0)) return Buffer.concat(parts).toString('utf8');
      parts.push(all.subarray(line + 2, line + 2 + size));
      at = line + 4 + size;
    }
  }

  #joined(): Buffer {
    if (this.#chunks.length > 1) this.#chunks = [Buffer.concat(this.#chunks)];
    return this.#chunks[0] ?? Buffer.alloc(0);
  }
}

/** Share of a sorted list. */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Runs a load to its end: waits for every started request. */
export async function runLoad(options: LoadOptions): Promise<LoadFigures> {
  const { connections, seconds, enough = Number.POSITIVE_INFINITY, leastSeconds = 0 } = options;
  const latencies: number[] = [];
  let [begun, refused, lost, bytes] = [0, 0, 0, 0];
  let firstRefusal: string | undefined;
  const started = performance.now();
  const over = () => {
    const passed = (performance.now() - started) / 1000;
    return passed >= seconds || (begun >= enough && passed >= leastSeconds);
  };
  const drive = async (number: number) => {
    const connection = new Connection(options.port, options.bodies === true);
    let previous: string | undefined;
    while (!over()) {
      begun += 1;
      const request = options.next(number, previous);
      const at = performance.now();
      try {
        const answer = await connection.ask(request);
        latencies.push(performance.now() - at);
        bytes += answer.bytes;
        previous = answer.body;
        if (answer.status < 200 || answer.status > 299) {
          refused += 1;
          firstRefusal ??= `${answer.status} ${answer.body?.slice(0, 300)}`;
        }
      } catch (error) {
        lost += 1;
        firstRefusal ??= (error as Error).message;
      }
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, (_, number) => drive(number)));
  const elapsed = (performance.now() - started) / 1000;
  const sorted = latencies.toSorted((a, b) => a - b);
  return {
    perSecond: latencies.length / elapsed,
    answers: latencies.length,
    refused,
    lost,
    p50: quantile(sorted, 0.5),
    p95: quantile(sorted, 0.95),
    p99: quantile(sorted, 0.99),
    max: sorted.at(-1) ?? Number.NaN,
    bytesPerAnswer: latencies.length > 0 ? Math.round(bytes / latencies.length) : 0,
    ...(firstRefusal !== undefined && { firstRefusal }),
  };
}

/**
 * Sends a request once.
 * @throws Error with the answer's text if it is not 2xx
 */
export async function askOnce(port: number, request: HttpRequest): Promise<string> {
  const asker = keepAsking(port, true);
  try {
    return await asker.ask(request);
  } finally {
    asker.close();
  }
}

/**
 * Sends one request after another on a persistent connection.
 * @param bodies whether answers are read as text; otherwise they are empty
 */
export function keepAsking(port: number, bodies = false) {
  const connection = new Connection(port, bodies);
  return {
    /** @throws Error with the answer's text if it is not 2xx */
    async ask(request: HttpRequest): Promise<string> {
      const { status, body = '' } = await connection.ask(encodeRequest(request));
      if (status >= 200 && status <= 299) return body;
      const { method, path, body: sent = '' } = request;
      throw new Error(`${method} ${path} ${sent.slice(0, 400)}: ${status} ${body.slice(0, 600)}`);
    },
    close: () => connection.close(),
  };
}
