/** Lines of a file that its encoding cannot decode. */
import { SAMPLE_BYTES } from '@portico/contract/encodings';
import { likelyEncoding } from './encodings.ts';
import { ImportError } from './errors.ts';

export class Undecoded {
  /** The encoding in force, once the file has been opened. */
  encoding = 'utf-8';
  readonly #canBeNamed: boolean;
  readonly #lines = new Set<number>();
  readonly #sample: Buffer[] = [];
  #sampled = 0;
  #first: number | undefined;
  /**
   * Numbers of undecodable lines, of decodable lines with non-ASCII characters, and of all lines.
   */
  #bad = 0;
  #good = 0;
  #all = 0;
  #likely: Promise<string | undefined> | undefined;

  /** @param canBeNamed whether the mapping can name the encoding of the file */
  constructor(canBeNamed: boolean) {
    this.#canBeNamed = canBeNamed;
  }

  /** Counts lines that were decoded. */
  count(all: number, notAscii: number): void {
    this.#all += all;
    this.#good += notAscii;
  }

  /** Notes a line that was not. @param line its number, from 1 */
  note(line: number, bytes: Buffer): void {
    this.#all += 1;
    this.#bad += 1;
    this.#first ??= line;
    this.#lines.add(line);
    if (this.#sampled >= SAMPLE_BYTES) return;
    this.#sample.push(bytes.subarray(0, SAMPLE_BYTES - this.#sampled), Buffer.from('\n'));
    this.#sampled += bytes.length + 1;
  }

  /** Returns whether one of the lines cannot be decoded; each line can be queried once. */
  take(first: number, last = first): boolean {
    let found = false;
    if (this.#lines.size === 0) return found;
    for (let line = first; line <= last; line++) found = this.#lines.delete(line) || found;
    return found;
  }

  /** The reason for which a row is refused. */
  async reason(): Promise<string> {
    return `it is not text in ${this.encoding}${await this.#advice()}`;
  }

  /**
   * Rejects a file as a whole. If more than half of its lines cannot be decoded, it has another
   * encoding. If fewer lines with non-ASCII characters can be decoded than cannot, these may have
   * been decoded by chance, to another text.
   * @throws ImportError
   */
  async refuseOtherEncoding(name: string): Promise<void> {
    if (this.#first === undefined || !isOtherEncoding(this.#bad, this.#good, this.#all)) return;
    const lines = `${this.#bad} of its ${this.#all} lines cannot be decoded, the first is line ${this.#first}`;
    throw new ImportError(`${name} is not ${this.encoding}: ${lines}${await this.#advice()}.`);
  }

  /** The likely encoding of a file with lines that cannot be decoded. */
  async likely(): Promise<string | undefined> {
    if (this.#first === undefined) return undefined;
    this.#likely ??= likelyEncoding(Buffer.concat(this.#sample), this.encoding);
    return this.#likely;
  }

  async #advice(): Promise<string> {
    return adviceOf(await this.likely(), this.#canBeNamed);
  }
}

/** Returns whether a file has another encoding: see {@link Undecoded.refuseOtherEncoding}. */
export function isOtherEncoding(bad: number, good: number, all: number): boolean {
  return bad * 2 > all || (good > 0 && bad > good);
}

/** Names the likely encoding in a message, and the remedy. */
export function adviceOf(likely: string | undefined, canBeNamed: boolean): string {
  if (likely === undefined)
    return canBeNamed ? '; csv.encoding names the encoding of a file' : '; save the file as UTF-8';
  const remedy = canBeNamed ? `csv: {encoding: ${likely}}` : 'save it as UTF-8';
  return `; the file is likely ${likely} (${remedy})`;
}
