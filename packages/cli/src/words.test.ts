/** Words that no command has, and former names of commands. */
import { operationList, verbOf } from '@portico/contract';
import type { Command } from 'commander';
import { beforeAll, describe, expect, it } from 'vitest';
import { formerCommands } from './client/nouns.generated.ts';
import { nounOf } from './client/nouns.ts';
import { currentWords } from './former-names.ts';
import { adminEntries, apiEntries, wholeProgram } from './program.ts';
import { useCommands } from './testing/commands.ts';
import { reads, refuseUnknownWord } from './words.ts';

const cli = useCommands();
let program: Command;
beforeAll(async () => {
  program = await wholeProgram();
});

/** Returns the message for unknown words; undefined if all are commands. */
async function refusal(...words: string[]): Promise<string | undefined> {
  return refuseUnknownWord(program, words).then(
    () => undefined,
    (error: Error) => error.message,
  );
}

const writes = operationList
  .filter(({ kind }) => kind === 'write')
  .map(({ domain, clientMethod }) => `portico api ${nounOf(domain)} ${verbOf(clientMethod)}`);

describe('an unknown word', () => {
  it('is answered with a near command that changes nothing', async () => {
    expect(await refusal('api', 'posts', 'lst')).toContain('did you mean "portico api posts list"');
    expect(await refusal('admin', 'tenat')).toContain('did you mean "portico admin tenant"');
    expect(await refusal('admin', 'mail', 'chek')).toContain('did you mean "portico admin mail check"');
    expect(await refusal('apii')).toContain('did you mean "portico api"');
    expect(await refusal('api', 'posts', 'list', 'anything')).toBeUndefined();
  });

  it('never suggests a write, wherever it stands', async () => {
    const suggested = new Set<string>();
    const walk = async (command: Command, path: string[]): Promise<void> => {
      for (const child of command.commands) {
        const name = child.name();
        for (const word of [`${name}x`, name.slice(0, -1), `${name[1] ?? ''}${name[0]}${name.slice(2)}`]) {
          const message = await refusal(...path, word);
          for (const [, near] of message?.matchAll(/(?:mean|or) "([^"]+)"/g) ?? []) suggested.add(String(near));
        }
        await walk(child, [...path, name]);
      }
    };
    await walk(program, []);
    expect(suggested).toContain('portico api posts get');
    expect(writes.filter((command) => suggested.has(command))).toEqual([]);
    for (const write of ['portico admin erase', 'portico admin tenant create', 'portico admin db copy'])
      expect(suggested).not.toContain(write);
  });

  it('of a command that writes has no suggestion among its flags', async () => {
    const { err } = await cli.run(['api', 'posts', 'delete', '7', '--yess']);
    expect(err).toContain("'--yess'");
    expect(err).not.toContain('Did you mean');
    expect((await cli.run(['api', 'posts', 'get', '7', '--fieldz', 'id'])).err).toContain('Did you mean --fields?');
    expect(cli.server.requests).toEqual([]);
  });

  it('may be marked as harmless by hand', async () => {
    const verb = program.createCommand('peek');
    program.addCommand(reads(verb));
    expect(await refusal('peak')).toContain('did you mean "portico peek"');
  });
});

describe('a former name', () => {
  it.each([
    ['posts get 7', 'api posts get 7', 'portico posts get', 'portico api posts get'],
    ['community list', 'api communities list', 'portico community list', 'portico api communities list'],
    ['communities --help', 'api communities --help', 'portico communities', 'portico api communities'],
    ['tenant list', 'admin tenant list', 'portico tenant list', 'portico admin tenant list'],
    ['audit list --limit 3', 'api audit list --limit 3', 'portico audit list', 'portico api audit list'],
    [
      'api posts edit-form 7',
      'api posts read-for-edit 7',
      'portico api posts edit-form',
      'portico api posts read-for-edit',
    ],
    ['posts waiting', 'api inbox list', 'portico posts waiting', 'portico api inbox list'],
    ['stream live', 'api changes listen', 'portico stream live', 'portico api changes listen'],
    ['api stream --help', 'api changes --help', 'portico api stream', 'portico api changes'],
    ['audit verify --tenant a', 'admin audit verify --tenant a', 'portico audit verify', 'portico admin audit verify'],
  ])('of "portico %s" is "portico %s"', async (given, present, former, current) => {
    const { words, notice } = await currentWords(given.split(' '));
    expect(words.join(' ')).toBe(present);
    expect(notice).toBe(`"${former}" is now "${current}"; the former name works for one more version.`);
  });

  it('of an operation is that of a present one', async () => {
    const present = (noun: string) =>
      program.commands.find((each) => each.name() === 'api')?.commands.find((each) => each.name() === noun);
    for (const [former, words] of Object.entries(formerCommands)) {
      const [noun = '', verb = ''] = words.split(' ');
      expect(
        present(noun)?.commands.map((each) => each.name()),
        words,
      ).toContain(verb);
      const [before = '', old = ''] = former.split(' ');
      expect(present(before)?.commands.map((each) => each.name()) ?? [], former).not.toContain(old);
    }
  });

  it('works, and prints the present name to standard error', async () => {
    const { out, err, error } = await cli.run(['posts', 'get', '7', '--output', 'json']);
    expect([error, JSON.parse(out).occToken]).toEqual([undefined, 5]);
    expect(err).toBe(
      '"portico posts get" is now "portico api posts get"; the former name works for one more version.\n',
    );
  });

  it('has every noun and every command of operators', async () => {
    const nouns = program.commands.find((command) => command.name() === 'api')?.commands ?? [];
    expect(nouns.map((noun) => noun.name())).toEqual(Object.keys(apiEntries));
    // "audit verify" was a command of operators.
    const verbOf = ({ commands }: Command) => String(commands.find((command) => command.name() !== 'verify')?.name());
    // "search" takes words of people: it had no former operations.
    const former = nouns.filter((noun) => noun.name() !== 'search');
    for (const { name, verb } of former.map((noun) => ({ name: noun.name(), verb: verbOf(noun) })))
      expect((await currentWords([name, verb])).words, name).toEqual(['api', name, verb]);
    for (const name of Object.keys(adminEntries).filter((entry) => !['audit', 'import'].includes(entry)))
      expect((await currentWords([name, 'x'])).words).toEqual(['admin', name, 'x']);
  });

  it('is no present name: those stay', async () => {
    for (const words of [['api', 'GET', 'x'], ['backup', 'list'], ['whoami'], ['login'], ['nothing']])
      expect(await currentWords(words)).toEqual({ words });
  });
});
