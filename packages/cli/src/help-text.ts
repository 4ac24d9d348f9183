/** The texts behind `--help`. */
import type { Command } from 'commander';

/** The help text of a command as `--help` prints it, examples included. */
export function helpText(command: Command): string {
  let text = '';
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
    getOutHelpWidth: () => 110,
    getOutHasColors: () => false,
  });
  command.outputHelp();
  return text;
}

/** Two examples for a command that only leads to others: the first ones of its verbs. */
export function examplesOfVerbs(command: Command): string {
  const found = command.commands.map((verb) =>
    helpText(verb)
      .split('\n')
      .filter((line) => /^\s+\$ /.test(line)),
  );
  const lines = found.length > 1 ? found.map(([line]) => line) : (found[0] ?? []);
  return `\nExamples:\n${lines
    .filter((line) => line !== undefined)
    .slice(0, 2)
    .join('\n')}`;
}
