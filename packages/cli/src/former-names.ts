/** Former names of commands, which work for one more version and tell the new name. */
import { formerCommands } from './client/nouns.generated.ts';
import { adminEntries, apiEntries, entries, programFor } from './program.ts';

/** The words of a line by the present names. */
interface CurrentWords {
  words: readonly string[];
  /** The line for standard error if a former name was used. */
  notice?: string;
}

/** Other former names of nouns. */
const FORMER_NOUNS: Readonly<Record<string, string>> = { community: 'communities', stream: 'changes' };

/** Former names of commands that are no operation. */
const FORMER_COMMANDS: Readonly<Record<string, string>> = {
  ...formerCommands,
  'stream follow': 'changes follow',
  'stream live': 'changes listen',
};

/** Commands whose first word is a text: nouns that had no former name. */
const TAKES_TEXT: ReadonlySet<string> = new Set(['search']);

/** Verbs of `portico audit` that are for operators. */
const OPERATOR_AUDIT: ReadonlySet<string> = new Set(['verify', 'prune']);

/** Returns the words by the present names of commands. */
export async function currentWords(words: readonly string[]): Promise<CurrentWords> {
  const [first = '', second = ''] = words;
  const bare = first === 'api' ? words.slice(1) : words;
  const [noun = '', verb = ''] = bare;
  const present = FORMER_COMMANDS[`${noun} ${verb}`] ?? FORMER_COMMANDS[`${FORMER_NOUNS[noun]} ${verb}`];
  if (present !== undefined) return renamed(words, ['api', ...present.split(' '), ...bare.slice(2)]);
  if (first === 'api' && second in FORMER_NOUNS)
    return renamed(words, ['api', FORMER_NOUNS[second] as string, ...words.slice(2)]);
  const part = FORMER_NOUNS[first] ?? first;
  const forOperators = first === 'audit' ? OPERATOR_AUDIT.has(second) : Object.hasOwn(adminEntries, first);
  if (TAKES_TEXT.has(first)) return { words };
  if (Object.hasOwn(entries, first)) {
    // A command for people has this name now; its other verbs were operations.
    const former =
      Object.hasOwn(apiEntries, part) && !(await hasVerb([first], second)) && (await hasVerb(['api', part], second));
    return former ? renamed(words, ['api', part, ...words.slice(1)]) : { words };
  }
  if (forOperators) return renamed(words, ['admin', ...words]);
  return Object.hasOwn(apiEntries, part) ? renamed(words, ['api', part, ...words.slice(1)]) : { words };
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
  const group = words[0] === 'api' ? 1 : 0;
  const word = words[1 + group];
  const verb = group + (word !== undefined && !word.startsWith('-') ? 1 : 0);
  const added = current.length - words.length;
  return {
    words: current,
    notice: `"${named(words, 1 + verb)}" is now "${named(current, 1 + added + verb)}"; the former name works for one more version.`,
  };
}
