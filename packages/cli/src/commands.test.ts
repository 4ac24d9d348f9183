import { type Domain, type OperationId, operationById, operationList, verbOf } from '@portico/contract';
import { samplesOf } from '@portico/contract/openapi';
import { methodTable } from '@portico/sdk';
import type { Command } from 'commander';
import { describe, expect, it, vi } from 'vitest';
import { prefix } from '../../sdk/src/testing/wire-server.ts';
import manifest from '../package.json' with { type: 'json' };
import { nounDescriptions, nounOf } from './client/nouns.ts';
import { describeFailure, exitCodes } from './errors.ts';
import { helpText } from './help-text.ts';
import { programFor, wholeProgram } from './program.ts';
import { leaves, referencePage } from './reference.ts';
import { runCommand } from './run-command.ts';
import { useCommands } from './testing/commands.ts';
import { version } from './version.ts';

const cli = useCommands();

/** Divides a line as a shell does, as far as the examples need it. */
function shellWords(line: string): string[] {
  return [...line.matchAll(/((?:[^\s'"]|'[^']*'|"[^"]*")+)/g)].map(([word]) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, a?: string, b?: string) => a ?? b ?? ''),
  );
}

const verbs = Object.entries(methodTable).flatMap(([domain, methods]) =>
  Object.entries<OperationId>(methods).map(([method, id]) => ({ noun: nounOf(domain), verb: verbOf(method), id })),
);

describe('every operation', () => {
  it('has a command', () => {
    expect(verbs.map(({ id }) => id).sort()).toEqual(operationList.map(({ id }) => id).sort());
    expect(Object.keys(methodTable).sort()).toEqual(Object.keys(nounDescriptions).sort());
  });

  it('has its command as a sample in the documents', () => {
    for (const { noun, verb, id } of verbs) {
      const operation = operationById(id);
      const [example] = operation.command.examples;
      expect(samplesOf(operation).command).toBe(`npx portico api ${noun} ${verb} ${example}`.trim());
    }
  });

  it.each(verbs.flatMap((verb) => operationById(verb.id).command.examples.map((example) => ({ ...verb, example }))))(
    'is sent by "portico api $noun $verb $example"',
    async ({ noun, verb, id, example }) => {
      const asked = operationById(id).command.confirms && !/--yes|--dry-run/.test(example) ? ['--yes'] : [];
      const { error } = await cli.run([
        'api',
        noun,
        verb,
        ...shellWords(example.replace('portal.acme.example', cli.server.origin)),
        ...asked,
      ]);
      expect(error).toBeUndefined();
      const operation = operationById(id);
      const pattern = new RegExp(`^(${prefix}|/portal/api)${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`);
      const sent = cli.server.requests.findLast(
        ({ method, path }) => method === operation.method && pattern.test(path),
      );
      expect(sent, `${operation.method} ${operation.path}`).toBeDefined();
      if (operation.kind === 'write')
        expect(sent?.query.get('dryRun')).toBe(example.includes('--dry-run') ? 'true' : null);
    },
  );
});

it('gives each command a help text with two real examples', async () => {
  const program = await wholeProgram();
  const groupsIn = (parent: Command, path: string): { path: string; command: Command }[] =>
    parent.commands
      .filter(({ commands }) => commands.length > 0)
      .flatMap((command) => {
        const own = `${path} ${command.name()}`;
        return [{ path: own, command }, ...groupsIn(command, own)];
      });
  const all = [...leaves(program), ...groupsIn(program, 'portico'), { path: 'portico', command: program }];
  for (const { path, command } of all) {
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

describe('help', () => {
  const printed = async (...words: string[]) => {
    const stdout = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    try {
      await runCommand(words);
      return stdout.mock.calls.map(([text]) => String(text)).join('');
    } finally {
      stdout.mockRestore();
    }
  };

  it('prints the whole reference: each command under a heading of its own, and the exit codes', async () => {
    const page = await printed('help', '--all');
    expect(page).toBe(await referencePage());
    const headings = page.match(/(?<=^#{3,5} ).*$/gm);
    expect(new Set(headings)).toHaveLength(headings!.length);
    const commands = leaves(await wholeProgram());
    expect(headings).toEqual(expect.arrayContaining(commands.map(({ path }) => path)));
    for (const { command } of commands) expect(page).toContain(helpText(command).trimEnd());
    for (const code of Object.values(exitCodes)) expect(page).toContain(`\n| ${code} | `);
  });

  it('describes a noun and a verb', async () => {
    expect(await printed('help', 'api', 'posts')).toContain('Usage: portico api posts [options] [command]');
    expect(await printed('help', 'api', 'posts', 'list')).toContain(
      'Usage: portico api posts list [options] <community-id>',
    );
  });
});

describe('input', () => {
  it('resolves names of fields and values', async () => {
    await cli.run([
      'api',
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
    expect(cli.server.requests.at(-1)?.body).toEqual({
      title: 'T',
      description: 'plain',
      descriptionFormat: 2,
      announcement: false,
      customData: { 1: [12], 2: null, 3: [31, 32] },
    });
  });

  it('tells the code and the request id of an upload that is refused', async () => {
    cli.script = (_method, path) =>
      path === '/upload'
        ? {
            status: 413,
            headers: { 'X-Request-Id': 'request-1' },
            body: { code: 'UPLOAD_TOO_LARGE', message: 'The file is too large.', requestId: 'request-1' },
          }
        : undefined;
    const { error } = await cli.run(['api', 'attachments', 'upload', 'report.pdf']);
    expect(describeFailure(error)).toEqual({
      exitCode: exitCodes.upload,
      text: '413 The file is too large. [UPLOAD_TOO_LARGE]\n  request id request-1',
    });
  });

  it('uploads what is to be attached, without the access token', async () => {
    const { out } = await cli.run([
      'api',
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
    const upload = cli.server.requests.find(({ path }) => path === '/upload');
    expect(upload?.headers.authorization).toBeUndefined();
    expect(upload?.text).toMatch(
      /name="key"\r\n\r\nk\r\n[\s\S]*name="file"; filename="photo.jpg"\r\nContent-Type: image\/jpeg\r\n\r\ntext\r\n/,
    );
    expect(upload?.headers['content-length']).toBe(String(Buffer.byteLength(upload?.text ?? '')));
    expect(cli.server.requests.at(-1)?.body.attachments).toEqual([{ name: 'photo.jpg', contentRef: 'c'.repeat(64) }]);
    expect(JSON.parse(out).occToken).toBe(5);
  });

  it('edits what was named and resends the rest, references as ids', async () => {
    cli.script = (method, path) =>
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
    await cli.run(['api', 'posts', 'edit', '7', '--field', 'Severity=High']);
    const sent = cli.server.requests.at(-1);
    expect(sent?.path).toBe(`${prefix}/communication/posts/manage/edit-post/7/9`);
    expect(sent?.body).toEqual({
      title: 'Old',
      description: '[{"insert":"Text\\n"}]',
      visibility: 2,
      customData: { 1: [12], 2: 5, 3: null },
    });
  });

  it('takes numbers by their names, whatever the case, and says which there are', async () => {
    const sent = async (...words: string[]) => {
      const { error } = await cli.run(words);
      return error ?? cli.server.requests.at(-1)?.body;
    };
    const field = (type: string) =>
      sent('api', 'communities', 'create-field', '2', '--label', 'Size', '--type', type, '--data', '{}');
    expect(await field('DECIMAL')).toMatchObject({ type: 3 });
    expect(await field('enum-list')).toMatchObject({ type: 8 });
    expect(await field('6')).toMatchObject({ type: 6 });
    expect(await sent('api', 'users', 'list', '--status-filter', 'active,1')).toMatchObject({ statusFilter: [1, 1] });
    for (const [type, message] of [
      ['money', /it must be one of INT, BIGINT, .*, or its number/],
      ['', /it must be one of INT/],
      ['1.5', /it must be a whole number/],
    ] as const)
      expect(String(await field(type))).toMatch(message);
  });

  it('explains a conflict', async () => {
    let reads = 0;
    cli.script = (method, path) => {
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
    const { err, error } = await cli.run(['api', 'groups', 'edit', '5', '--name', 'Sales and support']);
    expect(describeFailure(error).exitCode).toBe(9);
    expect(err).toContain('Ada Byron changed it at 1970-01-01T00:00:00.000Z, after it was read. Nothing was written.');
    expect(err).toContain('name: was "Sales", is now "Sales EU"; you wanted "Sales and support"');
    expect(err).not.toContain('email');
  });

  it('makes repeats harmless on request', async () => {
    await cli.run(['api', 'comments', 'create', '4', '--comment', 'x', '--idempotency-key', 'key-1']);
    expect(cli.server.requests.at(-1)?.headers['idempotency-key']).toBe('key-1');
  });

  it('asks before it deletes', async () => {
    const { error } = await cli.run(['api', 'posts', 'delete', '7']);
    expect(describeFailure(error)).toMatchObject({ exitCode: 2, text: expect.stringContaining('--yes') });
    expect(cli.server.requests).toHaveLength(0);
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
  const words = ['api', 'posts', 'list', '2', '--fields', 'id,title,creatorUser'];

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
    cli.script = () => ({ body: rows });
    const { out, err } = await cli.run([...words, '--output', format]);
    expect(out.trimEnd()).toBe(wanted);
    expect(err).toContain('--page-token next');
  });

  it('shows moments whose name ends in At as dates too', async () => {
    const versions = [{ version: 2, madeByName: 'Ada', madeAt: Date.UTC(2026, 10, 21, 9, 4, 39), present: true }];
    cli.script = () => ({ body: { versions } });
    expect((await cli.run(['api', 'communities', 'definition-versions', '2'])).out).toContain('2026-11-21T09:04:39Z');
  });

  it('is CSV that a spreadsheet program does not calculate', async () => {
    const items = [
      { id: -1, title: '=HYPERLINK("http://a.example")', creatorUser: { firstName: '@SUM(A1)' }, amount: -2.5 },
      { id: 2, title: '+1', creatorUser: { firstName: '-1' }, amount: '-3' },
      { id: 3, title: '\tcmd', creatorUser: { firstName: '\rcmd' }, amount: null },
      { id: 4, title: "'=quoted before", creatorUser: { firstName: "it's = 2 + 2" }, amount: ['-a', 'b'] },
    ];
    cli.script = () => ({ body: { items } });
    const list = ['api', 'posts', 'list', '2', '--output', 'csv', '--fields', 'id,title,creatorUser,amount'];
    expect((await cli.run(list)).out.split('\r\n').slice(1, -1)).toEqual([
      `-1,"'=HYPERLINK(""http://a.example"")",'@SUM(A1),-2.5`,
      "2,'+1,'-1,'-3",
      `3,'\tcmd,"'\rcmd",`,
      `4,''=quoted before,it's = 2 + 2,"'-a, b"`,
    ]);
    cli.script = () => ({ body: { id: -1, title: '=1+1' } });
    expect((await cli.run(['api', 'posts', 'get', '7', '--output', 'csv', '--fields', 'id,title'])).out).toBe(
      "id,title\r\n-1,'=1+1\r\n",
    );
  });

  it('shows people moments as dates, and lets nothing steer their terminal', async () => {
    const items = [{ id: 1, title: 'a\u001b[2Jb\u0007\r\nc', lastModifyTimestamp: Date.UTC(2026, 10, 21, 9, 4, 39) }];
    cli.script = () => ({ body: { items } });
    const list = ['api', 'posts', 'list', '2', '--fields', 'title,lastModifyTimestamp'];
    expect((await cli.run(list)).out).toBe('title    lastModifyTimestamp\na[2Jb c  2026-11-21T09:04:39Z\n');
    expect(JSON.parse((await cli.run([...list, '--output', 'ndjson'])).out)).toEqual({
      title: items[0]?.title,
      lastModifyTimestamp: items[0]?.lastModifyTimestamp,
    });
  });

  it('cuts long cells of a table, but not the sentences of its last column', async () => {
    const long = 'words '.repeat(20).trim();
    cli.script = () => ({ body: { findings: [{ kind: long, text: long }] } });
    const { out } = await cli.run(['api', 'communities', 'check', '2']);
    expect(out.split('\n')[1]).toBe(`${long.slice(0, 59)}…  ${long}`);
  });

  it('says when nothing has a field that was asked for', async () => {
    cli.script = () => ({ body: { items: [{ id: 1, title: 'One', creatorUser: {} }] } });
    const { out, err } = await cli.run([
      'api',
      'posts',
      'list',
      '2',
      '--fields',
      'id,titel,creatorUser.lastName',
      '--output',
      'csv',
    ]);
    expect(out).toBe('id,titel,creatorUser.lastName\r\n1,,\r\n');
    expect(err).toBe('Nothing here has a field "titel"; did you mean title?\n');
    cli.script = undefined;
    expect((await cli.run(['api', 'posts', 'get', '7', '--fields', 'occTokn'])).err).toContain(
      'did you mean occToken?',
    );
  });

  it('prints the access token alone', async () => {
    expect(await cli.run(['token'])).toEqual({ out: 'x\n', err: '', error: undefined });
  });

  it('goes over the pages, or counts', async () => {
    let page = 0;
    cli.script = () => ({
      body: { items: [{ id: ++page }], ...(page < 3 && { nextPageToken: `t${page}` }), totalItemsCount: 3 },
    });
    expect((await cli.run(['api', 'posts', 'list', '2', '--all', '--output', 'csv', '--fields', 'id'])).out).toBe(
      'id\r\n1\r\n2\r\n3\r\n',
    );
    page = 0;
    expect(
      (await cli.run(['api', 'posts', 'list', '2', '--limit', '2', '--output', 'csv', '--fields', 'id'])).out,
    ).toBe('id\r\n1\r\n2\r\n');
    expect((await cli.run(['api', 'posts', 'list', '2', '--count'])).out).toBe('3\n');
    expect(cli.server.requests.at(-1)?.body).toMatchObject({ pageSize: 1, calculateTotalItemsCount: true });
  });
});

it('knows its own version, and all its nouns', async () => {
  expect(version).toBe(manifest.version);
  for (const noun of (Object.keys(nounDescriptions) as Domain[]).map(nounOf)) {
    const [api] = (await programFor(['api', noun])).commands;
    expect(api?.commands.map((command) => command.name())).toEqual([noun]);
  }
});
