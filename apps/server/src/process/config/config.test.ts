import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig, unknownVariables, variables } from './config.ts';

const guide = readFileSync(new URL('../../../../../docs/operating.md', import.meta.url), 'utf8');
const source = readFileSync(new URL('./config.ts', import.meta.url), 'utf8');

const S3 = {
  PORTICO_S3_BUCKET: 'files',
  PORTICO_S3_ACCESS_KEY_ID: 'id',
  PORTICO_S3_SECRET_ACCESS_KEY: 'a secret',
};

describe('configuration', () => {
  it('works with nothing set', () => {
    expect(readConfig({})).toMatchObject({
      port: 8080,
      databaseScope: 'connection',
      database: undefined,
      databaseWaitMs: 60_000,
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
    [{ PORTICO_S3_ENDPOINT: 'https://s3.example' }, 'PORTICO_S3_BUCKET'],
    [{ ...S3, PORTICO_S3_BUCKET: 'A bucket' }, 'PORTICO_S3_BUCKET'],
    [{ ...S3, PORTICO_S3_SECRET_ACCESS_KEY: '' }, 'PORTICO_S3_SECRET_ACCESS_KEY'],
    [{ ...S3, PORTICO_S3_ENDPOINT: 's3.example' }, 'PORTICO_S3_ENDPOINT'],
    [{ ...S3, PORTICO_S3_PUBLIC_ENDPOINT: 'https://s3.example/files' }, 'PORTICO_S3_PUBLIC_ENDPOINT'],
    [{ ...S3, PORTICO_S3_PREFIX: '../x/' }, 'PORTICO_S3_PREFIX'],
    [{ ...S3, PORTICO_S3_PREFIX: 'portal' }, 'PORTICO_S3_PREFIX'],
    [{ ...S3, PORTICO_MAX_UPLOAD_BYTES: '6000000000' }, 'PORTICO_MAX_UPLOAD_BYTES'],
    [{ PORTICO_PROVIDER_TOKENINFO_URL: 'provider.example' }, 'PORTICO_PROVIDER_TOKENINFO_URL'],
  ])('refuses %o with one sentence that names the variable', (env, name) => {
    expect(() => readConfig(env)).toThrow(ConfigError);
    expect(() => readConfig(env)).toThrow(name);
  });

  it('reads secrets from files', () => {
    const dir = mkdtempSync(join(tmpdir(), 'portico-config-'));
    writeFileSync(join(dir, 'url'), 'postgres://owner@db.example/portico\n');
    expect(readConfig({ DATABASE_URL_FILE: join(dir, 'url') }).database).toMatchObject({
      host: 'db.example',
      user: 'owner',
      database: 'portico',
    });
    rmSync(dir, { recursive: true });
  });

  it('takes an S3-compatible store, by one address or by two', () => {
    expect(readConfig({}).s3).toBeUndefined();
    expect(readConfig({ ...S3, PORTICO_S3_REGION: 'eu-south-1' }).s3).toEqual({
      bucket: 'files',
      endpoint: 'https://s3.eu-south-1.amazonaws.com',
      publicEndpoint: 'https://s3.eu-south-1.amazonaws.com',
      region: 'eu-south-1',
      accessKeyId: 'id',
      secretAccessKey: 'a secret',
      pathStyle: true,
      prefix: '',
    });
    const two = { PORTICO_S3_ENDPOINT: 'http://10.0.0.7:7480/', PORTICO_S3_PUBLIC_ENDPOINT: 'https://s3.example.org' };
    expect(
      readConfig({ ...S3, ...two, PORTICO_S3_PATH_STYLE: 'false', PORTICO_S3_PREFIX: 'portal/' }).s3,
    ).toMatchObject({
      endpoint: 'http://10.0.0.7:7480',
      publicEndpoint: 'https://s3.example.org',
      pathStyle: false,
      prefix: 'portal/',
    });
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
    const rows = [...guide.matchAll(/^\| `([A-Z][A-Z0-9_]+)` \|/gm)].map((match) => match[1]);
    expect(rows.sort()).toEqual(variables.map((variable) => variable.name).sort());
    const read = [...source.matchAll(/(?:read|number|choice|flag|required|endpoint)\('([A-Z0-9_]+)'/g)].map(
      (match) => match[1],
    );
    expect([...new Set(read)].sort()).toEqual(variables.map((variable) => variable.name).sort());
  });
});
