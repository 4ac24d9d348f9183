import { execFileSync } from 'node:child_process';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { killHard, query, removeTemplate, TestPlace } from './testing/fixtures.ts';

let place: TestPlace;
beforeEach(() => {
  place = new TestPlace();
});
afterEach(() => place.cleanUp());
afterAll(removeTemplate);

const copy = (from: string, to: string) => execFileSync('cp', ['-a', from, to]);
const one = 'SELECT 1 AS one';

it('refuses a folder that was copied while its database ran, until the switch is set once', async () => {
  const source = await place.start(await place.seeded('data'));
  const copied = place.path('copy');
  copy(place.path('data'), copied);
  await source.stop();
  // It names this process, which lives on: where a copy is started later, its holder is gone.
  rmSync(path.join(copied, 'postgres.lock'));
  await expect(place.start(copied)).rejects.toMatchObject({
    code: 'copied',
    message: expect.stringContaining('PORTICO_START_COPY=true'),
  });
  const accepted = await place.start(copied, { startCopy: true });
  expect(await query(accepted.connection, one)).toEqual([{ one: 1 }]);
  await killHard(accepted.pid);
  await accepted.stop();
  const next = await place.start(copied);
  expect(await query(next.connection, one)).toEqual([{ one: 1 }]);
});

it('starts a folder whose database was stopped before it was copied', async () => {
  const source = await place.start(await place.seeded('data'));
  await source.stop();
  copy(place.path('data'), place.path('copy'));
  const started = await place.start(place.path('copy'));
  expect(await query(started.connection, one)).toEqual([{ one: 1 }]);
});

it('starts a folder whose database was killed, also where it was moved since', async () => {
  const source = await place.start(await place.seeded('data'));
  await killHard(source.pid);
  await source.stop();
  renameSync(place.path('data'), place.path('moved'));
  const started = await place.start(place.path('moved'));
  expect(await query(started.connection, one)).toEqual([{ one: 1 }]);
});

it('starts a killed database on a file system that numbers its files anew', async () => {
  const dataDir = await place.seeded('data');
  const source = await place.start(dataDir);
  await killHard(source.pid);
  await source.stop();
  const note = path.join(dataDir, 'postgres-start.json');
  const { startedAt, files } = JSON.parse(readFileSync(note, 'utf8')) as { startedAt: number; files: number[] };
  writeFileSync(note, JSON.stringify({ startedAt, files: files.map((number) => number + 1) }));
  const started = await place.start(dataDir);
  expect(await query(started.connection, one)).toEqual([{ one: 1 }]);
});
