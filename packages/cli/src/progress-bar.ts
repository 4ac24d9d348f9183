/** A bar that says how far something is, for people at a terminal; where there is none it stays silent. */

const WIDTH = 30;
const EVERY_MS = 100;

export class ProgressBar {
  readonly #stream: NodeJS.WriteStream;
  #shown = '';
  #at = 0;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  /** @param part from 0 to 1; undefined when that is not known */
  show(label: string, part: number | undefined): void {
    if (!this.#stream.isTTY) return;
    const now = performance.now();
    const alike = part === undefined || this.#shown.startsWith(label);
    if (alike && now - this.#at < EVERY_MS && part !== 1) return;
    this.#at = now;
    const filled = Math.round((part ?? 0) * WIDTH);
    const bar =
      part === undefined ? '' : ` [${'#'.repeat(filled)}${' '.repeat(WIDTH - filled)}] ${Math.round(part * 100)}%`;
    this.#shown = `${label}${bar}`;
    this.#stream.write(`\r\u001b[2K${this.#shown}`);
  }

  /** Takes the bar away, so that what is printed next begins on a clean line. */
  clear(): void {
    if (this.#shown !== '') this.#stream.write('\r\u001b[2K');
    this.#shown = '';
  }
}
