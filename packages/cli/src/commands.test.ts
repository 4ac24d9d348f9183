import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type OperationId, operationById, operationList } from '@portico/contract';
import { methodTable } from '@portico/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  accessToken,
  prefix,
  type ScriptedAnswer,
  startWireServer,
  type WireServer,
} from '../../sdk/src/testing/wire-server.ts';
import manifest from '../package.json' with { type: 'json' };
import { examples } from './client/examples.ts';
import { destructive, type Noun, nounDescriptions } from './client/table.ts';
import { kebab } from './client/words.ts';
import { completions } from './commands/completion.ts';
import { describeFailure } from './errors.ts';
import { bold } from './output.ts';
import { programFor, wholeProgram } from './program.ts';
import { ProgressBar } from './progress-bar.ts';
import { helpText, leaves } from './reference.ts';
import { version } from './version.ts';

/** An answer that serves every operation: forms, definitions, lists. */
const everything = () => ({
  accessToken: accessToken(),
  items: [{ id: 1, title: 'One' }],
  totalItemsCount: 1,
  communityId: 2,
  occToken: 5,
  screenOccToken: 6,
  contentData: {},
  fieldDefinitions: [
    {
      id: 1,
      label: 'Severity',
      type: 7,
      enumValues: [
        { id: 11, label: 'Low' },
        { id: 12, label: 'High' },
      ],
    },
    { id: 2, label: 'Due date', type: 4 },
    {
      id: 3,
      label: 'Sites',
      type: 8,
      enumValues: [
        { id: 31, label: 'Kobe' },
        { id: 32, label: 'Lecco' },
      ],
    },
    { id: 4, label: 'Status', type: 7, enumValues: [{ id: 41, label: 'Draft' }] },
  ],
  workflowDefinition: { states: [{ id: 61, name: 'In progress' }] },
  workflowPermittedOperations: [{ id: 31, name: 'Start work', screen: { id: 1 } }],
  screen: {
    id: 1,
    fieldMetadatas: [
      { id: 71, label: 'Note', type: 6 },
      { id: 72, label: 'Due date', type: 4 },
    ],
  },
  contentRef: 'c'.repeat(64),
  uploadMultipartRequestBodyParams: { key: 'k' },
});

let server: WireServer;
let script: ((method: string, path: string) => ScriptedAnswer | undefined) | undefined;
let folder: string;
const files = ['photo.jpg', 'seal.jpg', 'seal.pdf', 'report.pdf', 'token.txt', 'assertion.txt'];
const jsonFiles = ['user.json', 'post.json', 'event.json', 'task.json', 'credentials.json'];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'portico-cli-'));
  for (const file of files) writeFileSync(join(folder, file), 'text');
  for (const file of jsonFiles) writeFileSync(join(folder, file), '{}');
  server = await startWireServer(({ method, path }) => {
    return script?.(method, path) ?? { body: { ...everything(), uploadUrl: `${server.origin}/upload` } };
  });
  process.chdir(folder);
  Object.assign(process.env, {
    PORTICO_URL: server.origin,
    PORTICO_TOKEN: 'x',
    PORTICO_CONFIG: join(folder, 'config.json'),
    PORTICO_CACHE_DIR: join(folder, 'cache'),
  });
});
afterAll(async () => {
  process.chdir(tmpdir());
  rmSync(folder, { recursive: true, force: true });
  await server.close();
});
beforeEach(() => {
  script = undefined;
  server.requests.length = 0;
  process.exitCode = undefined;
});

/** Runs a command in this process. @returns what it printed, and what it failed with */
async function run(words: readonly string[]): Promise<{ out: string; err: string; error: unknown }> {
  let out = '';
  let err = '';
  const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    out += String(text);
    return true;
  });
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    err += String(text);
    return true;
  });
  try {
    await (await programFor(words[0])).parseAsync([...words], { from: 'user' });
    return { out, err, error: undefined };
  } catch (error) {
    return { out, err, error };
  } finally {
    stdout.mockRestore();
    stderr.mockRestore();
    process.removeAllListeners('SIGINT');
  }
}

