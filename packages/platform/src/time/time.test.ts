import { timeZoneNames } from '@portico/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatZoned,
  isRepeated,
  parseDateInput,
  resolveZoned,
  systemClock,
  TimeInputError,
  zoneFor,
} from './index.ts';
import { MAX_EPOCH_MS, MIN_EPOCH_MS } from './zoned.ts';

function errorOf(run: () => unknown): TimeInputError {
  try {
    run();
  } catch (error) {
    if (error instanceof TimeInputError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

const zones = fc.constantFrom(...timeZoneNames, '+02:00', '-03:30');

describe('resolveZoned', () => {
  it('takes a local date-time by the rules of its zone', () => {
    expect(resolveZoned({ datetime: '2026-12-31T18:00:00', timezone: 'Europe/Rome' })).toEqual({
      epochMs: Date.UTC(2026, 11, 31, 17),
      local: '2026-12-31T18:00:00',
      timezone: 'Europe/Rome',
      zoned: '2026-12-31T18:00:00+01:00',
    });
    expect(resolveZoned({ datetime: '2026-07-01 18:00', timezone: 'europe/rome' }).zoned).toBe(
      '2026-07-01T18:00:00+02:00',
    );
    expect(resolveZoned({ datetime: '2026-07-01T18:00:00.1239', timezone: 'UTC' }).zoned).toBe(
      '2026-07-01T18:00:00.123+00:00',
    );
  });

  it('takes a fixed offset, in the value or as the zone', () => {
    const epochMs = Date.UTC(2026, 11, 31, 16);
    expect(resolveZoned({ datetime: '2026-12-31T18:00:00+02:00', timezone: 'Europe/Rome' })).toMatchObject({
      epochMs,
      local: '2026-12-31T17:00:00',
    });
    expect(resolveZoned({ datetime: '2026-12-31T18:00:00+0200' })).toMatchObject({ epochMs, timezone: 'UTC' });
    expect(resolveZoned({ datetime: '2026-12-31T16:00:00Z', timezone: null })).toMatchObject({
      epochMs,
      timezone: 'UTC',
    });
    expect(resolveZoned({ datetime: '2026-12-31T18:00:00', timezone: '+02:00' })).toMatchObject({
      epochMs,
      timezone: '+02:00',
    });
    expect(resolveZoned({ datetime: '2026-12-31T17:00:00+01:00[Europe/Rome]' })).toMatchObject({
      epochMs,
      timezone: 'Europe/Rome',
    });
  });

  it('moves a skipped time on and takes the first of a repeated one', () => {
    const rome = (datetime: string) => resolveZoned({ datetime, timezone: 'Europe/Rome' });
    expect(rome('2026-03-29T01:59:59').zoned).toBe('2026-03-29T01:59:59+01:00');
    expect(rome('2026-03-29T02:30:00').zoned).toBe('2026-03-29T03:30:00+02:00');
    expect(rome('2026-03-29T03:00:00').zoned).toBe('2026-03-29T03:00:00+02:00');
    expect(rome('2026-10-25T02:30:00').zoned).toBe('2026-10-25T02:30:00+02:00');
    expect(rome('2026-10-25T02:30:00+01:00').zoned).toBe('2026-10-25T02:30:00+01:00');
    expect(rome('2026-10-25T03:00:00').zoned).toBe('2026-10-25T03:00:00+01:00');
    // Half an hour at Lord Howe, a whole day in Samoa.
    expect(resolveZoned({ datetime: '2026-10-04T02:15:00', timezone: 'Australia/Lord_Howe' }).zoned).toBe(
      '2026-10-04T02:45:00+11:00',
    );
    expect(resolveZoned({ datetime: '2011-12-30T10:00:00', timezone: 'Pacific/Apia' }).zoned).toBe(
      '2011-12-31T10:00:00+14:00',
    );
  });

  it('says what is allowed when it refuses', () => {
    for (const datetime of [
      '',
      'tomorrow',
      '2026-12-31',
      '2026-02-29T00:00:00',
      '2026-13-01T00:00:00',
      '2026-01-01T24:00:00',
      '2026-01-01T10:60:00',
      '2026-01-01T10:00:60',
      '0000-01-01T00:00:00',
      '+012026-01-01T00:00:00',
      '2026-01-01T00:00:00+24:00',
    ]) {
      const error = errorOf(() => resolveZoned({ datetime, timezone: 'UTC' }));
      expect(error.code, datetime).toBe('INVALID_DATETIME');
      expect(error.message).toContain('2026-12-31T18:00:00');
    }
    for (const timezone of ['Europe/Atlantis', '+25:00', 'Rome', '‮', 'x'.repeat(10_000)]) {
      const error = errorOf(() => resolveZoned({ datetime: '2026-12-31T18:00:00', timezone }));
      expect(error.code, timezone).toBe('UNKNOWN_ZONE');
      expect(error.message).toContain('Europe/Rome');
      expect(error.message.length).toBeLessThan(300);
    }
    expect(errorOf(() => resolveZoned({ datetime: '2026-12-31T18:00:00' })).code).toBe('ZONE_REQUIRED');
    expect(errorOf(() => resolveZoned({ datetime: '2026-12-31T18:00:00', timezone: ' ' })).code).toBe('ZONE_REQUIRED');
  });

  it('takes the years 0001 to 9999', () => {
    expect(resolveZoned({ datetime: '0001-01-01T00:00:00', timezone: 'UTC' }).epochMs).toBe(MIN_EPOCH_MS);
    expect(resolveZoned({ datetime: '9999-12-31T23:59:59.999', timezone: 'UTC' }).epochMs).toBe(MAX_EPOCH_MS);
    expect(resolveZoned({ datetime: '9999-12-31T23:59:59', timezone: 'Europe/Rome' }).local).toBe(
      '9999-12-31T23:59:59',
    );
    expect(errorOf(() => resolveZoned({ datetime: '0001-01-01T00:00:00+01:00', timezone: 'UTC' })).code).toBe(
      'OUT_OF_RANGE',
    );
    expect(errorOf(() => resolveZoned({ datetime: '9999-12-31T23:00:00Z', timezone: 'Asia/Tokyo' })).code).toBe(
      'OUT_OF_RANGE',
    );
  });

  it('fails with its own error only, whatever the text', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.stringMatching(/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?([+-]\d\d:\d\d|Z)?$/),
    );
    fc.assert(
      fc.property(text, fc.oneof(fc.string({ unit: 'binary' }), zones), (datetime, timezone) => {
        try {
          const { epochMs } = resolveZoned({ datetime, timezone });
          expect(epochMs).toBeGreaterThanOrEqual(MIN_EPOCH_MS);
        } catch (error) {
          expect(error).toBeInstanceOf(TimeInputError);
        }
      }),
    );
  });
});

describe('formatZoned', () => {
  it('writes what resolveZoned takes, to the same instant', () => {
    const day = 86_400_000;
    fc.assert(
      fc.property(fc.integer({ min: MIN_EPOCH_MS + day, max: MAX_EPOCH_MS - day }), zones, (epochMs, timezone) => {
        const out = formatZoned(epochMs, timezone);
        expect(out.timezone).toBe(timezone);
        expect(resolveZoned({ datetime: out.zonedDatetime, timezone })).toEqual({
          epochMs,
          local: out.localDatetime,
          timezone,
          zoned: out.zonedDatetime,
        });
        // Clients resend the local time: the same instant, save in the second of two equal hours.
        const again = resolveZoned({ datetime: out.localDatetime, timezone });
        expect(again.local).toBe(out.localDatetime);
        expect(again.epochMs).toBeLessThanOrEqual(epochMs);
      }),
      { numRuns: 500 },
    );
  });

  it('writes seconds always and milliseconds only if there are any', () => {
    expect(formatZoned(0, 'Asia/Kolkata')).toEqual({
      zonedDatetime: '1970-01-01T05:30:00+05:30',
      localDatetime: '1970-01-01T05:30:00',
      timezone: 'Asia/Kolkata',
    });
    expect(formatZoned(7, 'UTC').zonedDatetime).toBe('1970-01-01T00:00:00.007+00:00');
  });

  it('refuses instants out of range', () => {
    for (const epochMs of [MIN_EPOCH_MS - 1, MAX_EPOCH_MS + 1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(errorOf(() => formatZoned(epochMs, 'UTC')).code).toBe('OUT_OF_RANGE');
    }
  });
});

describe('isRepeated', () => {
  it('is true of the hour that clocks show twice, and of no other', () => {
    const of = (zone: string, ...times: string[]) => times.map((time) => isRepeated(time, zone));
    expect(of('Europe/Rome', '2026-10-25T01:59:59', '2026-10-25T02:00:00', '2026-10-25T02:59:59.999')).toEqual([
      false,
      true,
      true,
    ]);
    expect(of('Europe/Rome', '2026-10-25T03:00:00', '2026-03-29T02:30:00', '2026-07-01T02:30:00')).toEqual([
      false,
      false,
      false,
    ]);
    expect(of('Australia/Lord_Howe', '2026-04-05T01:29:00', '2026-04-05T01:30:00')).toEqual([false, true]);
    expect(of('Asia/Tokyo', '9999-12-31T23:59:59.999', '0001-01-01T00:00:00')).toEqual([false, false]);
  });

  it('agrees with what the times of the zone say', () => {
    const around = fc.integer({ min: -4 * 96, max: 4 * 96 });
    fc.assert(
      fc.property(around, zones, (quarters, timezone) => {
        const at = Date.UTC(2026, 9, 25, 1) + quarters * 15 * 60_000;
        const { localDatetime: local } = formatZoned(at, timezone);
        const twins = [30, 60, 120].flatMap((minutes) => [minutes, -minutes]);
        const twice = twins.some((minutes) => formatZoned(at + minutes * 60_000, timezone).localDatetime === local);
        expect(isRepeated(local, timezone)).toBe(twice);
      }),
      { numRuns: 200 },
    );
  });
});

describe('zoneFor', () => {
  it('finds every published zone', () => {
    for (const name of timeZoneNames) expect(zoneFor(name)).toEqual({ name });
  });

  it('understands other names of a zone, and offsets', () => {
    expect(zoneFor('Europe/Kiev')).toEqual({ name: 'Europe/Kiev' });
    expect(zoneFor('utc')).toEqual({ name: 'UTC' });
    expect(zoneFor('Z')).toEqual({ name: 'UTC' });
    expect(zoneFor('+0530')).toEqual({ name: '+05:30' });
  });

  it('refuses what it does not know', () => {
    for (const zone of ['', '0', 'Europe', 'Europe/Rome\n']) {
      expect(errorOf(() => zoneFor(zone)).code).toBe('UNKNOWN_ZONE');
    }
  });
});

describe('parseDateInput', () => {
  const midnight = Date.UTC(2026, 11, 31);

  it('reads epoch milliseconds and ISO text', () => {
    expect(parseDateInput(midnight, 'DATE')).toBe(midnight);
    expect(parseDateInput(midnight + 3_600_001, 'DATE')).toBe(midnight);
    expect(parseDateInput(-1, 'DATE')).toBe(-86_400_000);
    expect(parseDateInput('2026-12-31', 'DATE')).toBe(midnight);
    expect(parseDateInput('2026-12-31T00:00:00+14:00', 'DATE')).toBe(midnight);
    expect(parseDateInput(midnight + 1, 'DATETIME')).toBe(midnight + 1);
    expect(parseDateInput('2026-12-31', 'DATETIME')).toBe(midnight);
    expect(parseDateInput('2026-12-31T18:00:00', 'DATETIME')).toBe(midnight + 18 * 3_600_000);
    expect(parseDateInput(' 2026-12-31T18:00:00.5+01:00 ', 'DATETIME')).toBe(midnight + 17 * 3_600_000 + 500);
    expect(parseDateInput('0001-01-01', 'DATE')).toBe(MIN_EPOCH_MS);
    expect(parseDateInput('0099-01-01', 'DATE')).toBe(Date.parse('0099-01-01T00:00:00Z'));
  });

  it('agrees with the ISO text of any instant', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date(MIN_EPOCH_MS), max: new Date(MAX_EPOCH_MS), noInvalidDate: true }),
        (date) => {
          expect(parseDateInput(date.toISOString(), 'DATETIME')).toBe(date.getTime());
          expect(parseDateInput(date.toISOString(), 'DATE')).toBe(Date.parse(date.toISOString().slice(0, 10)));
        },
      ),
    );
  });

  it('refuses everything else, saying what is allowed', () => {
    for (const value of [
      '',
      '31/12/2026',
      '2026-02-30',
      '1798675200000',
      1.5,
      Number.NaN,
      true,
      null,
      undefined,
      [],
      {},
      1n,
    ]) {
      expect(errorOf(() => parseDateInput(value, 'DATE')).message).toContain('2026-12-31');
      expect(errorOf(() => parseDateInput(value, 'DATETIME')).code).toBe('INVALID_DATETIME');
    }
    expect(errorOf(() => parseDateInput(MAX_EPOCH_MS + 1, 'DATE')).code).toBe('OUT_OF_RANGE');
    expect(errorOf(() => parseDateInput('0001-01-01T00:00:00+01:00', 'DATETIME')).code).toBe('OUT_OF_RANGE');
    fc.assert(
      fc.property(fc.anything(), fc.constantFrom('DATE' as const, 'DATETIME' as const), (value, type) => {
        try {
          expect(Number.isSafeInteger(parseDateInput(value, type))).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(TimeInputError);
        }
      }),
    );
  });
});

describe('systemClock', () => {
  it('is the time', () => {
    expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(1000);
  });
});
