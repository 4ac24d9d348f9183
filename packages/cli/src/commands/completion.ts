import type { Command } from 'commander';
import { CodeOption } from '../client/flags.ts';
import { UsageError } from '../errors.ts';

/** The word with which completion scripts call the program. */
const completeWord = '__complete';

const scripts: Readonly<Record<string, string>> = {
  bash: `_portico() {
  local IFS=$'\\n'
  COMPREPLY=($(portico ${completeWord} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _portico portico
`,
  zsh: `#compdef portico
_portico() {
  local -a found
  found=(\${(f)"$(portico ${completeWord} "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( \${#found} )); then compadd -- "\${found[@]}"; else _files; fi
}
if [ "$funcstack[1]" = "_portico" ]; then _portico "$@"; else compdef _portico portico; fi
`,
  fish: `function __portico_complete
  set -l words (commandline -opc)[2..-1] (commandline -ct)
  set -l found (portico ${completeWord} $words 2>/dev/null)
  if count $found >/dev/null
    string join \\n -- $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c portico -f -a '(__portico_complete)'
`,
};

/** `portico completion SHELL`: the script that makes a shell complete the words of this program. */
export function completionCommand(program: Command): void {
  program
    .command('completion')
    .description('Print the completion script for bash, zsh or fish')
    .argument('<shell>', 'bash, zsh or fish')
    .addHelpText(
      'after',
      '\nExamples:\n  $ portico completion bash > ~/.local/share/bash-completion/completions/portico\n  $ portico completion fish > ~/.config/fish/completions/portico.fish',
    )
    .action((shell: string) => {
      const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
      if (script === undefined)
        throw new UsageError(`There is no completion for "${shell}", only for bash, zsh and fish.`);
      process.stdout.write(script);
    });
}

/**
 * Returns the words that can be written at the cursor.
 * @param program with all its commands
 * @param words of the line after `portico`; the last is the word to complete (perhaps empty)
 */
export function completions(program: Command, words: readonly string[]): string[] {
  const last = words.at(-1) ?? '';
  let command = program;
  let before: string | undefined;
  for (const word of words.slice(0, -1)) {
    const next = command.commands.find((candidate) => candidate.name() === word);
    if (next) command = next;
    before = word;
  }
  const options = command.options.filter((option) => !option.hidden);
  const awaiting = options.find(
    (option) => (option.long === before || option.short === before) && (option.required || option.optional),
  );
  if (awaiting instanceof CodeOption) return namesThatContinue(awaiting.names, last);
  if (awaiting) return (awaiting.argChoices ?? []).filter((choice) => choice.startsWith(last));
  const candidates = last.startsWith('-')
    ? [...options.map((option) => option.long).filter((flag) => flag !== undefined && flag !== null), '--help']
    : command.commands.map((candidate) => candidate.name());
  return candidates.filter((candidate) => candidate.startsWith(last)).sort();
}

/** Returns names in the case of the started word; in a list, of the word after the last comma. */
function namesThatContinue(names: readonly string[], begun: string): string[] {
  const before = begun.slice(0, begun.lastIndexOf(',') + 1);
  const part = begun.slice(before.length);
  const cased = /[a-z]/.test(part) ? names.map((name) => name.toLowerCase()) : names;
  return cased.filter((name) => name.startsWith(part)).map((name) => `${before}${name}`);
}
