import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSealingKeyFile } from './key-file.ts';

let directory: string;
let file: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'portico-keys-'));
  file = join(directory, 'sealing-keys');
});

afterEach(() => rm(directory, { recursive: true }));

test('the first opening makes a key that only the owner reads, later ones find it', async () => {
  const [key, ...others] = await openSealingKeyFile(file);
  expect(key).toHaveLength(32);
  expect(others).toEqual([]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await openSealingKeyFile(file)).toEqual([key]);
  expect(await readdir(directory)).toEqual(['sealing-keys']);
});

test('of several openings at once, all get the same key', async () => {
  const opened = await Promise.all(Array.from({ length: 20 }, () => openSealingKeyFile(file)));
  expect(new Set(opened.map(([key]) => key?.toString('base64'))).size).toBe(1);
  expect(await openSealingKeyFile(file)).toEqual(opened[0]);
  expect(await readdir(directory)).toEqual(['sealing-keys']);
});

test('several keys of a file keep their order', async () => {
  const keys = [randomBytes(32), randomBytes(32)];
  await writeFile(file, keys.map((key) => `${key.toString('base64')}\n`).join(''));
  expect(await openSealingKeyFile(file)).toEqual(keys);
});

test.each(['', 'no key\n'])('a file that holds %j is refused and left as it is', async (text) => {
  await writeFile(file, text);
  await expect(openSealingKeyFile(file)).rejects.toThrow(RangeError);
  expect(await readFile(file, 'utf8')).toBe(text);
});

test('a directory that does not exist is an error of the file system', async () => {
  await expect(openSealingKeyFile(join(directory, 'absent', 'sealing-keys'))).rejects.toThrow('ENOENT');
});
