import { beforeEach, describe, expect, it } from 'vitest';
import { prefix } from '../../sdk/src/testing/wire-server.ts';
import { describeFailure } from './errors.ts';
import { bold } from './output.ts';
import { ProgressBar } from './progress-bar.ts';
import { useCommands } from './testing/commands.ts';

const cli = useCommands();

describe('what people type', () => {
  it('is refused when an edit names nothing, before anything is read', async () => {
    for (const words of [
      ['api', 'posts', 'edit', '7'],
      ['api', 'groups', 'edit', '5', '--dry-run'],
      ['api', 'tasks', 'edit', '8'],
    ]) {
      const { error } = await cli.run(words);
      expect(describeFailure(error)).toMatchObject({ exitCode: 2, text: expect.stringContaining('Nothing to change') });
    }
    expect(cli.server.requests).toHaveLength(0);
  });

  it('is answered with the other verb where a post is of another kind', async () => {
    cli.script = () => ({ status: 404, body: { message: 'Nothing here.' } });
    for (const [verb, other] of [
      ['edit', 'edit-event'],
      ['copy-event', 'copy'],
    ] as const) {
      const { err, error } = await cli.run(['api', 'posts', verb, '7', '--title', 'x']);
      expect([describeFailure(error).exitCode, err]).toEqual([
        5,
        expect.stringContaining(`portico api posts ${other} 7`),
      ]);
    }
  });

  it('may be a date where the interface wants milliseconds, and is counted from 1', async () => {
    await cli.run([
      'api',
      'posts',
      'list',
      '2',
      '--creation-timestamp-from',
      '2026-01-31',
      '--creation-timestamp-to',
      '1767225600000',
    ]);
    expect(cli.server.requests.at(-1)?.body).toMatchObject({
      creationTimestampFrom: Date.UTC(2026, 0, 31),
      creationTimestampTo: 1767225600000,
    });
    cli.server.requests.length = 0;
    for (const words of [
      ['--creation-timestamp-from', 'soon'],
      ['--limit', '-3'],
      ['--limit', '0'],
    ]) {
      expect((await cli.run(['api', 'posts', 'list', '2', ...words])).error).toMatchObject({
        code: 'commander.invalidArgument',
      });
    }
    expect(cli.server.requests).toHaveLength(0);
  });

  it('needs no profile for the exchanges, only an address', async () => {
    const given = { ...process.env };
    delete process.env['PORTICO_URL'];
    delete process.env['PORTICO_TOKEN'];
    try {
      const words = ['api', 'auth', 'exchange-assertion', '--jwt-assertion', 'a.b.c', '--fields', 'accessToken'];
      expect(describeFailure((await cli.run(words)).error)).toMatchObject({
        exitCode: 2,
        text: expect.stringContaining('--url'),
      });
      const { out, error } = await cli.run([...words, '--url', cli.server.origin, '--output', 'json']);
      expect(error).toBeUndefined();
      expect(JSON.parse(out).accessToken).toMatch(/^ey/);
      expect(cli.server.requests).toHaveLength(1);
      expect(cli.server.requests[0]?.headers.authorization).toBeUndefined();
    } finally {
      process.env = given;
    }
  });

  it('may be a whole path for the escape hatch', async () => {
    await cli.run(['api', 'get', '/portal/api/core/auth/current-user-data']);
    await cli.run(['api', 'get', 'core/auth/current-user-data']);
    expect(cli.server.requests.map(({ path }) => path)).toEqual([
      '/portal/api/core/auth/current-user-data',
      `${prefix}/core/auth/current-user-data`,
    ]);
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
    cli.script = () => ({ status, headers: { 'Retry-After': '0' }, body: { message: 'Said so.', requestId: 'r-9' } });
    const { error } = await cli.run(['api', 'comments', 'create', '4', '--comment', 'x']);
    expect(describeFailure(error)).toMatchObject({ exitCode: code, text: expect.stringContaining('Said so.') });
  });

  it('a limit tells how long to wait', async () => {
    cli.script = () => ({ status: 429, headers: { 'Retry-After': '90' }, body: { message: 'Too many.' } });
    const { error } = await cli.run(['api', 'posts', 'get', '7']);
    expect(describeFailure(error)).toMatchObject({ exitCode: 12, text: expect.stringContaining('Try again in 90 s') });
    expect(cli.server.requests).toHaveLength(1);
  });

  it('a refusal is told once, whatever the message repeats', async () => {
    const fault = { field: 'title', code: 'REQUIRED_FIELD', defaultMessage: 'send a value.' };
    cli.script = () => ({
      status: 400,
      body: { message: 'title: send a value.', validationErrors: { list: [fault] } },
    });
    const { error } = await cli.run(['api', 'comments', 'create', '4', '--comment', 'x']);
    expect(describeFailure(error).text).toBe(
      'The request was refused:\n  title: send a value. [REQUIRED_FIELD]\n  request id r-1',
    );
  });

  it('a refused upload ends with 11, a name that is unknown with 2', async () => {
    cli.script = (_, path) => (path === '/upload' ? { status: 403, body: '<Error/>' } : undefined);
    expect(describeFailure((await cli.run(['api', 'attachments', 'upload', 'photo.jpg'])).error).exitCode).toBe(11);
    const { error } = await cli.run(['api', 'posts', 'list', '2', '--where', 'Severty=High']);
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
      const { out } = await cli.run([
        'login',
        '--url',
        cli.server.origin,
        '--token-env',
        'MY_TOKEN',
        '--profile',
        'lab',
      ]);
      expect(out).toContain('profile "lab"');
      expect((await cli.run(['whoami', '--output', 'json'])).out).toContain(cli.server.origin);
      await cli.run(['config', 'set', 'timeoutMs', '5000']);
      expect(JSON.parse((await cli.run(['config', 'show'])).out)).toEqual({
        url: cli.server.origin,
        tokenVariable: 'MY_TOKEN',
        timeoutMs: 5000,
      });
      expect((await cli.run(['config', 'list'])).out).toContain('lab');
      await cli.run(['config', 'set', 'url', cli.server.origin, '--profile', 'other']);
      await cli.run(['config', 'use', 'other']);
      expect(describeFailure((await cli.run(['whoami'])).error).exitCode).toBe(2);
      await cli.run(['config', 'remove', 'other']);
      expect(describeFailure((await cli.run(['config', 'use', 'other'])).error).text).toContain('there are: lab');
      await cli.run(['logout', '--profile', 'lab']);
    } finally {
      process.env = given;
    }
  });
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
