/** Text files that commands are given: how they are decoded, and when they are refused. */
import { writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { exitCodes } from './errors.ts';
import { runCommand } from './run-command.ts';
import { useCommands } from './testing/commands.ts';

const cli = useCommands();
afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

/** Runs a command as the process does. @returns its exit code and what it printed on standard error */
async function printed(args: readonly string[]): Promise<[number, string]> {
  let text = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((part) => {
    text += String(part);
    return true;
  });
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  await runCommand(args);
  vi.restoreAllMocks();
  return [Number(process.exitCode ?? 0), text];
}

const FRENCH = 'Ren\xe9e Fran\xe7ois, \xe9t\xe9 \xe0 No\xebl, d\xe9j\xe0 \xeatre, \xeele, \xe8re, \xe9cole, ma\xeetre';
/** "Privet kak dela eto dlinnyj tekst" in KOI8-R. */
const RUSSIAN = Buffer.from(
  'f0d2c9d7c5d420cbc1cb20c4c5ccc120dcd4cf20c4ccc9cececad920d4c5cbd3d420d0cf2dd2d5d3d3cbc9',
  'hex',
).toString('latin1');

describe('a file in another encoding', () => {
  const commands: [name: string, args: string[], text: (words: string) => string][] = [
    [
      'a.csv',
      ['api', 'users', 'import', '--csv', '@a.csv'],
      (words) => `firstname,lastname\n${words.replaceAll(',', '')},X\n`,
    ],
    ['a.yaml', ['api', 'imports', 'run', '2', 'posts.ndjson', '--mapping', 'a.yaml'], (words) => `title: "${words}"\n`],
    ['a.json', ['api', 'posts', 'create', '2', '--data', '@a.json'], (words) => `{"title":"${words}"}`],
    ['a.txt', ['api', 'posts', 'create', '2', '--title', '@a.txt'], (words) => words],
    ['b.yaml', ['api', 'communities', 'plan', 'b.yaml'], (words) => `name: "${words}"\n`],
    [
      'a.ndjson',
      ['api', 'posts', 'create-many', '2', '--lines', '@a.ndjson'],
      (words) => `{"title":"ü"}\n{"title":"${words}"}\n`,
    ],
  ];

  it.each(commands)('is refused with the likely encoding: %s', async (name, args, text) => {
    for (const [words, likely] of [
      [FRENCH, 'windows-1252'],
      [RUSSIAN, 'koi8-r'],
    ] as const) {
      writeFileSync(name, text(words).replaceAll('ü', '\xc3\xbc'), 'latin1');
      const [code, message] = await printed(args);
      expect([code, message]).toEqual([exitCodes.usage, expect.stringContaining(`${name} is not text in utf-8`)]);
      expect(message).toContain(`it is likely ${likely}; save it as UTF-8`);
      expect(cli.server.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    }
  });

  it('is refused in UTF-32', async () => {
    writeFileSync('a.csv', Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]));
    expect((await printed(['api', 'users', 'import', '--csv', '@a.csv']))[1]).toContain(
      'a.csv is utf-32le, which is not read',
    );
  });
});

describe('a file in UTF-16, or with a mark', () => {
  const csv = 'firstname,lastname\nZoë,Łukasz\n';
  it.each([
    ['UTF-8 with a mark', Buffer.from(`\ufeff${csv}`)],
    ['UTF-16 with a mark', Buffer.from(`\ufeff${csv}`, 'utf16le')],
    ['UTF-16 without one', Buffer.from(csv, 'utf16le')],
  ])('is read: %s', async (_, bytes) => {
    writeFileSync('a.csv', bytes);
    const [code, message] = await printed(['api', 'users', 'import', '--csv', '@a.csv']);
    expect([code, message]).toEqual([exitCodes.ok, '']);
    expect(cli.server.requests.at(-1)?.body).toEqual({ csv: csv.trimEnd() });
  });

  it('has lines that wait until the community is found by its name', async () => {
    const communities = { body: { communities: [{ id: 31, name: 'Orders' }] } };
    cli.script = (method) => (method === 'GET' ? communities : { body: { items: [] } });
    writeFileSync('a.ndjson', '{"title":"One"}\n{"title":"Two"}\n');
    await printed(['api', 'posts', 'create-many', 'orders', '--lines', '@a.ndjson']);
    const sent = cli.server.requests.find(({ path }) => path.endsWith('/31'));
    expect(sent?.text.split('\n').map((line) => JSON.parse(line).title)).toEqual(['One', 'Two']);
  });

  it('has lines that U+2028 does not end', async () => {
    writeFileSync('a.ndjson', '\ufeff{"title":"one\u2028line"}\n');
    await printed(['api', 'posts', 'create-many', '2', '--lines', '@a.ndjson']);
    const sent = cli.server.requests.find(({ method }) => method === 'POST');
    expect(sent?.text).toContain('one\u2028line');
  });
});
