/** The reference page of the command line, from the program itself. */
import type { Command } from 'commander';
import { exitCodeMeanings, exitCodes } from './errors.ts';
import { helpText } from './help-text.ts';
import { wholeProgram } from './program.ts';

/** Every command that does something, with the words that lead to it. */
export function leaves(command: Command, path: readonly string[] = ['portico']): { path: string; command: Command }[] {
  if (command.commands.length === 0) return [{ path: path.join(' '), command }];
  return command.commands.flatMap((child) => leaves(child, [...path, child.name()]));
}

const INTRODUCTION = `# The command line

\`portico\` uses a portal from a terminal (through the client library), and operates an installation where the server is
installed. \`portico help --all\` prints this page, \`portico help posts\` and \`portico help posts list\` parts of it.
Commands for people come first; \`portico api\` has every operation of the interface, \`portico admin\` the commands of operators.
Former names of commands (\`portico posts get\`, \`portico tenant list\`) work for one more version and print the present name.

## Beginning

\`\`\`
$ portico login --url https://portal.acme.example --key erp-key.json
$ portico whoami
$ portico api communities list
$ portico posts list 'IT Service Desk' --where 'Status=Draft'
\`\`\`

Profiles are in \`portico config path\`. They name key files and environment variables, and hold no secret. Access tokens are
kept in the user's cache folder (\`PORTICO_CACHE_DIR\`), one file for each portal and account, readable by its owner only.
\`PORTICO_PROFILE\`, \`PORTICO_URL\`, \`PORTICO_KEY_FILE\`, \`PORTICO_TOKEN\` and \`PORTICO_AUDIENCE\` win over the profile.

## Common behaviour of commands

- **Lists** of \`portico api\` print one page and say how to continue; \`--all\` and \`--limit\` read several pages, \`--count\` only counts.
- **Writes** take \`--dry-run\`, which prints the changes. Commands that remove data ask for confirmation; \`--yes\`
  confirms, and every command that writes accepts it.
- **Edits** read the form, change only the named values, and write with the token that was read. If another
  person has changed the object in the meantime, the command names the person, the time and the changed values, and writes nothing.
- **Custom fields** go by label, external id or number: \`--field 'Due date=2026-12-31'\`, \`--where 'Severity=High'\`. An unknown
  name is rejected with the nearest names. Moments may be dates: \`--creation-timestamp-from 2026-01-31\`.
- **Texts** of posts and comments are plain, unless they are a delta. \`@file\` reads a text or JSON from a file, \`-\` reads JSON
  from standard input. Files are UTF-8, or UTF-16 with a byte-order mark; a file in another encoding is refused, and the
  message names the likely one. A flag without a value means true; \`--no-\` before its name makes it false.
- **Output** is a table for people, or \`--output json|ndjson|csv|yaml\`; \`--fields\` takes paths such as
  \`id,creatorUser.lastName\`. Tables show moments as dates, the other formats as the epoch milliseconds of the interface.
  In CSV, text that a spreadsheet program would calculate (it begins with =, +, -, @, a tab or a carriage return) stands
  after an apostrophe; \`portico admin import\` takes it off again. Numbers stay numbers.
  Answers go to standard output, everything else to standard error. Colours and bars appear on a terminal only; \`NO_COLOR\`
  and \`--no-color\` turn colours off.

## Exit codes

| code | meaning |
|---|---|
`;

/** Returns the reference of all commands as Markdown, which `portico help --all` prints. */
export async function referencePage(): Promise<string> {
  const codes = Object.entries(exitCodes).map(
    ([kind, code]) => `| ${code} | ${exitCodeMeanings[kind as keyof typeof exitCodes]} |\n`,
  );
  const program = await wholeProgram();
  const parts = [INTRODUCTION, ...codes, '| 130 | interrupted by Ctrl-C |\n\n## Commands\n'];
  for (const command of program.commands) parts.push(...sections(command, ['portico', command.name()]));
  return parts.join('');
}

/** Returns a section for the command and for each below it. */
function sections(command: Command, path: readonly string[]): string[] {
  const heading = `\n${'#'.repeat(path.length + 1)} ${path.join(' ')}\n`;
  const text = `\n\`\`\`\n${helpText(command).trimEnd()}\n\`\`\`\n`;
  if (command.commands.length === 0) return [heading, text];
  return [
    `${heading}\n${command.summary() || command.description()}\n`,
    ...(command.registeredArguments.length > 0 ? [text] : []),
    ...command.commands.flatMap((child) => sections(child, [...path, child.name()])),
  ];
}
