/** Backups that the service makes itself: full ones, incremental ones between them, and what becomes of both. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestPortal, type TestPortal } from '../../test/support/index.ts';
import { BackupSchedule } from './backup-schedule.ts';

const HOUR_MS = 3_600_000;
let portal: TestPortal;
let place: string;
let offset = 0;

beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'portico-schedule-'));
  portal = await createTestPortal({
    clock: { now: () => Date.now() + offset },
    env: {
      PORTICO_BACKUP_TO: place,
      PORTICO_BACKUP_HOURS: '1',
      PORTICO_BACKUP_FULL_HOURS: '24',
    },
  });
  await portal.createTenant();
});
afterAll(async () => {
  await portal?.close();
  rmSync(place, { recursive: true, force: true });
});

/** Runs the schedule so many hours from now. @returns the kinds of the backups in the place, the oldest first */
async function kindsAfter(hours: number): Promise<string[]> {
  offset = hours * HOUR_MS;
  await new BackupSchedule(portal.services, portal.database.owner).run(new AbortController().signal);
  return manifests().map(({ kind }) => kind);
}

function manifests(): { name: string; kind: string; moment: string }[] {
  return readdirSync(place)
    .map((name) => JSON.parse(readFileSync(join(place, name, 'manifest.json'), 'utf8')).manifest)
    .sort((one, other) => one.moment.localeCompare(other.moment));
}

test('makes incremental backups between full ones, and a full one where that is gone', async () => {
  expect(await kindsAfter(0)).toEqual(['full']);
  expect(await kindsAfter(0.5)).toEqual(['full']);
  expect(await kindsAfter(1)).toEqual(['full', 'incremental']);
  expect(await kindsAfter(2)).toEqual(['full', 'incremental', 'incremental']);
  expect((await kindsAfter(24)).slice(3)).toEqual(['full']);
  rmSync(join(place, manifests().at(-1)!.name), { recursive: true });
  expect((await kindsAfter(1)).slice(3)).toEqual(['full']);
});
