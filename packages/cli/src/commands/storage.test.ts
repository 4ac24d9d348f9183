import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';

const BIN = fileURLToPath(new URL('../../bin/portico.mjs', import.meta.url));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portico-storage-'));
});
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));

function check(env: Record<string, string>): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [BIN, 'admin', 'storage', 'check'],
      { env: { ...process.env, ...env } },
      (_error, out, err) => resolve({ code: child.exitCode ?? -1, out, err }),
    );
  });
}

it('says that a directory is all right, without a database', async () => {
  const { code, out, err } = await check({ PORTICO_FILES_DIR: join(folder, 'files') });
  expect([code, err], out).toEqual([0, '']);
  expect(out.trim().split('\n')).toHaveLength(6);
  for (const line of out.trim().split('\n')) expect(line).toMatch(/^ok {6}\w/);
});

it('says what fails, and what to do about it', async () => {
  const file = join(folder, 'a-file');
  await writeFile(file, '');
  await chmod(file, 0o600);
  const directory = await check({ PORTICO_FILES_DIR: join(file, 'files') });
  expect([directory.code, directory.err]).toEqual([1, 'portico: Failed checks: 1.\n']);
  expect(directory.out).toMatch(/^FAILED {2}open the directory .*\n {8}ENOTDIR: .*\n$/);
  const store = await check({
    PORTICO_S3_BUCKET: 'files',
    PORTICO_S3_ENDPOINT: 'http://127.0.0.1:9',
    PORTICO_S3_ACCESS_KEY_ID: 'the-id',
    PORTICO_S3_SECRET_ACCESS_KEY: 'the-secret',
  });
  expect(store.code).toBe(1);
  expect(store.out).toContain('ECONNREFUSED');
  expect(store.out + store.err).not.toContain('the-secret');
  const settings = await check({ PORTICO_S3_BUCKET: 'files' });
  expect([settings.code, settings.out]).toEqual([1, '']);
  expect(settings.err).toContain('PORTICO_S3_ACCESS_KEY_ID');
});
