/**
 * Regular expressions that people write. RE2 matches in time that grows with the length of the text times the size of the
 * program that the expression becomes, and a count such as `{1000}` makes a large program of a short expression. Both are
 * bounded: no expression holds the process for longer than some tens of milliseconds.
 */
import { createContext, Script } from 'node:vm';
import { RE2JS } from 're2js';

/** Most instructions of a program that is made at all. */
const MAX_SIZE = 10_000;
/** Instructions times characters that are matched without a watch on the time. */
const UNWATCHED_STEPS = 100_000;
/** How long a match may take. Milliseconds of the processor. */
const MATCH_MS = 50;
/** How long a match may take that has to wait for the processor. Milliseconds. */
const BUSY_MATCH_MS = 500;
/** Compiled expressions that are kept, and the instructions of their programs together. */
const MAX_COMPILED = 1_000;
const MAX_COMPILED_SIZE = 100_000;

type Compiled = RE2JS | 'invalid' | 'tooLarge';
const compiled = new Map<string, Compiled>();
let compiledSize = 0;

function compile(source: string): Compiled {
  let pattern = compiled.get(source);
  if (pattern === undefined) {
    pattern = make(source);
    const size = typeof pattern === 'string' ? 0 : pattern.programSize();
    if (compiled.size >= MAX_COMPILED || compiledSize + size > MAX_COMPILED_SIZE) {
      compiled.clear();
      compiledSize = 0;
    }
    compiled.set(source, pattern);
    compiledSize += size;
  }
  return pattern;
}

function make(source: string): Compiled {
  // Only a count makes a program much larger than its expression; compiling it would take as long as it is large.
  if (expandedLength(source) > MAX_SIZE) return 'tooLarge';
  try {
    return RE2JS.compile(source);
  } catch (error) {
    if (!(error instanceof Error) || !error.name.startsWith('RE2JS')) throw error;
    return 'invalid';
  }
}

const TOKEN =
  /\\Q[\s\S]*?(?:\\E|$)|\\[pPx]\{[^}]*\}|\\[\s\S]|\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*\]|\{\d+(?:,\d*)?\}|[\s\S]/g;

/** Length of an expression whose counts are written out: `(ab){3}` is as long as `(ab)(ab)(ab)`. An escape or a class is 1. */
export function expandedLength(source: string): number {
  /** Length of each open group, and the length of its last element, which a count repeats. */
  const open = [{ length: 0, last: 0 }];
  const add = (length: number) => {
    const group = open.at(-1)!;
    group.length += length;
    group.last = length;
  };
  for (const [token] of source.matchAll(TOKEN)) {
    if (token === '(') open.push({ length: 1, last: 0 });
    else if (token === ')' && open.length > 1) add(open.pop()!.length);
    else if (/^\{\d/.test(token)) {
      const counts = token.slice(1, -1).split(',').map(Number);
      const { last } = open.at(-1)!;
      open.at(-1)!.length -= last;
      add(Math.max(last, 1) * Math.max(1, ...counts));
    } else add(token.startsWith('\\Q') ? token.length : 1);
  }
  return open.reduce((sum, { length }) => sum + length, 0);
}

/** @returns the size of the program of a text as an expression, or the reason if it has none */
export function programSize(source: string): number | 'invalid' | 'tooLarge' {
  const pattern = compile(source);
  return typeof pattern === 'string' ? pattern : pattern.programSize();
}

/**
 * Whether the whole of a text matches, found in parts of {@link MATCH_MS}.
 * @returns undefined where it takes too long to tell, or `source` is no regular expression
 */
export function* matchesPattern(source: string, text: string): Generator<void, boolean | undefined> {
  const pattern = compile(source);
  if (typeof pattern === 'string') return undefined;
  if (pattern.programSize() * text.length <= UNWATCHED_STEPS) return pattern.testExact(text);
  const started = process.threadCpuUsage();
  const matches = withinTime(MATCH_MS, () => pattern.testExact(text));
  if (matches !== undefined) return matches;
  // The interrupted matcher may be in an inconsistent state.
  if (compiled.delete(source)) compiledSize -= pattern.programSize();
  // On a busy machine most of the time may have gone to others: then the text is not to blame.
  const { user, system } = process.threadCpuUsage(started);
  const used = (user + system) / 1_000;
  if (used >= MATCH_MS / 2) return undefined;
  yield;
  // As long as the processor is expected to work on it for the usual time.
  const longer = Math.min(BUSY_MATCH_MS, Math.ceil(MATCH_MS ** 2 / Math.max(used, 1)));
  return withinTime(longer, () => RE2JS.compile(source).testExact(text));
}

const idle = (): unknown => undefined;
const box = { work: idle };
createContext(box);
const callWork = new Script('work()');

/** Calls a function, and breaks it off after `ms` milliseconds. @returns undefined then */
function withinTime<T>(ms: number, work: () => T): T | undefined {
  box.work = work;
  try {
    return callWork.runInContext(box, { timeout: ms }) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
    throw error;
  } finally {
    box.work = idle;
  }
}
