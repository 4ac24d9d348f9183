import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openDirectoryStorage } from './directory-driver.ts';
import { describeStorage } from './storage-suite.fixture.ts';

const roots: string[] = [];
async function newRoot(): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'portico-files-'));
  roots.push(root);
  return root;
}

afterAll(async () => {
  for (const root of roots) await rm(root, { recursive: true, force: true });
});

describeStorage('directory', async () => {
  const root = await newRoot();
  return {
    storage: await openDirectoryStorage(root),
    sharesEqual: true,
    leftOvers: async () =>
      (await readdir(join(root, 'incoming'))).length + (await readdir(join(root, 'removed'))).length,
  };
});

async function* one(data: Buffer): AsyncIterable<Buffer> {
  yield data;
}

describe('directory of files', () => {
  it('names files by tenant and content, readable by their owner alone', async () => {
    const root = await newRoot();
    const storage = await openDirectoryStorage(root);
    const received = await storage.receive(12, one(Buffer.from('abc')), { maxBytes: 3 });
    await received.publish();
    const sha256 = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
    const path = join(root, 'tenants', '12', 'ba', sha256);
    expect(await readFile(path, 'utf8')).toBe('abc');
    if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('puts a fresh file back when it was replaced between the look and the removal', async () => {
    const root = await newRoot();
    const storage = await openDirectoryStorage(root);
    const data = randomBytes(100);
    const first = await storage.receive(1, one(data), { maxBytes: 100 });
    await first.publish();
    const path = join(root, 'tenants', ...first.storageKey.split('/'));
    const old = new Date(Date.now() - 7 * 86_400_000);
    for (let round = 0; round < 100; round++) {
      await utimes(path, old, old);
      await Promise.all([
        storage.deleteOlderThan(first.storageKey, Date.now() - 86_400_000),
        (async () => {
          const again = await storage.receive(1, one(data), { maxBytes: 100 });
          await again.publish();
        })(),
      ]);
      expect((await readFile(path)).equals(data)).toBe(true);
    }
  });

  it('removes at start what processes that died have left, and nothing else', async () => {
    const root = await newRoot();
    await openDirectoryStorage(root);
    const host = hostname().replaceAll(/[^A-Za-z0-9.]/g, '_');
    const long = new Date(Date.now() - 3_600_000);
    const names = {
      dead: `${host}-999999999-${'a'.repeat(24)}`,
      justDied: `${host}-999999999-${'b'.repeat(24)}`,
      living: `${host}-${process.pid}-${'c'.repeat(24)}`,
      elsewhere: `another.host-999999999-${'d'.repeat(24)}`,
    };
    for (const [which, name] of Object.entries(names)) {
      await writeFile(join(root, 'incoming', name), 'part of a file');
      if (which !== 'justDied') await utimes(join(root, 'incoming', name), long, long);
    }
    const storage = await openDirectoryStorage(root);
    expect((await readdir(join(root, 'incoming'))).sort()).toEqual(
      [names.justDied, names.living, names.elsewhere].sort(),
    );
    expect(await storage.sweep(Date.now() - 60_000)).toBe(2);
    expect(await readdir(join(root, 'incoming'))).toEqual([names.justDied]);
  });

  it('puts back what a process that died had taken away', async () => {
    const root = await newRoot();
    const storage = await openDirectoryStorage(root);
    const received = await storage.receive(5, one(Buffer.from('x')), { maxBytes: 1 });
    await received.publish();
    const [, , sha256] = received.storageKey.split('/');
    const path = join(root, 'tenants', ...received.storageKey.split('/'));
    await rename(path, join(root, 'removed', `5-${sha256}-${'a'.repeat(24)}`));
    expect(await storage.sweep(Date.now() - 60_000)).toBe(0);
    expect(await storage.sweep(Date.now() + 60_000)).toBe(1);
    expect(await readFile(path, 'utf8')).toBe('x');
    expect(await readdir(join(root, 'removed'))).toEqual([]);
  });

  it('goes on when an operator removes its empty directories', async () => {
    const root = await newRoot();
    const storage = await openDirectoryStorage(root);
    const first = await storage.receive(5, one(Buffer.from('x')), { maxBytes: 1 });
    await first.publish();
    await rm(join(root, 'tenants', '5'), { recursive: true });
    const second = await storage.receive(5, one(Buffer.from('x')), { maxBytes: 1 });
    await second.publish();
    expect(await storage.stat(second.storageKey)).toMatchObject({ size: 1 });
  });
});
