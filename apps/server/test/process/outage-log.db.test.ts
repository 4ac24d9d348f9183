/** The log while the database is away: one line a second with a count, whatever clients ask. */
import { generateKeyPairSync } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { withOperator } from '../../src/process/operator.ts';
import { TEST_ENCRYPTION_KEY } from '../support/encryption.ts';
import { TcpProxy } from '../support/index.ts';
import { assertion, Surroundings } from './process.fixture.ts';

const surroundings = new Surroundings();
afterAll(() => surroundings.clean());

const SIGN_IN = '/portal/api/core/auth/create-access-token-by-service-account';

it('an outage of the database is one line a second that counts, without stacks', { timeout: 240_000 }, async () => {
  const { url, owner } = await surroundings.database();
  const env = {
    DATABASE_URL: url,
    PORTICO_DATA_DIR: await surroundings.directory(),
    PORTICO_DEMO: 'false',
    PORTICO_ENCRYPTION_KEYS: TEST_ENCRYPTION_KEY,
  };
  await withOperator(
    (session) => session.createTenant({ name: 'acme', hosts: ['acme.example'], adminEmail: 'ada@acme.example' }),
    env,
  );
  const proxy = await TcpProxy.start(owner);
  try {
    const running = surroundings.start({
      ...env,
      DATABASE_URL: url.replace(/@\/(\w+)\?.*$/, `@127.0.0.1:${proxy.port}/$1`),
      PORTICO_LOG_FORMAT: 'json',
    });
    const origin = await running.ready();
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2_048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    const body = JSON.stringify({
      jwtAssertion: assertion({ private_key_id: 1, private_key: privateKey, client_id: 1 }),
    });
    const ask = async () =>
      (await fetch(`${origin}${SIGN_IN}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body }))
        .status;
    expect(await ask()).toBe(401);
    const before = running.log.length;
    await proxy.set('refuse');
    const told = () => running.log.slice(before).filter((line) => Number(line['level']) >= 40);
    const answers: number[] = [];
    while (told().length < 4) {
      answers.push(...(await Promise.all(Array.from({ length: 10 }, ask))));
      await sleep(50);
    }
    expect(new Set(answers)).toEqual(new Set([503]));
    // The process tells the rest when it ends.
    expect((await running.end()).code).toBe(0);
    const lines = told();
    expect(lines.filter((line) => line['outage'] !== true)).toEqual([]);
    // A line at once, one a second, and one at the end.
    const times = lines.slice(0, -1).map((line) => new Date(line['time'] as string | number).getTime());
    const pauses = times.slice(1).map((time, index) => time - times[index]!);
    expect(pauses.filter((pause) => !(pause > 900))).toEqual([]);
    const counted = lines.reduce((sum, line) => sum + Number(line['count']), 0);
    expect(counted).toBeGreaterThanOrEqual(answers.length);
    expect(JSON.stringify(lines)).not.toMatch(/"stack"|\bat \S+ \(/);
  } finally {
    await proxy.stop();
  }
});
