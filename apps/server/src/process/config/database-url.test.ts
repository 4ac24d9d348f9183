/** Parts of a database address that are followed, and parts that are rejected. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';
import { DATABASE_URL_PARAMETERS, parseDatabaseUrl } from './database-url.ts';

test('follows the parts of an address and its parameters', () => {
  expect(
    parseDatabaseUrl(
      'postgres://owner:a%20b@db.internal:5433/portico?sslmode=no-verify&application_name=p1&connect_timeout=3&options=-c%20lock_timeout%3D5s',
    ),
  ).toEqual({
    host: 'db.internal',
    port: 5433,
    user: 'owner',
    password: 'a b',
    database: 'portico',
    ssl: { rejectUnauthorized: false },
    application_name: 'p1',
    connectionTimeoutMillis: 3_000,
    options: '-c lock_timeout=5s',
  });
  expect(parseDatabaseUrl('postgres://owner:secret@/portico?host=%2Fvar%2Frun%2Fpostgresql&port=5432')).toMatchObject({
    host: '/var/run/postgresql',
    port: 5432,
  });
});

test.each([
  ['postgres://o:topsecret@one:5432,two:5432/p', /DATABASE_URL names several hosts/],
  ['postgres://o:topsecret@one,two/p', /DATABASE_URL names several hosts/],
  ['postgres://o:topsecret@/p?host=/one,/two', /DATABASE_URL names several hosts/],
  [
    'postgres://o:topsecret@h/p?target_session_attrs=read-write',
    /the parameter target_session_attrs, which is not followed/,
  ],
  [
    'postgres://o:topsecret@h/p?keepalives=1&sslmode=disable&sslcrl=/x',
    /the parameters keepalives, sslcrl, which are not followed; possible are sslmode/,
  ],
  ['postgres://o:topsecret@h/p?sslmode=allow', /has sslmode=allow; possible are disable/],
  ['postgres://o:topsecret@h/p?connect_timeout=0', /has connect_timeout=0; it must be a whole number/],
  ['postgres://o:topsecret@[::bad/p', /DATABASE_URL cannot be used: it is not a valid address/],
])('refuses %s with a sentence', (url, sentence) => {
  let message = '';
  try {
    readConfig({ DATABASE_URL: url });
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    message = (error as Error).message;
  }
  expect(message).toMatch(sentence);
  expect(message).not.toContain('topsecret');
});

test('every parameter stands in the manual', () => {
  const manual = readFileSync(new URL('../../../../../docs/operating/grow.md', import.meta.url), 'utf8');
  for (const name of DATABASE_URL_PARAMETERS) expect(manual).toContain(`\`${name}\``);
});
