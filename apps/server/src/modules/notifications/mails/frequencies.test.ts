import { MailFrequency, NotificationKind } from '@portico/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { frequencyOf, mailTime, nextDigest } from './frequencies.ts';

const HOUR = 3_600_000;
const ZONES = ['UTC', 'Europe/Rome', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Apia'];

describe('the time of mail', () => {
  it('is that of the community, else of all communities, else the default of the kind', () => {
    const { MENTION, ASSIGNMENT, REPLY, DUE, FOLLOW, STEP, ANNOUNCEMENT } = NotificationKind;
    for (const kind of [MENTION, ASSIGNMENT, REPLY, DUE]) expect(frequencyOf(kind, {})).toBe('bundled');
    for (const kind of [FOLLOW, STEP, ANNOUNCEMENT]) expect(frequencyOf(kind, {})).toBe('digest');
    expect(frequencyOf(MENTION, { everywhere: 'never' })).toBe('never');
    expect(frequencyOf(MENTION, { here: 'atOnce', everywhere: 'never' })).toBe('atOnce');
    expect(frequencyOf(FOLLOW, { here: null, everywhere: 'bundled' })).toBe('bundled');
  });

  it('is the next time at which clocks show the hour: later, at most a day and a clock change away', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2028, 0, 1) }),
        fc.integer({ min: 0, max: 23 }),
        fc.constantFrom(...ZONES),
        (now, hour, timezone) => {
          const at = nextDigest(now, { hour, timezone });
          expect(at).toBeGreaterThan(now);
          expect(at - now).toBeLessThanOrEqual(25 * HOUR);
          const parts = { timeZone: timezone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
          const clock = new Intl.DateTimeFormat('en', parts).format(at);
          // Hours that a clock change leaves out are passed within the hour.
          expect([hour, (hour + 1) % 24]).toContain(Number(clock.slice(0, 2)));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('is a minute, or 15 minutes, after the notification', () => {
    const digest = { hour: 8, timezone: 'UTC' };
    expect(mailTime(MailFrequency.AT_ONCE, 0, digest)).toBe(60_000);
    expect(mailTime(MailFrequency.BUNDLED, 0, digest)).toBe(900_000);
    expect(mailTime(MailFrequency.DIGEST, 0, digest)).toBe(8 * HOUR);
  });
});
