/** Former names of commands, which work for one more version and tell the new name. */
import { adminEntries, apiEntries, entries, programFor } from './program.ts';

/** The words of a line by the present names. */
interface CurrentWords {
  words: readonly string[];
  /** The line for standard error if a former name was used. */
  notice?: string;
}

/** Another former name of a noun. */
const FORMER_NOUNS: Readonly<Record<string, string>> = { community: 'communities' };

/** Commands whose first word is a text: nouns that had no former name. */
const TAKES_TEXT: ReadonlySet<string> = new Set(['search']);

/** Verbs of `portico audit` that are for operators. */
const OPERATOR_AUDIT: ReadonlySet<string> = new Set(['verify', 'prune']);

/** Returns the words by the present names of commands. */
export async function currentWords(words: readonly string[]): Promise<CurrentWords> {
  const [first = '', second = ''] = words;
  const noun = FORMER_NOUNS[first] ?? first;
  const forOperators = first === 'audit' ? OPERATOR_AUDIT.has(second) : Object.hasOwn(adminEntries, first);
  if (TAKES_TEXT.has(first)) return { words };
  if (Object.hasOwn(entries, first)) {
    // A command for people has this name now; its other verbs were operations.
    const former =
      Object.hasOwn(apiEntries, noun) && !(await hasVerb([first], second)) && (await hasVerb(['api', noun], second));
    return former ? renamed(words, ['api', noun, ...words.slice(1)]) : { words };
  }
  if (forOperators) return renamed(words, ['admin', ...words]);
  return Object.hasOwn(apiEntries, noun) ? renamed(words, ['api', noun, ...words.slice(1)]) : { words };
}

/** Whether a command has a verb. */
async function hasVerb(path: readonly string[], verb: string): Promise<boolean> {
  let command = await programFor(path);
  for (const word of path) command = command.commands.find((candidate) => candidate.name() === word) ?? command;
  return command.commands.some((candidate) => candidate.name() === verb);
}

/** @param words the words that were given; @param current the same by present names */
function renamed(words: readonly string[], current: readonly string[]): CurrentWords {
  const named = (list: readonly string[], count: number) => ['portico', ...list.slice(0, count)].join(' ');
  const verb = words[1] !== undefined && !words[1].startsWith('-') ? 1 : 0;
  const added = current.length - words.length;
  return {
    words: current,
    notice: `"${named(words, 1 + verb)}" is now "${named(current, 1 + added + verb)}"; the former name works for one more version.`,
  };
}
