/** A stop while clients write, with the database of its own: nothing is lost, and the log has nothing to warn of. */
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT, Surroundings, until } from './process.fixture.ts';

const surroundings = new Surroundings();
afterAll(() => surroundings.clean());

describe('a stop under load', () => {
  it('answers or refuses each request, and logs no warning of what it closed itself', async () => {
    const dataDir = await surroundings.dataDirectory();
    const running = surroundings.start({ PORTICO_DATA_DIR: dataDir, PORTICO_DRAIN_MS: '500' });
    const origin = await running.ready();
    const made = surroundings.run(
      process.execPath,
      [
        join(ROOT, 'packages/cli/bin/portico.mjs'),
        'admin',
        'tenant',
        'create',
        'acme',
        '--host',
        'localhost',
        '--admin-email',
        'a@example.org',
      ],
      { PORTICO_DATA_DIR: dataDir },
    );
    expect((await made.exited).code, made.stderr).toBe(0);
    const outcomes = new Map<string, number>();
    let going = true;
    const clients = Array.from({ length: 12 }, async () => {
      while (going) {
        // A sign-in that is refused asks the database for the key first.
        const outcome = await fetch(`${origin}/portal/api/core/auth/create-access-token-by-service-account`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ jwtAssertion: 'eyJhbGciOiJSUzUxMiIsImtpZCI6MX0.eyJpc3MiOjF9.AAAA' }),
        }).then(
          async (answer) => {
            await answer.text();
            return String(answer.status);
          },
          (error: Error) => (error.cause as { code?: string }).code ?? String(error.cause),
        );
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        if (outcome === 'ECONNREFUSED') await new Promise((resolve) => setTimeout(resolve, 10));
      }
    });
    await until('there is load', () => (outcomes.get('401') ?? 0) > 200);
    const { code } = await running.end('SIGTERM');
    going = false;
    await Promise.all(clients);
    expect(code).toBe(0);
    expect([...outcomes.keys()].sort()).toEqual(['401', 'ECONNREFUSED']);
    expect(running.log.filter((line) => Number(line['level']) >= 40)).toEqual([]);
    expect(running.stderr).toBe('');
  });
});