/** Divides a line as a shell does, as far as the examples need it. */
function shellWords(line: string): string[] {
  return [...line.matchAll(/((?:[^\s'"]|'[^']*'|"[^"]*")+)/g)].map(([word]) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, a?: string, b?: string) => a ?? b ?? ''),
  );
}

const verbs = Object.entries(methodTable).flatMap(([noun, methods]) =>
  Object.entries<OperationId>(methods).map(([method, id]) => ({ noun, verb: kebab(method), id })),
);

describe('every operation', () => {
  it('has a command', () => {
    expect(verbs.map(({ id }) => id).sort()).toEqual(operationList.map(({ id }) => id).sort());
    expect(Object.keys(methodTable).sort()).toEqual(Object.keys(nounDescriptions).sort());
  });

  it.each(verbs.flatMap((verb) => examples[verb.id].map((example) => ({ ...verb, example }))))(
    'is sent by "portico $noun $verb $example"',
    async ({ noun, verb, id, example }) => {
      const asked = destructive.has(id) && !/--yes|--dry-run/.test(example) ? ['--yes'] : [];
      const { error } = await run([noun, verb, ...shellWords(example), ...asked]);
      expect(error).toBeUndefined();
      const operation = operationById(id);
      const pattern = new RegExp(`^(${prefix}|/portal/api)${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`);
      const sent = server.requests.findLast(({ method, path }) => method === operation.method && pattern.test(path));
      expect(sent, `${operation.method} ${operation.path}`).toBeDefined();
      if (operation.kind === 'write')
        expect(sent?.query.get('dryRun')).toBe(example.includes('--dry-run') ? 'true' : null);
    },
  );
});

it('gives each command a help text with two real examples', async () => {
  for (const { path, command } of leaves(await wholeProgram())) {
    const lines = helpText(command)
      .split('\n')
      .filter((line) => /^\s+\$ /.test(line));
    expect(lines.length, path).toBeGreaterThanOrEqual(2);
    for (const line of lines) expect(line, path).toContain('portico');
    expect(
      lines.some((line) => line.includes(path)),
      path,
    ).toBe(true);
  }
});

describe('input', () => {
  it('resolves names of fields and values', async () => {
    await run([
      'posts',
      'create',
      '2',
      '--title',
      'T',
      '--description',
      'plain',
      '--field',
      'severity=High',
      '--field',
      'Sites=Kobe',
      '--field',
      'Sites=Lecco',
      '--field',
      'Due date=',
    ]);
    expect(server.requests.at(-1)?.body).toEqual({
      title: 'T',
      description: 'plain',
      descriptionFormat: 2,
      announcement: false,
      customData: { 1: [12], 2: null, 3: [31, 32] },
    });
  });

  it('uploads what is to be attached, without the access token', async () => {
    const { out } = await run([
      'comments',
      'create',
      '7',
      '--comment',
      'See',
      '--attach',
      'photo.jpg',
      '--output',
      'json',
    ]);
    const upload = server.requests.find(({ path }) => path === '/upload');
    expect(upload?.headers.authorization).toBeUndefined();
    expect(upload?.text).toMatch(
      /name="key"\r\n\r\nk\r\n[\s\S]*name="file"; filename="photo.jpg"\r\nContent-Type: image\/jpeg\r\n\r\ntext\r\n/,
    );
    expect(upload?.headers['content-length']).toBe(String(Buffer.byteLength(upload?.text ?? '')));
    expect(server.requests.at(-1)?.body.attachments).toEqual([{ name: 'photo.jpg', contentRef: 'c'.repeat(64) }]);
    expect(JSON.parse(out).occToken).toBe(5);
  });

  it('edits what was named and resends the rest, references as ids', async () => {
    script = (method, path) =>
      method === 'GET' && path.includes('post-data-for-edit')
        ? {
            body: {
              communityId: 2,
              occToken: 9,
              contentData: {
                title: 'Old',
                descriptionDelta: '[{"insert":"Text\\n"}]',
                visibility: 2,
                customData: { 1: [{ id: 11, label: 'Low' }], 2: 5, 3: null },
                watcherUsers: [{ id: 4 }],
              },
            },
          }
        : undefined;
    await run(['posts', 'edit', '7', '--field', 'Severity=High']);
    const sent = server.requests.at(-1);
    expect(sent?.path).toBe(`${prefix}/communication/posts/manage/edit-post/7/9`);
    expect(sent?.body).toEqual({
      title: 'Old',
      description: '[{"insert":"Text\\n"}]',
      visibility: 2,
      customData: { 1: [12], 2: 5, 3: null },
    });
  });

  it('explains a conflict', async () => {
    let reads = 0;
    script = (method, path) => {
      if (method === 'GET' && path.includes('/groups/5/edit')) {
        reads++;
        return { body: { name: reads === 1 ? 'Sales' : 'Sales EU', email: 's@x', visible: true, occToken: reads } };
      }
      if (method === 'PUT') {
        return {
          status: 409,
          body: { message: 'Stale.', changedBy: { firstName: 'Ada', lastName: 'Byron' }, changedAt: 0 },
        };
      }
      return undefined;
    };
    const { err, error } = await run(['groups', 'edit', '5', '--name', 'Sales and support']);
    expect(describeFailure(error).exitCode).toBe(9);
    expect(err).toContain('Ada Byron changed it at 1970-01-01T00:00:00.000Z, after it was read. Nothing was written.');
    expect(err).toContain('name: was "Sales", is now "Sales EU"; you wanted "Sales and support"');
    expect(err).not.toContain('email');
  });

  it('makes repeats harmless on request', async () => {
    await run(['comments', 'create', '4', '--comment', 'x', '--idempotency-key', 'key-1']);
    expect(server.requests.at(-1)?.headers['idempotency-key']).toBe('key-1');
  });

  it('asks before it deletes', async () => {
    const { error } = await run(['posts', 'delete', '7']);
    expect(describeFailure(error)).toMatchObject({ exitCode: 2, text: expect.stringContaining('--yes') });
    expect(server.requests).toHaveLength(0);
  });
});

describe('output', () => {
  const rows = {
    items: [
      { id: 1, title: 'a,"b"', creatorUser: { firstName: 'Ada', lastName: 'Byron' } },
      { id: 2, title: null },
    ],
    nextPageToken: 'next',
  };
  const words = ['posts', 'list', '2', '--fields', 'id,title,creatorUser'];

  it.each([
    [
      'json',
      JSON.stringify(
        [
          { id: 1, title: 'a,"b"', creatorUser: rows.items[0]?.creatorUser },
          { id: 2, title: null },
        ],
        null,
        2,
      ),
    ],
    [
      'ndjson',
      `${JSON.stringify({ id: 1, title: 'a,"b"', creatorUser: rows.items[0]?.creatorUser })}\n${JSON.stringify({ id: 2, title: null })}`,
    ],
    ['csv', 'id,title,creatorUser\r\n1,"a,""b""",Ada Byron\r\n2,,'],
    [
      'yaml',
      '- id: 1\n  title: a,"b"\n  creatorUser:\n    firstName: Ada\n    lastName: Byron\n- id: 2\n  title: null',
    ],
    ['table', 'id  title  creatorUser\n1   a,"b"  Ada Byron\n2'],
  ])('is %s', async (format, wanted) => {
    script = () => ({ body: rows });
    const { out, err } = await run([...words, '--output', format]);
    expect(out.trimEnd()).toBe(wanted);
    expect(err).toContain('--page-token next');
  });

  it('goes over the pages, or counts', async () => {
    let page = 0;
    script = () => ({
      body: { items: [{ id: ++page }], ...(page < 3 && { nextPageToken: `t${page}` }), totalItemsCount: 3 },
    });
    expect((await run(['posts', 'list', '2', '--all', '--output', 'csv', '--fields', 'id'])).out).toBe(
      'id\r\n1\r\n2\r\n3\r\n',
    );
    page = 0;
    expect((await run(['posts', 'list', '2', '--limit', '2', '--output', 'csv', '--fields', 'id'])).out).toBe(
      'id\r\n1\r\n2\r\n',
    );
    expect((await run(['posts', 'list', '2', '--count'])).out).toBe('3\n');
    expect(server.requests.at(-1)?.body).toEqual({ pageSize: 1, calculateTotalItemsCount: true });
  });
});

describe('exit codes', () => {
  it.each([
    [400, 6],
    [401, 3],
    [403, 4],
    [404, 5],
    [409, 9],
    [418, 1],
    [429, 12],
    [500, 8],
  ])('a %i ends with %i', async (status, code) => {
    script = () => ({ status, headers: { 'Retry-After': '0' }, body: { message: 'Said so.', requestId: 'r-9' } });
    const { error } = await run(['comments', 'create', '4', '--comment', 'x']);
    expect(describeFailure(error)).toMatchObject({ exitCode: code, text: expect.stringContaining('Said so.') });
  });

  it('a refused upload ends with 11, a name that is unknown with 2', async () => {
    script = (_, path) => (path === '/upload' ? { status: 403, body: '<Error/>' } : undefined);
    expect(describeFailure((await run(['attachments', 'upload', 'photo.jpg'])).error).exitCode).toBe(11);
    const { error } = await run(['posts', 'list', '2', '--where', 'Severty=High']);
    expect(describeFailure(error)).toMatchObject({
      exitCode: 2,
      text: expect.stringContaining('did you mean "Severity"'),
    });
  });
});

describe('profiles', () => {
  it('are made, shown, changed, used and removed', async () => {
    const given = { ...process.env };
    delete process.env['PORTICO_URL'];
    delete process.env['PORTICO_TOKEN'];
    process.env['MY_TOKEN'] = 'x';
    try {
      const { out } = await run(['login', '--url', server.origin, '--token-env', 'MY_TOKEN', '--profile', 'lab']);
      expect(out).toContain('profile "lab"');
      expect((await run(['whoami', '--output', 'json'])).out).toContain(server.origin);
      await run(['config', 'set', 'timeoutMs', '5000']);
      expect(JSON.parse((await run(['config', 'show'])).out)).toEqual({
        url: server.origin,
        tokenVariable: 'MY_TOKEN',
        timeoutMs: 5000,
      });
      expect((await run(['config', 'list'])).out).toContain('lab');
      await run(['config', 'set', 'url', server.origin, '--profile', 'other']);
      await run(['config', 'use', 'other']);
      expect(describeFailure((await run(['whoami'])).error).exitCode).toBe(2);
      await run(['config', 'remove', 'other']);
      expect(describeFailure((await run(['config', 'use', 'other'])).error).text).toContain('there are: lab');
      await run(['logout', '--profile', 'lab']);
    } finally {
      process.env = given;
    }
  });
});

describe('completion', () => {
  it('offers nouns, verbs, flags and choices', async () => {
    const program = await wholeProgram();
    expect(completions(program, ['po'])).toEqual(['posts']);
    expect(completions(program, ['posts', 'edit'])).toEqual([
      'edit',
      'edit-custom-data',
      'edit-event',
      'edit-event-form',
      'edit-form',
      'edit-watchers',
    ]);
    expect(completions(program, ['posts', 'list', '2', '--whe'])).toEqual(['--where']);
    expect(completions(program, ['posts', 'list', '2', '--output', ''])).toEqual([
      'table',
      'json',
      'ndjson',
      'csv',
      'yaml',
    ]);
    expect(completions(program, ['posts', 'list', '2', '--title', ''])).toEqual([]);
  });

  it.each(['bash', 'zsh', 'fish'])('has a script for %s', async (shell) => {
    expect((await run(['completion', shell])).out).toContain('portico __complete');
  });
});

it('completes the words of a line in bash', () => {
  const bin = fileURLToPath(new URL('../bin/portico.mjs', import.meta.url));
  const lines = [
    'portico() { "$NODE" "$BIN" "$@"; }',
    'source <(portico completion bash)',
    `COMP_WORDS=(portico posts edit-); COMP_CWORD=2; _portico; echo "\${COMPREPLY[@]}"`,
    `COMP_WORDS=(portico posts list 2 --output ""); COMP_CWORD=5; _portico; echo "\${COMPREPLY[@]}"`,
  ];
  const env = { ...process.env, NODE: process.execPath, BIN: bin };
  const out = execFileSync('bash', ['-c', lines.join('\n')], { env, encoding: 'utf8' });
  expect(out).toBe('edit-custom-data edit-event edit-event-form edit-form edit-watchers\ntable json ndjson csv yaml\n');
});

describe('on a terminal, and nowhere else', () => {
  const written: string[] = [];
  const stream = (isTTY: boolean) =>
    ({ isTTY, write: (text: string) => written.push(text) }) as unknown as NodeJS.WriteStream;
  beforeEach(() => written.splice(0));

  it('there are colours, unless somebody says no', () => {
    const before = process.env['NO_COLOR'];
    delete process.env['NO_COLOR'];
    expect(bold('x', stream(true))).toBe('\u001b[1mx\u001b[22m');
    expect(bold('x', stream(false))).toBe('x');
    process.env['NO_COLOR'] = '1';
    expect(bold('x', stream(true))).toBe('x');
    if (before === undefined) delete process.env['NO_COLOR'];
    else process.env['NO_COLOR'] = before;
  });

  it('there is a bar, which goes away', () => {
    const silent = new ProgressBar(stream(false));
    silent.show('Uploading', 0.5);
    silent.clear();
    expect(written).toEqual([]);
    const bar = new ProgressBar(stream(true));
    bar.show('Uploading', 0.5);
    bar.clear();
    expect(written.join('')).toContain('50%');
    expect(written.at(-1)).toBe('\r\u001b[2K');
  });
});

it('knows its own version, and all its nouns', async () => {
  expect(version).toBe(manifest.version);
  for (const noun of Object.keys(nounDescriptions) as Noun[])
    expect((await programFor(noun)).commands.map((command) => command.name())).toContain(noun);
});
