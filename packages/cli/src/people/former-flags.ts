/** Flags of the former commands whose names commands for people have now. */
import { UsageError } from '../errors.ts';

/** The present command that each former one is, by its words. */
const FORMER: Readonly<Record<string, readonly string[]>> = {
  'posts list': ['api', 'posts', 'list'],
  'posts create': ['api', 'posts', 'create'],
  'posts edit': ['api', 'posts', 'edit'],
  'posts move': ['api', 'posts', 'move'],
  tasks: ['api', 'tasks'],
  import: ['admin', 'import'],
};

/**
 * Refuses flags that only the former command of this name has: read by the present one, they would
 * mean something else or nothing.
 * @throws UsageError
 */
export async function refuseFormerFlags(words: readonly string[]): Promise<void> {
  const name = [words.slice(0, 2).join(' '), words[0] ?? ''].find((path) => Object.hasOwn(FORMER, path));
  const given = words.filter((word) => word.startsWith('-')).map((word) => word.split('=')[0] as string);
  if (name === undefined || given.length === 0) return;
  const path = name.split(' ');
  const present = await flagsOf(path);
  const unknown = given.filter((flag) => !present.has(flag));
  if (unknown.length === 0) return;
  const former = await flagsOf(FORMER[name] as readonly string[]);
  const refused = unknown.find((flag) => former.has(flag));
  if (refused === undefined) return;
  throw new UsageError(
    `${refused} belongs to the former "portico ${name}", which is "portico ${FORMER[name]?.join(' ')}" now. ` +
      `"portico ${name} --help" lists the flags of the present command.`,
  );
}

/** Flags of a command, long and short. */
async function flagsOf(path: readonly string[]): Promise<ReadonlySet<string>> {
  const { programFor } = await import('../program.ts');
  let command = await programFor(path);
  for (const word of path) command = command.commands.find((candidate) => candidate.name() === word) ?? command;
  const names = command.options.flatMap(({ long, short }) => [long, short]);
  return new Set(['--help', '-h', ...names.filter((flag): flag is string => typeof flag === 'string')]);
}
