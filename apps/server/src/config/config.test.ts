import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig, variables } from './config.ts';

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
    [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL'],
    [{ PORTICO_TLS_CERT_FILE: '/a' }, 'PORTICO_TLS_KEY_FILE'],
    [{ DATABASE_URL_FILE: '/nowhere/at/all' }, 'DATABASE_URL_FILE'],
    [{ PORTICO_DEMO: 'yes' }, 'PORTICO_DEMO'],
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

  it('is documented: the guide for operators has a row for every variable, and no other', () => {
    const rows = [...guide.matchAll(/^\| `([A-Z][A-Z_]+)` \|/gm)].map((match) => match[1]);
    expect(rows.sort()).toEqual(variables.map((variable) => variable.name).sort());
    const read = [...source.matchAll(/(?:read|number|choice|flag)\('([A-Z_]+)'/g)].map((match) => match[1]);
    expect([...new Set(read)].sort()).toEqual(variables.map((variable) => variable.name).sort());
  });
});
