import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestS3, strictS3, type TestS3 } from '@portico/platform/files/s3/s3rver.fixture';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkStorage, type StorageCheck } from './operator.ts';

async function all(env: Record<string, string>): Promise<StorageCheck[]> {
  const checks: StorageCheck[] = [];
  for await (const check of checkStorage(env)) checks.push(check);
  return checks;
}
const failed = (checks: StorageCheck[]) => checks.filter((check) => !check.ok);

describe('check of the storage', () => {
  let root: string;
  let s3: TestS3;

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'portico-check-'));
    s3 = await startTestS3('x/');
  });
  afterAll(async () => {
    await s3.close();
    await rm(root, { recursive: true, force: true });
  });

  it('finds nothing wrong with a directory, and leaves nothing in it', async () => {
    const checks = await all({ PORTICO_FILES_DIR: join(root, 'files') });
    expect(failed(checks)).toEqual([]);
    expect(checks.map((check) => check.tried)).toEqual([
      `open the directory ${join(root, 'files')}`,
      'write a file',
      'read it',
      'read a part of it',
      'list files',
      'remove it',
    ]);
    const left = await readdir(join(root, 'files'), { recursive: true, withFileTypes: true });
    expect(left.filter((entry) => entry.isFile())).toEqual([]);
  });

  it('tells what a store does not keep to', async () => {
    const checks = await all({ ...s3.env });
    expect(checks).toHaveLength(18);
    expect(failed(checks).map((check) => check.tried)).toEqual(
      strictS3
        ? []
        : // Known defects of s3rver.
          [
            'refuse a file that is too large',
            'refuse a form that was altered',
            'refuse a form for another name',
            'refuse a form that has expired',
            'refuse a link that was altered',
            'refuse to be read without a link',
          ],
    );
    for (const { problem } of failed(checks)) expect(problem).toContain('Do not use it.');
  });

  it('tells what does not work and what to do about it', async () => {
    const inner = await all({ ...s3.env, PORTICO_S3_BUCKET: 'there-is-none' });
    expect(inner.map((check) => [check.tried, check.ok])).toEqual([
      [`read the settings of the bucket there-is-none at ${s3.options.endpoint}`, true],
      ['write a file', false],
    ]);
    expect(inner[1]!.problem).toMatch(/^The bucket does not exist: .*PORTICO_S3_BUCKET.*NoSuchBucket/);
    expect(inner[1]!.problem).not.toContain('s3:PutObject');
    const down = await all({ ...s3.env, PORTICO_S3_ENDPOINT: 'http://127.0.0.1:9' });
    expect(failed(down)).toHaveLength(1);
    expect(failed(down)[0]!.problem).toMatch(/^The store does not respond: .*PORTICO_S3_ENDPOINT.*ECONNREFUSED.*\.$/);
    // As stores answer that know the key, or its secret, to be another one.
    for (const code of ['InvalidAccessKeyId', 'SignatureDoesNotMatch']) {
      const refusing = createServer((request, response) => {
        request.resume();
        response.writeHead(403, { 'Content-Type': 'application/xml' });
        response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>refused</Message></Error>`);
      });
      await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve));
      const { port } = refusing.address() as { port: number };
      const keys = failed(await all({ ...s3.env, PORTICO_S3_ENDPOINT: `http://127.0.0.1:${port}` }));
      refusing.close();
      refusing.closeAllConnections();
      expect(keys[0]!.problem).toMatch(new RegExp(`^The keys are invalid: .*PORTICO_S3_SECRET_ACCESS_KEY.*${code}`));
    }
    const outer = failed(await all({ ...s3.env, PORTICO_S3_PUBLIC_ENDPOINT: 'http://127.0.0.1:9' }));
    expect(outer).toHaveLength(1);
    expect(outer[0]!.tried).toBe('send a form to http://127.0.0.1:9');
    expect(outer[0]!.problem).toContain('PORTICO_S3_PUBLIC_ENDPOINT');
  });

  it('ends where a directory cannot be made', async () => {
    // Node's own recursive form never returns here.
    const [check] = failed(await all({ PORTICO_FILES_DIR: '/proc/portico' }));
    expect(check).toMatchObject({
      tried: 'open the directory /proc/portico',
      problem: expect.stringContaining('ENOENT'),
    });
  });
});
