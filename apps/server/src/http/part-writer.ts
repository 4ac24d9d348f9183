/** Writes JSON in parts: other requests are served between elements of lists and slices of long texts. */
import { randomUUID } from 'node:crypto';
import type { JsonSchema } from '@portico/contract/schemas';
import { Turns } from '@portico/platform/turns';
import fastJsonStringify from 'fast-json-stringify';

/** JSON with places for parts that are still to be written. */
export interface Begun {
  readonly text: string;
  /** Parts by the number of their place. */
  readonly parts: readonly Part[];
}

/** A part: a long text, or a list with the function that begins an element. */
export type Part = string | { readonly list: readonly unknown[]; readonly begin: (element: unknown) => Begun };

/** Writes a value as JSON. @param parts gets the long texts of the value after the parts that it holds */
export type Stringify = (value: unknown, parts: Part[]) => Begun;

/** Texts of fewer UTF-16 units are written at once. */
export const LONG_TEXT = 16_384;

/** Stands in JSON for a part, with its number; no answer holds it. */
const PLACE = randomUUID();
const PLACES = new RegExp(`"${PLACE}(\\d+):"`);

/** Adds a part. @returns the text that stands for it in a value */
export function place(parts: Part[], part: Part): string {
  return `${PLACE}${parts.push(part) - 1}:`;
}

/** Parts of the value that is being written. */
let presentParts: Part[] = [];

/** Compiles the function that writes values of a schema. */
export function stringifier(schema: JsonSchema, known: Readonly<Record<string, JsonSchema>>): Stringify {
  // The debug mode returns the serialiser of texts, in which long ones are left out.
  const compiled = fastJsonStringify(schema as never, { schema: known as never, mode: 'debug' }) as unknown as {
    serializer: { asString: (text: string) => string };
  };
  const { serializer } = compiled;
  const whole = serializer.asString.bind(serializer);
  serializer.asString = (text) => (text.length < LONG_TEXT ? whole(text) : `"${place(presentParts, text)}"`);
  const write = fastJsonStringify.restore(compiled as never);
  return (value, parts) => {
    presentParts = parts;
    return { text: write(value), parts };
  };
}

/** Collects the bytes of an answer. */
export class PartWriter {
  readonly #bytes: Buffer[] = [];
  readonly #turns = new Turns();
  #text = '';

  /** Writes JSON with its parts. */
  async write({ text, parts }: Begun): Promise<void> {
    for (const [index, piece] of text.split(PLACES).entries()) {
      if (index % 2 === 0) this.#text += piece;
      else await this.#part(parts[Number(piece)]!);
    }
  }

  /** Returns what was written; bytes where it was written in parts. */
  end(): string | Buffer {
    if (this.#bytes.length === 0) return this.#text;
    return Buffer.concat([...this.#bytes, Buffer.from(this.#text)]);
  }

  async #part(part: Part): Promise<void> {
    if (typeof part === 'string') {
      this.#text += '"';
      for (const slice of slicesOf(part)) {
        this.#text += JSON.stringify(slice).slice(1, -1);
        if (this.#turns.isOver) await this.#pause();
      }
      this.#text += '"';
      return;
    }
    this.#text += '[';
    for (const [index, element] of part.list.entries()) {
      if (index > 0) this.#text += ',';
      const begun = part.begin(element);
      if (begun.parts.length === 0) this.#text += begun.text;
      else await this.write(begun);
      if (this.#turns.isOver) await this.#pause();
    }
    this.#text += ']';
  }

  async #pause(): Promise<void> {
    this.#bytes.push(Buffer.from(this.#text));
    this.#text = '';
    await this.#turns.next();
  }
}

/** Cuts a text, never within a surrogate pair. */
function* slicesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length; ) {
    let to = Math.min(from + LONG_TEXT, text.length);
    if (to < text.length && HIGH_SURROGATE.test(text.charAt(to - 1))) to++;
    yield text.slice(from, to);
    from = to;
  }
}

const HIGH_SURROGATE = /[\ud800-\udbff]/;
