import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigurationError, DiskTokenCache } from './node.ts';
import { tokenKey } from './token-cache.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portico-cache-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const token = { accessToken: 'a.b.c', expiresAt: 12 };

describe('the token cache on disk', () => {
  it('keeps a token for the next process, in a file and folder that only their owner reads', async () => {
    const directory = join(folder, 'portico', 'tokens');
    const key = await tokenKey('https://a.example/portal/api/external/v2', 'account_3_1');
    await new DiskTokenCache(directory).set(key, token);
    expect(await new DiskTokenCache(directory).get(key)).toEqual(token);
    const [file] = await readdir(directory);
    expect(file).toMatch(/^[0-9a-f]{64}-account_3_1\.json$/);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    expect((await stat(join(directory, file as string))).mode & 0o777).toBe(0o600);
    await new DiskTokenCache(directory).delete(key);
    expect(await new DiskTokenCache(directory).get(key)).toBeUndefined();
  });

  it('has another key for another base, and does not take a file that was renamed to it', async () => {
    const directory = join(folder, 'tokens');
    const [a, b] = await Promise.all([tokenKey('https://a.example', 'x'), tokenKey('https://b.example', 'x')]);
    const cache = new DiskTokenCache(directory);
    await cache.set(a, token);
    expect(await cache.get(b)).toBeUndefined();
    await writeFile(join(directory, `${b}.json`), await readFile(join(directory, `${a}.json`)), { mode: 0o600 });
    expect(await cache.get(b)).toBeUndefined();
  });

  it('refuses a folder or file that is open to others, or is a link', async () => {
    const open = join(folder, 'open');
    await mkdir(open);
    await chmod(open, 0o755);
    await expect(new DiskTokenCache(open).get('k')).rejects.toBeInstanceOf(ConfigurationError);
    await expect(new DiskTokenCache(open).set('k', token)).rejects.toThrow('chmod 700');

    const directory = join(folder, 'tokens');
    const cache = new DiskTokenCache(directory);
    await cache.set('k', token);
    await chmod(join(directory, 'k.json'), 0o640);
    await expect(cache.get('k')).rejects.toThrow('chmod 600');
    await expect(cache.set('k', token)).rejects.toBeInstanceOf(ConfigurationError);
    await symlink(join(directory, 'k.json'), join(directory, 'l.json'));
    await expect(cache.get('l')).rejects.toThrow('is not a file');
    await symlink(directory, join(folder, 'link'));
    await expect(new DiskTokenCache(join(folder, 'link')).get('k')).rejects.toThrow('is not a directory');
  });

  it('signs in again when a file is half written', async () => {
    const cache = new DiskTokenCache(join(folder, 'tokens'));
    await cache.set('k', token);
    await writeFile(join(folder, 'tokens', 'k.json'), '{"key":');
    expect(await cache.get('k')).toBeUndefined();
  });
});
