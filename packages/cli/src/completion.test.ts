/** Completion, by the engine and by the shells themselves where they are installed. */
import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { completions } from './commands/completion.ts';
import { wholeProgram } from './program.ts';

const BIN = fileURLToPath(new URL('../bin/portico.mjs', import.meta.url));
const FOLDER = fileURLToPath(new URL('..', import.meta.url));
const env = { ...process.env, NODE: process.execPath, BIN };

describe('the words that complete', () => {
  it('are nouns, verbs, flags and choices', async () => {
    const program = await wholeProgram();
    expect(completions(program, ['po'])).toEqual(['posts']);
    expect(completions(program, ['api', 'posts', 'edit'])).toEqual([
      'edit',
      'edit-custom-data',
      'edit-event',
      'edit-many',
      'edit-template',
      'edit-watchers',
    ]);
    expect(completions(program, ['api', 'posts', 'list', '2', '--whe'])).toEqual(['--where']);
    expect(completions(program, ['api', 'posts', 'list', '2', '--output', ''])).toEqual([
      'table',
      'json',
      'ndjson',
      'csv',
      'yaml',
    ]);
    expect(completions(program, ['api', 'posts', 'list', '2', '--title', ''])).toEqual([]);
  });

  it('are the names of numbers, in the case in which they were begun', async () => {
    const program = await wholeProgram();
    expect(completions(program, ['api', 'posts', 'create', '2', '--visibility', ''])).toEqual(['PRIVATE', 'PUBLIC']);
    expect(completions(program, ['api', 'posts', 'create', '2', '--visibility', 'pub'])).toEqual(['public']);
    const createField = ['api', 'communities', 'create-field', '2', '--type'];
    expect(completions(program, [...createField, 'ENUM'])).toEqual(['ENUM', 'ENUM_LIST']);
    expect(completions(program, ['api', 'users', 'list', '--status-filter', 'ACTIVE,BLO'])).toEqual(['ACTIVE,BLOCKED']);
  });

  it('are printed one a line for the scripts', () => {
    const out = execFileSync(process.execPath, [BIN, '__complete', 'api', 'changes', 'follow', '--st'], {
      encoding: 'utf8',
    });
    expect(out).toBe('--state-file\n');
  });
});

/**
 * Invocation of each shell for these lines: arguments, program and the parsing of its output, in
 * order.
 */
const shells: Record<string, { words: string[]; program: string; read: (out: string) => string[] }> = {
  bash: {
    words: ['-c'],
    program: `
portico() { "$NODE" "$BIN" "$@"; }
source <(portico completion bash)
COMP_WORDS=(portico api posts edit-cus); COMP_CWORD=3; _portico; echo "\${COMPREPLY[@]}"
COMP_WORDS=(portico api posts list 2 --output nd); COMP_CWORD=6; _portico; echo "\${COMPREPLY[@]}"
COMP_WORDS=(portico api attachments upload READM); COMP_CWORD=4; _portico; echo "\${COMPREPLY[@]:-$(compgen -o default READM)}"`,
    read: (out) => out.trim().split('\n'),
  },
  // Runs a separate terminal and presses the Tab key; the completed line is then run.
  zsh: {
    words: ['-f', '-c'],
    program: `
zmodload zsh/zpty
zpty z zsh -f -i
zpty -w z 'portico() { if [[ $1 == (__complete|completion) ]]; then "$NODE" "$BIN" "$@"; else print -r -- "RAN:$*:"; fi }'
zpty -w z 'autoload -U compinit; compinit -u -D; source <(portico completion zsh); print "REA""DY"'
zpty -r -m z out '*READY*'
for line in 'api posts edit-cus' 'api posts list 2 --output nd' 'api attachments upload READM'; do
  zpty -w z "portico $line"$'\\t'
  zpty -r -m z out '*RAN:*:*'
  print -r -- $out
done
zpty -d z`,
    read: (out) => [...out.matchAll(/RAN:.* (\S+):/g)].map(([, word]) => word as string),
  },
  fish: {
    words: ['--no-config', '-c'],
    program: `
function portico; $NODE $BIN $argv; end
portico completion fish | source
complete -C 'portico api posts edit-cus'
complete -C 'portico api posts list 2 --output nd'
complete -C 'portico api attachments upload READM'`,
    read: (out) => out.trim().split('\n'),
  },
};

const required = new Set((process.env['PORTICO_TEST_SHELLS'] ?? '').split(',').filter(Boolean));

describe.each(Object.entries(shells))('%s', (shell, { words, program, read }) => {
  it('has a script that asks the program', () => {
    const script = execFileSync(process.execPath, [BIN, 'completion', shell], { encoding: 'utf8' });
    expect(script).toContain('portico __complete');
  });

  it('completes commands, choices and names of files where it is installed', () => {
    const installed = spawnSync(shell, ['--version']).error === undefined;
    // In continuous integration a variable names the installed shells.
    expect(installed || !required.has(shell)).toBe(true);
    if (!installed) return;
    const out = execFileSync(shell, [...words, program], { env, cwd: FOLDER, encoding: 'utf8', timeout: 60_000 });
    expect(read(out)).toEqual(['edit-custom-data', 'ndjson', 'README.md']);
  });
});
