/**
 * Where the log goes: standard output (or error), written so that nothing depends on it. A line that cannot be written now
 * waits in a bounded buffer; one that cannot be written at all (full disk, closed terminal, closed pipe) is dropped and
 * counted, and the first line that gets through is preceded by one that says how many are missing.
 */
import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Buffer size for a slow reader. Bytes. */
const MAX_WAITING_BYTES = 1024 * 1024;
/** Retry interval while the reader accepts nothing. Milliseconds. */
const RETRY_MS = 20;

/** A non-blocking destination. */
interface Sink {
  /**
   * @returns how many bytes were taken, 0 when the reader takes none now
   * @throws the system's error when nothing can be written
   */
  write(bytes: Buffer): number;
  /** Bytes that were taken and are not handed to the system yet. */
  readonly unsent: number;
}

/** Buffered text. */
interface Waiting {
  bytes: Buffer;
  /** How many lines it has, without the one that reports dropped ones. */
  readonly lines: number;
  /** How many dropped lines it reports. */
  readonly told: number;
}

/** Lines to a file descriptor of this process. */
export class LogOutput {
  readonly #sink: Sink;
  readonly #notice: (dropped: number) => string;
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #dropped = 0;
  /** The buffer was full; nothing is taken until half of it is free. */
  #full = false;
  /** The line that was written last is not whole yet. */
  #midLine = false;
  /** It never will be: later text begins on a line of its own. */
  #cut = false;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param fd 1 or 2
   * @param notice the line that says how many lines are missing, without its end
   */
  constructor(fd: number, notice: (dropped: number) => string) {
    this.#sink = openSink(fd);
    this.#notice = notice;
  }

  /** Dropped lines that have not been reported yet. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Takes lines, with the end of the last one. Never throws and never waits. */
  write(text: string): void {
    const told = this.#dropped;
    const bytes = Buffer.from(told > 0 ? `${this.#notice(told)}\n${text}` : text);
    const room = (this.#full ? MAX_WAITING_BYTES / 2 : MAX_WAITING_BYTES) - this.#waitingBytes;
    this.#full = bytes.length > room;
    if (this.#full) {
      this.#dropped += lines(text);
      return;
    }
    this.#dropped = 0;
    this.#waiting.push({ bytes, lines: lines(text), told });
    this.#waitingBytes += bytes.length;
    if (!this.#timer) this.#drain();
  }

  /** Waits until everything is written, up to a time limit. */
  async flush(milliseconds: number): Promise<void> {
    const end = performance.now() + milliseconds;
    while ((this.#waiting.length > 0 || this.#sink.unsent > 0) && performance.now() < end) await sleep(RETRY_MS / 5);
  }

  #drain(): void {
    try {
      for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
        if (this.#cut) this.#replace(first, Buffer.concat([Buffer.from('\n'), first.bytes]));
        const written = this.#sink.write(first.bytes);
        if (written > 0) {
          this.#midLine = first.bytes[written - 1] !== 10;
          this.#cut = false;
        }
        if (written < first.bytes.length) {
          this.#replace(first, first.bytes.subarray(written));
          this.#retry();
          return;
        }
        this.#waitingBytes -= first.bytes.length;
        this.#waiting.shift();
      }
    } catch {
      // There is no other place to report it: it is reported here when writing works again.
      for (const item of this.#waiting) {
        const left = lines(item.bytes.toString());
        // If an item was written in part, the line that reports dropped lines was written.
        this.#dropped += left < item.lines + Math.sign(item.told) ? left : item.lines + item.told;
      }
      this.#waiting = [];
      this.#waitingBytes = 0;
      this.#cut = this.#midLine;
    }
  }

  #replace(item: Waiting, bytes: Buffer): void {
    this.#waitingBytes += bytes.length - item.bytes.length;
    item.bytes = bytes;
  }

  #retry(): void {
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#drain();
    }, RETRY_MS);
    // A reader that takes nothing must not keep the process from ending.
    this.#timer.unref();
  }
}

function lines(text: string): number {
  return text.split('\n').length - 1;
}

function openSink(fd: number): Sink {
  const kind = fstatSync(fd);
  if (kind.isFile()) return new DescriptorSink(fd);
  if (kind.isSocket()) return new SocketSink(fd);
  try {
    // A description of our own, whose mode is not shared: writing to it does not wait for a terminal that was stopped or
    // for a full pipe.
    const { O_WRONLY, O_APPEND, O_NONBLOCK, O_NOCTTY } = constants;
    const own = openSync(`/proc/self/fd/${fd}`, O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY);
    return new DescriptorSink(own);
  } catch {
    // Another system, another user’s terminal, or a pipe whose reader is gone.
    return kind.isFIFO() ? new SocketSink(fd) : new DescriptorSink(fd);
  }
}

/** Files, terminals and pipes. */
class DescriptorSink implements Sink {
  readonly unsent = 0;
  readonly #fd: number;

  constructor(fd: number) {
    this.#fd = fd;
  }

  write(bytes: Buffer): number {
    try {
      return writeSync(this.#fd, bytes);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 0;
      throw error;
    }
  }
}

/** Sockets (a service manager’s log): the system’s event loop writes. */
class SocketSink implements Sink {
  readonly #socket: Socket;
  #failure: Error | undefined;

  constructor(fd: number) {
    this.#socket = new Socket({ fd, readable: false, writable: true });
    this.#socket.unref();
    this.#socket.on('error', (error) => {
      this.#failure = error;
    });
  }

  get unsent(): number {
    return this.#failure ? 0 : this.#socket.writableLength;
  }

  write(bytes: Buffer): number {
    if (this.#failure) throw this.#failure;
    if (this.#socket.writableNeedDrain) return 0;
    this.#socket.write(bytes);
    return bytes.length;
  }
}
