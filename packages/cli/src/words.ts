/** Words of a command line: former names of commands, and words that no command has. */
import type { Command } from 'commander';
import { UsageError } from './errors.ts';

/** Commands that change nothing, and groups. Only they are suggested for unknown words. */
const readers = new WeakSet<Command>();
/** Commands that write, also if their names read like others. */
const writers = new WeakSet<Command>();

/**
 * Marks a command that changes nothing. Near names are suggested for its unknown flags, and its own
 * name for unknown words.
 */
export function reads(command: Command): Command {
  readers.add(command);
  return command.showSuggestionAfterError();
}

/** Marks a command that writes: it is suggested for no word, and has no suggestions for its flags. */
export function writes(command: Command): Command {
  writers.add(command);
  return command;
}

const METHOD = /^(?:get|post|put|delete)$/i;

/** Names of written verbs that change nothing. */
const READING_VERBS: ReadonlySet<string> = new Set([
  'check',
  'download',
  'export',
  'follow',
  'list',
  'listen',
  'path',
  'plan',
  'schema',
  'show',
  'types',
  'verify',
]);

/** Marks the verbs of a command that change nothing by their names. */
export function readsByName(command: Command): void {
  for (const verb of command.commands) if (READING_VERBS.has(verb.name()) && !writers.has(verb)) reads(verb);
}

/**
 * Refuses the first word that is no command. A near name is suggested only if its command changes
 * nothing: a person may repeat a suggestion without reading it.
 * @throws UsageError
 */
export async function refuseUnknownWord(program: Command, words: readonly string[]): Promise<void> {
  let command = program;
  const path = [program.name()];
  for (const word of words) {
    if (word.startsWith('-') || command.commands.length === 0) return;
    const next = command.commands.find((candidate) => candidate.name() === word || candidate.aliases().includes(word));
    if (next) {
      command = next;
      path.push(next.name());
      continue;
    }
    // A group with arguments of its own decides itself: "api" takes a method.
    if (command.registeredArguments.length > 0 && (command.name() !== 'api' || METHOD.test(word))) return;
    const safe = command.commands.filter((candidate) => readers.has(candidate) || candidate.commands.length > 0);
    const { nearest } = await import('@portico/sdk');
    const near = nearest(
      safe.map((candidate) => ({ label: candidate.name() })),
      word,
    ).map((name) => `"${[...path, name].join(' ')}"`);
    throw new UsageError(
      `There is no command "${[...path, word].join(' ')}"${near.length > 0 ? `; did you mean ${near.join(' or ')}?` : '.'} ` +
        `"${path.join(' ')} --help" lists the commands.`,
    );
  }
}
