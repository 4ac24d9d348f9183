/**
 * A start waits for a database that is away, names the reason, and does not wait after errors that
 * no waiting mends.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { TcpProxy } from '../support/index.ts';
import { administrator, asClient, Surroundings, until } from './process.fixture.ts';

const surroundings = new Surroundings();
afterAll(() => surroundings.clean());

describe('a start on an external database', { timeout: 240_000 }, () => {
  it('waits while it cannot be reached, then while it takes no writes, and says so', async () => {
    const { url, owner } = await surroundings.database();
    const proxy = await TcpProxy.start(owner);
    await proxy.set('refuse');
    const { database } = owner;
    try {
      const running = surroundings.start({
        PORTICO_DATA_DIR: await surroundings.directory(),
        DATABASE_URL: url.replace(/@\/(\w+)\?.*$/, `@127.0.0.1:${proxy.port}/$1`),
      });
      await until('it waits', () =>
        /waiting for the database: .* cannot be reached: .*ECONNREFUSED/.test(running.stdout),
      );
      await asClient(administrator(), (client) =>
        client.query(`ALTER DATABASE ${database} SET default_transaction_read_only = on`),
      );
      await proxy.set('open');
      await until('it waits for writes', () =>
        /waiting for the database: .* takes no writes: it is a standby/.test(running.stdout),
      );
      await asClient(administrator(), (client) =>
        client.query(`ALTER DATABASE ${database} RESET default_transaction_read_only`),
      );
      const origin = await running.ready();
      expect((await fetch(`${origin}/readyz`)).status).toBe(200);
      // Steps before the wait are reported once, not at every attempt.
      expect(running.stdout.match(/cannot be reached/g)?.length).toBeLessThanOrEqual(3);
      expect((await running.end()).code).toBe(0);
    } finally {
      await proxy.stop();
    }
  });

  it('ends at once for a wrong password or a name that is not there', async () => {
    const { url, owner } = await surroundings.database();
    const cases: [string, RegExp][] = [
      [url.replace(/@\/\w+\?/, '@/not_there?'), /database "not_there" does not exist/],
      [url.replace(String(owner.password), 'wrong'), /password authentication failed/],
    ];
    for (const [given, sentence] of cases) {
      const running = surroundings.start({ PORTICO_DATA_DIR: await surroundings.directory(), DATABASE_URL: given });
      expect((await running.exited).code).toBe(1);
      expect(running.stderr).toMatch(sentence);
      expect(running.stdout).not.toContain('waiting for the database');
    }
  });

  it('is not held by the wait when it is told to stop', async () => {
    const running = surroundings.start({
      PORTICO_DATA_DIR: await surroundings.directory(),
      DATABASE_URL: 'postgres://owner@nowhere.invalid/portico',
    });
    await until('it waits', () => running.stdout.includes('waiting for the database'));
    expect((await running.end()).code).toBe(0);
  });
});
