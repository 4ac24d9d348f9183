import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseRemoved, type ListedBackup } from './inventory.ts';
import { beginOf, isBackupName, newBackupName, readManifest, writeManifest } from './manifest.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2031, 3, 1, 12);

const named = (daysAgo: number) => newBackupName(new Date(NOW - daysAgo * DAY_MS));
const whole = (name: string, holders: string[] = []): ListedBackup => ({ name, state: 'whole', holders });

test('a name tells when the backup began', () => {
  const name = newBackupName(new Date('2031-04-01T02:03:04.567Z'));
  expect(name).toMatch(/^portico-20310401T020304Z-[0-9a-f]{6}$/);
  expect(isBackupName(name)).toBe(true);
  expect(new Date(beginOf(name)).toISOString()).toBe('2031-04-01T02:03:04.000Z');
  expect(isBackupName(`../${name}`)).toBe(false);
});

test('pruning keeps the newest by number and by age, and what they refer to', () => {
  const [old, base, late, last] = [named(40), named(20), named(2), named(1)] as [string, string, string, string];
  const listed = [whole(old), whole(base), whole(late, [base]), whole(last)];
  const removed = (retention: Parameters<typeof chooseRemoved>[2], pending: string[] = []) =>
    chooseRemoved(listed, pending, retention, NOW);
  expect(removed({ count: 1 })).toEqual([old, base, late]);
  expect(removed({ count: 2 })).toEqual([old]);
  expect(removed({ count: 1, days: 30 })).toEqual([old]);
  expect(removed({ days: 1.5 })).toEqual([old, base, late]);
  expect(removed({})).toEqual([old, base, late]);
  expect(removed({ count: 1 }, [old])).toEqual([base, late]);
});

test('unfinished backups go after a day; damaged ones stay for a person to look at', () => {
  const [old, fresh, damaged] = [named(2), named(0.5), named(3)] as [string, string, string];
  const listed: ListedBackup[] = [
    { name: damaged, state: 'damaged' },
    { name: old, state: 'unfinished' },
    { name: fresh, state: 'unfinished' },
  ];
  expect(chooseRemoved(listed, [], { count: 1 }, NOW)).toEqual([old]);
});

test('no retention removes the newest whole backup or a holder of one that stays', () => {
  const backups = fc.array(fc.record({ age: fc.integer({ min: 0, max: 400 }), holder: fc.nat(9) }), {
    minLength: 1,
    maxLength: 10,
  });
  const retention = fc.record(
    { count: fc.integer({ min: 1, max: 12 }), days: fc.integer({ min: 1, max: 400 }) },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(backups, retention, (made, kept) => {
      const names = made.map(({ age }) => named(age)).sort();
      const listed = names.map((name, index) => whole(name, index === 0 ? [] : [names[made[index]!.holder % index]!]));
      const removed = chooseRemoved(listed, [], kept, NOW);
      const left = listed.filter(({ name }) => !removed.includes(name));
      expect(left.at(-1)?.name).toBe(names.at(-1));
      // What a holder itself refers to is in the list of the one that stays.
      for (const { name, holders } of listed.slice(-Math.max(1, kept.count ?? 1))) {
        expect(removed).not.toContain(name);
        for (const holder of holders!) expect(removed).not.toContain(holder);
      }
    }),
    { numRuns: 50 },
  );
});

test('a manifest that was changed is refused', () => {
  const text = writeManifest({ format: 1, name: 'some', files: { count: 3 } } as unknown as Parameters<
    typeof writeManifest
  >[0]);
  expect(readManifest(text, 'it')).toMatchObject({ name: 'some', files: { count: 3 } });
  expect(() => readManifest(text.replace('"count":3', '"count":2'), 'it')).toThrow('its checksum differs');
  expect(() => readManifest(text.slice(0, -5), 'it')).toThrow('it is no JSON');
  const later = writeManifest({ format: 3, name: 'some' } as unknown as Parameters<typeof writeManifest>[0]);
  expect(() => readManifest(later, 'it')).toThrow('only a later version of Portico reads');
});
