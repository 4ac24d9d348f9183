import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.ts';
import { unknownVariables, variables } from './variables.ts';

const guide = readFileSync(new URL('../../../../../docs/operating/configure.md', import.meta.url), 'utf8');
const source = ['./config.ts', './backup.ts', './s3.ts']
  .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
  .join('');

const S3 = {
  PORTICO_S3_BUCKET: 'files',
  PORTICO_S3_ACCESS_KEY_ID: 'id',
  PORTICO_S3_SECRET_ACCESS_KEY: 'a secret',
};

const MAIL = { PORTICO_SMTP_URL: 'smtp://mail.example', PORTICO_MAIL_FROM: 'portal@acme.example' };

const KEY = Buffer.alloc(32, 7).toString('base64');

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
    [{ PORTICO_PROCESSES: '0' }, 'PORTICO_PROCESSES must be a whole number from 1 to 32'],
    [{ PORTICO_PROCESSES: '4', PORTICO_DATABASE_POOL: '3' }, 'PORTICO_PROCESSES may be at most PORTICO_DATABASE_POOL'],
    [{ PORTICO_FILES_ORIGIN: 'files.example.org' }, 'PORTICO_FILES_ORIGIN'],
    [{ PORTICO_FILES_ORIGIN: 'https://files.example.org/files' }, 'PORTICO_FILES_ORIGIN'],
    [{ DATABASE_URL: 'mysql://x' }, 'DATABASE_URL'],
    [{ PORTICO_TLS_CERT_FILE: '/a' }, 'PORTICO_TLS_KEY_FILE'],
    [{ DATABASE_URL_FILE: '/nowhere/at/all' }, 'DATABASE_URL_FILE'],
    [{ DATABASE_URL_FILE: '/dev/null' }, 'DATABASE_URL_FILE names an empty file'],
    [
      { ...S3, PORTICO_S3_ACCESS_KEY_ID: '', PORTICO_S3_ACCESS_KEY_ID_FILE: '/dev/null' },
      'PORTICO_S3_ACCESS_KEY_ID_FILE names an empty file',
    ],
    [{ PORTICO_TENANT_FILE_QUOTA: 'unlimited' }, 'PORTICO_TENANT_FILE_QUOTA must be a whole number from 0 to'],
    [{ PORTICO_TENANT_FILE_QUOTA: '-1' }, ', or none, not "-1"'],
    [{ PORTICO_CLAMAV_HOST: 'tcp://clam.example' }, 'PORTICO_CLAMAV_HOST'],
    [{ PORTICO_CLAMAV_HOST: 'clam.example:3310' }, 'PORTICO_CLAMAV_HOST'],
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
    [{ PORTICO_SMTP_URL: 'smtp://mail.example' }, 'PORTICO_MAIL_FROM'],
    [{ PORTICO_MAIL_REPLIES: 'replies+x@acme.example' }, 'PORTICO_MAIL_REPLIES'],
    [{ PORTICO_MAIL_REPLIES_IMAP: 'imaps://a:b@imap.example' }, 'PORTICO_MAIL_REPLIES'],
    [{ PORTICO_MAIL_REPLIES: 'r@acme.example', PORTICO_MAIL_REPLIES_IMAP: 'imaps://imap.example' }, 'REPLIES_IMAP'],
    [{ PORTICO_MAIL_FROM: 'portal@acme.example' }, 'PORTICO_SMTP_URL'],
    [{ ...MAIL, PORTICO_MAIL_FROM: 'the portal' }, 'PORTICO_MAIL_FROM'],
    [{ ...MAIL, PORTICO_MAIL_FROM: 'a@b.example, c@d.example' }, 'PORTICO_MAIL_FROM'],
    [{ ...MAIL, PORTICO_SMTP_URL: 'mail.example:25' }, 'PORTICO_SMTP_URL'],
    [{ ...MAIL, PORTICO_SMTP_URL: 'https://mail.example' }, 'PORTICO_SMTP_URL'],
    [{ ...MAIL, PORTICO_SMTP_URL: 'smtp://mail.example/path' }, 'PORTICO_SMTP_URL'],
    [{ ...MAIL, PORTICO_SMTP_URL: 'smtp://mail.example?pool=true' }, 'PORTICO_SMTP_URL'],
    [{ ...MAIL, PORTICO_SMTP_URL: 'smtp://user@mail.example' }, 'PORTICO_SMTP_URL'],
    [{ ...MAIL, PORTICO_SMTP_URL: 'smtp://user:100%@mail.example' }, 'PORTICO_SMTP_URL'],
    [{ ...MAIL, PORTICO_SMTP_URL: 'smtp://user:pass@mail.example?tls=off' }, 'PORTICO_SMTP_URL'],
    [{ ...MAIL, PORTICO_SMTP_URL: 'smtps://mail.example?tls=off' }, 'PORTICO_SMTP_URL'],
    [{ ...MAIL, PORTICO_MAIL_PER_MINUTE: '0' }, 'PORTICO_MAIL_PER_MINUTE'],
    [{ DATABASE_URL: 'postgres://owner@db.example/portico' }, 'PORTICO_ENCRYPTION_KEYS is missing'],
    [{ PORTICO_ENCRYPTION_KEYS: `${KEY},topsecret` }, 'PORTICO_ENCRYPTION_KEYS cannot be used: key 2 is not 32 bytes'],
    [{ PORTICO_ENCRYPTION_KEYS: `${KEY},${KEY}` }, 'PORTICO_ENCRYPTION_KEYS cannot be used: the encryption key'],
  ])('refuses %o with one sentence that names the variable', (env, name) => {
    expect(() => readConfig(env)).toThrow(ConfigError);
    expect(() => readConfig(env)).toThrow(name);
    expect(() => readConfig(env)).not.toThrow('topsecret');
  });

  it('reads secrets from files', () => {
    const dir = mkdtempSync(join(tmpdir(), 'portico-config-'));
    writeFileSync(join(dir, 'url'), 'postgres://owner@db.example/portico\n');
    writeFileSync(join(dir, 'keys'), `${Buffer.alloc(32, 8).toString('base64')}\n${KEY}\n`);
    const config = readConfig({
      DATABASE_URL_FILE: join(dir, 'url'),
      PORTICO_ENCRYPTION_KEYS_FILE: join(dir, 'keys'),
    });
    expect(config.encryptionKeys).toEqual([Buffer.alloc(32, 8), Buffer.alloc(32, 7)]);
    expect(config.database).toMatchObject({
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

  it('takes a mail server, with TLS unless it is turned off', () => {
    expect(readConfig({}).mail).toBeUndefined();
    expect(readConfig(MAIL).mail).toEqual({
      server: { host: 'mail.example', port: 587, tls: 'starttls', credentials: undefined, caFile: undefined },
      from: { name: '', address: 'portal@acme.example' },
    });
    const url = 'smtps://ada%40acme.example:p%3Aw%25@[2001:db8::1]?ca=/etc/ca.pem';
    expect(readConfig({ PORTICO_SMTP_URL: url, PORTICO_MAIL_FROM: '"The portal" <portal@acme.example>' }).mail).toEqual(
      {
        server: {
          host: '2001:db8::1',
          port: 465,
          tls: 'implicit',
          credentials: { user: 'ada@acme.example', password: 'p:w%' },
          caFile: '/etc/ca.pem',
        },
        from: { name: 'The portal', address: 'portal@acme.example' },
      },
    );
    const off = readConfig({ ...MAIL, PORTICO_SMTP_URL: 'smtp://localhost?tls=off' }).mail?.server;
    expect(off).toMatchObject({ host: 'localhost', port: 25, tls: 'off' });
  });

  it('repeats no password of a mail server that cannot be used', () => {
    for (const url of [
      'smtp://user:secret@',
      'smtp://user:secret@h/path',
      'smtp://user:secret@h?tls=off',
      'x://u:secret@h',
    ]) {
      expect(() => readConfig({ ...MAIL, PORTICO_SMTP_URL: url })).toThrow(/^(?!.*secret).*PORTICO_SMTP_URL/);
    }
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
      PORTICO_FOO: 'x',
      PORTICO_TEST_FULL: '1',
    };
    expect(unknownVariables(env)).toEqual([
      { name: 'PORTICO_COFFEE_MACHINE_TEMPERATURE', meant: undefined },
      { name: 'PORTICO_DATADIR', meant: 'PORTICO_DATA_DIR' },
      { name: 'PORTICO_DATA_DIR_FILE', meant: 'PORTICO_DATA_DIR' },
      { name: 'PORTICO_FOO', meant: undefined },
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
