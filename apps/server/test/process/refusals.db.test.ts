/**
 * A start that cannot work ends at once: one clear sentence, a code other than zero, nothing left
 * running.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { administrator, asClient, postgresPid, type Running, START, Surroundings } from './process.fixture.ts';

const surroundings = new Surroundings();
afterAll(() => surroundings.clean());

/** A database for starts that do not change it; the first of them migrates it. */
let usual: ReturnType<Surroundings['database']> | undefined;
const database = () => {
  usual ??= surroundings.database();
  return usual;
};

async function refusal(running: Running): Promise<string> {
  const { code, signal } = await running.exited;
  expect({ code, signal }).toEqual({ code: 1, signal: null });
  const lines = running.stderr.trim().split('\n');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^Portico (cannot start: |needs ).*[.)]$/);
  expect(running.stdout).not.toMatch(/ready at|Error:|\n\s+at /);
  return lines[0] as string;
}

describe('a start that cannot work', { timeout: 300_000 }, () => {
  it('names the port that is in use, of the service and of /metrics', async () => {
    const dataDir = await surroundings.dataDirectory();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const port = String((other.address() as { port: number }).port);
    try {
      const service = surroundings.start({ PORTICO_DATA_DIR: dataDir, PORT: port });
      expect(await refusal(service)).toContain(`port ${port} is in use; stop what uses it or set PORT`);
      expect(postgresPid(dataDir)).toBeUndefined();
      const metrics = surroundings.start({ PORTICO_DATA_DIR: dataDir, PORTICO_METRICS_PORT: port });
      expect(await refusal(metrics)).toContain(`port ${port} is in use; stop what uses it or set PORTICO_METRICS_PORT`);
      expect(postgresPid(dataDir)).toBeUndefined();
    } finally {
      other.close();
    }
  });

  it('notices that only the IPv6 address of localhost is taken', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '::1', resolve));
    const port = String((other.address() as { port: number }).port);
    const { url } = await database();
    try {
      const running = surroundings.start({
        PORTICO_DATA_DIR: await surroundings.directory(),
        DATABASE_URL: url,
        PORT: port,
      });
      expect(await refusal(running)).toContain(`port ${port} is in use`);
    } finally {
      other.close();
    }
  });

  it('names the address that this machine does not have', async () => {
    const { url } = await database();
    const running = surroundings.start({
      PORTICO_DATA_DIR: await surroundings.directory(),
      DATABASE_URL: url,
      HOST: '192.0.2.1',
    });
    expect(await refusal(running)).toContain('192.0.2.1 is not an address of this machine; set HOST');
  });

  it('names a directory that cannot be written', async () => {
    const directory = await surroundings.directory();
    writeFileSync(join(directory, 'file'), '');
    const data = surroundings.start({ PORTICO_DATA_DIR: join(directory, 'file/data') });
    expect(await refusal(data)).toContain(`The data directory ${join(directory, 'file/data')} cannot be written`);
    const { url } = await database();
    const files = surroundings.start({
      PORTICO_DATA_DIR: directory,
      DATABASE_URL: url,
      PORTICO_FILES_DIR: '/proc/portico-files',
    });
    expect(await refusal(files)).toContain('/proc/portico-files');
  });

  it('says what is wrong with an external database, and never its password', async () => {
    const { url, owner } = await database();
    const closed = createServer();
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    const port = (closed.address() as { port: number }).port;
    await new Promise((resolve) => closed.close(resolve));
    const dataDir = await surroundings.directory();
    const cases: [string, RegExp][] = [
      [`postgres://owner:topsecret@127.0.0.1:${port}/portico`, /127\.0\.0\.1:\d+ cannot be reached: .*ECONNREFUSED/],
      ['postgres://owner:topsecret@nowhere.invalid/portico', /nowhere\.invalid:5432 cannot be reached/],
      ['postgres://owner:topsecret@[::bad/portico', /DATABASE_URL cannot be used/],
      [url.replace(/@\/\w+\?/, '@/not_there?'), /database "not_there" does not exist/],
    ];
    for (const [given, expected] of cases) {
      const sentence = await refusal(
        surroundings.start({ PORTICO_DATA_DIR: dataDir, DATABASE_URL: given, PORTICO_DATABASE_WAIT_SECONDS: '0' }),
      );
      expect(sentence).toMatch(expected);
      expect(sentence).not.toContain('topsecret');
      expect(sentence).not.toContain(owner.password as string);
    }
  });

  it('says which right the owner of an external database lacks', async () => {
    const { url, owner } = await surroundings.database();
    await asClient(administrator(), (client) => client.query(`ALTER ROLE ${owner.user} NOCREATEROLE`));
    const running = surroundings.start({ PORTICO_DATA_DIR: await surroundings.directory(), DATABASE_URL: url });
    expect(await refusal(running)).toMatch(/permission denied.*must name the owner of the database, with CREATEROLE/);
  });

  it('keeps its hands off the owner and off superusers', async () => {
    const { url, owner } = await database();
    const cases: [string, string][] = [
      [owner.user as string, 'which is the owner that DATABASE_URL names'],
      [administrator().user as string, 'which is a superuser'],
    ];
    for (const [role, why] of cases) {
      const running = surroundings.start({
        PORTICO_DATA_DIR: await surroundings.directory(),
        DATABASE_URL: url,
        PORTICO_DATABASE_ROLE: role,
      });
      expect(await refusal(running)).toContain(`PORTICO_DATABASE_ROLE names "${role}", ${why}`);
    }
    // With the password that it had.
    await asClient(owner, (client) => client.query('SELECT 1'));
  });

  it('refuses a database of a newer schema', async () => {
    const { url, owner } = await surroundings.database();
    await asClient(owner, async (client) => {
      await client.query(
        'CREATE TABLE portico_migrations (version integer, name text, checksum text, applied_at timestamptz)',
      );
      await client.query(
        `INSERT INTO portico_migrations VALUES (9998, 'the-first', 'x', now()), (9999, 'from-the-future', 'x', now())`,
      );
    });
    const running = surroundings.start({ PORTICO_DATA_DIR: await surroundings.directory(), DATABASE_URL: url });
    expect(await refusal(running)).toMatch(/schema 9999 \(from-the-future\), newer than this version/);
  });

  it('refuses a second server on one data directory', async () => {
    const dataDir = await surroundings.dataDirectory();
    const first = surroundings.start({ PORTICO_DATA_DIR: dataDir });
    const origin = await first.ready();
    const sentence = await refusal(surroundings.start({ PORTICO_DATA_DIR: dataDir }));
    expect(sentence).toContain(`Portico already runs with the data directory ${dataDir} (process ${first.pid})`);
    expect((await fetch(`${origin}/readyz`)).status).toBe(200);
    expect((await first.end()).code).toBe(0);
  });

  it('names variables and files that cannot be used', async () => {
    const directory = await surroundings.directory();
    mkdirSync(join(directory, 'tls'));
    writeFileSync(join(directory, 'tls/cert.pem'), 'no certificate');
    writeFileSync(join(directory, 'tls/key.pem'), 'no key');
    const cases: [Record<string, string>, RegExp][] = [
      [{ PORTICO_TRUSTED_PROXIES: 'nginx' }, /PORTICO_TRUSTED_PROXIES must be addresses/],
      [{ DATABASE_URL_FILE: '/nowhere/url' }, /DATABASE_URL_FILE cannot be read/],
      [
        { PORTICO_TLS_CERT_FILE: '/nowhere/cert.pem', PORTICO_TLS_KEY_FILE: '/nowhere/key.pem' },
        /PORTICO_TLS_CERT_FILE cannot be read/,
      ],
      [
        {
          PORTICO_TLS_CERT_FILE: join(directory, 'tls/cert.pem'),
          PORTICO_TLS_KEY_FILE: join(directory, 'tls/key.pem'),
        },
        /PORTICO_TLS_CERT_FILE and PORTICO_TLS_KEY_FILE cannot be used together/,
      ],
    ];
    for (const [env, expected] of cases) {
      const running = surroundings.start({ PORTICO_DATA_DIR: join(directory, 'data'), ...env });
      expect(await refusal(running)).toMatch(expected);
    }
  });

  it('says what to do where there is no room for the files of the demo, at each start', async () => {
    const [dataDir, files] = [await surroundings.dataDirectory(), await surroundings.directory()];
    const { url } = await surroundings.database();
    const variables = { PORTICO_DATA_DIR: dataDir, PORTICO_FILES_DIR: files, DATABASE_URL: url };
    const bytes = String(Number.MAX_SAFE_INTEGER);
    const noRoom = { ...variables, PORTICO_DEMO: 'true', PORTICO_MIN_FREE_BYTES: bytes };
    const first = surroundings.start(noRoom);
    const sentence = await refusal(first);
    for (const named of [files, 'PORTICO_MIN_FREE_BYTES', bytes, 'PORTICO_FILES_DIR', 'PORTICO_DEMO=false'])
      expect(sentence).toContain(named);
    expect(first.stdout.match(/created the database/g)).toHaveLength(1);
    expect(await refusal(surroundings.start(noRoom))).toBe(sentence);
  });

  it('says that it may open too few files', async () => {
    const { url } = await database();
    const limited = `ulimit -n 26 && exec '${process.execPath}' '${START}'`;
    const running = surroundings.run('sh', ['-c', limited], {
      PORTICO_DATA_DIR: await surroundings.directory(),
      DATABASE_URL: url,
      PORT: '0',
      PORTICO_DEMO: 'false',
    });
    expect(await refusal(running)).toContain('raise the limit (ulimit -n, LimitNOFILE of systemd)');
  });

  it('says which Node.js it needs', async () => {
    const older = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.19.0'}})`;
    const running = surroundings.run(process.execPath, ['--import', older, START], {});
    expect(await refusal(running)).toContain('Portico needs Node.js 24.2 or newer; this is 20.19.0');
  });
});
