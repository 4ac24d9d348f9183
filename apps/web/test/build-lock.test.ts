import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { takeLock } from '../build-lock.ts';

let place: string;
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'portico-build-'));
});
afterAll(() => rm(place, { recursive: true }));

it('takes over what a process left that was stopped in the middle of a build', async () => {
  const lock = join(place, 'left');
  await mkdir(lock);
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  await writeFile(join(lock, 'holder'), `${hostname()} ${pid}`);
  let waits = 0;
  await takeLock(lock, () => waits++);
  expect(waits).toBe(0);
});

it('waits for a build that runs, and says so once', async () => {
  const lock = join(place, 'held');
  await takeLock(lock, () => undefined);
  const told = Promise.withResolvers<void>();
  let waits = 0;
  const second = takeLock(lock, () => {
    waits++;
    told.resolve();
  });
  await told.promise;
  expect(existsSync(lock)).toBe(true);
  await rm(lock, { recursive: true });
  await second;
  expect(waits).toBe(1);
});
