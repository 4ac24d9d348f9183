/**
 * References of the demo's data. A string `$kind:name` stands for an object that was created under
 * this name, and is replaced by its id; `$time:…` stands for a moment in epoch milliseconds, and
 * `$local:…` for a local time or a date, which keeps its form. An object `{ "$delta": […] }` stands
 * for the JSON text of a rich text. Times are of a story that ended on {@link STORY_END}: they move
 * by whole days to the present.
 */
const STORY_END = Date.UTC(2026, 5, 1, 12);
const DAY = 24 * 3_600_000;

type Id = number | string;

export class Names {
  readonly #ids = new Map<string, Id>();
  readonly #shift: number;

  /** @param now the time of the first start, epoch milliseconds */
  constructor(now: number) {
    this.#shift = Math.floor((now - STORY_END) / DAY) * DAY;
  }

  /** Names an object. @param name `kind:name` */
  set(name: string, id: Id): void {
    this.#ids.set(name, id);
  }

  /** @throws Error for a name that no object has */
  get(name: string): number {
    const id = this.#ids.get(name);
    if (id === undefined) throw new Error(`the demo refers to ${name}, which was not created`);
    return id as number;
  }

  /** @returns the names of a kind without the kind, with their ids */
  of(kind: string): [string, number][] {
    const start = `${kind}:`;
    return [...this.#ids].flatMap(([name, id]) =>
      name.startsWith(start) ? [[name.slice(start.length), id as number] as [string, number]] : [],
    );
  }

  /** @returns epoch milliseconds of a moment of the story, without `$time:` */
  time(text: string): number {
    return Date.parse(text) + this.#shift;
  }

  /** Replaces all references in data. */
  resolve<T>(value: unknown): T {
    return this.#resolved(value) as T;
  }

  #resolved(value: unknown): unknown {
    if (typeof value === 'string') return value.startsWith('$') ? this.#reference(value.slice(1)) : value;
    if (Array.isArray(value)) return value.map((item) => this.#resolved(item));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    if (entries[0]?.[0] === '$delta') return deltaText(this.#resolved(entries[0][1]));
    return Object.fromEntries(entries.map(([key, member]) => [this.#resolved(key), this.#resolved(member)]));
  }

  #reference(text: string): Id {
    const [kind, rest] = [text.slice(0, text.indexOf(':')), text.slice(text.indexOf(':') + 1)];
    if (kind === 'time') return this.time(rest);
    if (kind === 'local')
      return new Date(this.time(rest.length > 10 ? `${rest}Z` : rest)).toISOString().slice(0, rest.length);
    return this.get(text);
  }
}

/** Ids in mentions are texts. */
function deltaText(ops: unknown): string {
  return JSON.stringify(ops, (key, value) => (key === 'id' ? String(value) : value));
}
