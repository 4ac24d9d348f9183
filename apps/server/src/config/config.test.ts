import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig, unknownVariables, variables } from './config.ts';

const guide = readFileSync(new URL('../../../../docs/operating.md', import.meta.url), 'utf8');
const source = readFileSync(new URL('./config.ts', import.meta.url), 'utf8');

describe('configuration', () => {
  it('works with nothing set', () => {
    expect(readConfig({})).toMatchObject({
      port: 8080,
      databaseScope: 'connection',
      databaseUrl: undefined,
      demo: true,
    });
  });

  it.each([
    [{ PORT: 'http' }, 'PORT'],
    [{ PORT: '70000' }, 'PORT'],
    [{ PORTICO_DATABASE_SCOPE: 'session' }, 'PORTICO_DATABASE_SCOPE'],
    [{ PORTICO_FILES_ORIGIN: 'files.example.org' }, 'PORTICO_FILES_ORIGIN'],
    [{ PORTICO_FILES_ORIGIN: 'https://files.example.org/files' }, 'PORTICO_FILES_ORIGIN'],
    [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL'],
    [{ PORTICO_TLS_CERT_FILE: '/a' }, 'PORTICO_TLS_KEY_FILE'],
    [{ DATABASE_URL_FILE: '/nowhere/at/all' }, 'DATABASE_URL_FILE'],
    [{ PORTICO_DEMO: 'yes' }, 'PORTICO_DEMO'],
    [{ PORTICO_TRUSTED_PROXIES: '10.0.0.1, proxy.example' }, 'PORTICO_TRUSTED_PROXIES'],
    [{ PORTICO_TRUSTED_PROXIES: '10.0.0.0/33' }, 'PORTICO_TRUSTED_PROXIES'],
    [{ PORTICO_PROVIDER_CLIENT_ID: 'portal' }, 'PORTICO_PROVIDER_CLIENT_SECRET'],
    [{ PORTICO_PROVIDER_TOKENINFO_URL: 'provider.example' }, 'PORTICO_PROVIDER_TOKENINFO_URL'],
  ])('refuses %o with one sentence that names the variable', (env, name) => {
    expect(() => readConfig(env)).toThrow(ConfigError);
    expect(() => readConfig(env)).toThrow(name);
  });

  it('reads secrets from files', () => {
    const dir = mkdtempSync(join(tmpdir(), 'portico-config-'));
    writeFileSync(join(dir, 'url'), 'postgres://owner@db.example/portico\n');
    expect(readConfig({ DATABASE_URL_FILE: join(dir, 'url') }).databaseUrl).toBe('postgres://owner@db.example/portico');
    rmSync(dir, { recursive: true });
  });

  it('takes addresses, networks and named ranges as trusted proxies', () => {
    const given = '127.0.0.1, ::1,10.0.0.0/8,fd00::/8,loopback';
    expect(readConfig({ PORTICO_TRUSTED_PROXIES: given }).trustedProxies).toEqual([
      '127.0.0.1',
      '::1',
      '10.0.0.0/8',
      'fd00::/8',
      'loopback',
    ]);
  });

  it('notices variables that nobody reads, and says which one may be meant', () => {
    const env = {
      PORT: '1',
      PORTICO_DATADIR: 'x',
      PORTICO_DATA_DIR_FILE: 'x',
      PORTICO_PROVIDER_CLIENT_SECRET_FILE: 'x',
      PORTICO_COFFEE_MACHINE_TEMPERATURE: '93',
      PORTICO_TEST_FULL: '1',
    };
    expect(unknownVariables(env)).toEqual([
      { name: 'PORTICO_COFFEE_MACHINE_TEMPERATURE', meant: undefined },
      { name: 'PORTICO_DATADIR', meant: 'PORTICO_DATA_DIR' },
      { name: 'PORTICO_DATA_DIR_FILE', meant: 'PORTICO_DATA_DIR' },
    ]);
  });

  it('is documented: the guide for operators has a row for every variable, and no other', () => {
    const rows = [...guide.matchAll(/^\| `([A-Z][A-Z_]+)` \|/gm)].map((match) => match[1]);
    expect(rows.sort()).toEqual(variables.map((variable) => variable.name).sort());
    const read = [...source.matchAll(/(?:read|number|choice|flag)\('([A-Z_]+)'/g)].map((match) => match[1]);
    expect([...new Set(read)].sort()).toEqual(variables.map((variable) => variable.name).sort());
  });
});
