import ical from 'node-ical';
import { expect, test } from 'vitest';
import { writeCalendar } from './calendar.ts';

const scope = { baseUrl: 'https://portal.example.test' };
const event = (id: number, more: object = {}) => ({
  id,
  communityId: 1,
  title: 'Fair',
  text: null,
  startAt: Date.UTC(2031, 4, 2, 9),
  endAt: null,
  allDay: false,
  location: null,
  version: 1,
  createdAt: 0,
  modifiedAt: 0,
  ...more,
});
const eventsIn = (text: string) =>
  Object.values(ical.sync.parseICS(text)).filter((part) => part?.type === 'VEVENT') as {
    description?: string;
    end: Date;
  }[];

test('is bounded, however long texts are, and lets others go on while it is written', async () => {
  const text = '文字, '.repeat(1_000);
  let turns = 0;
  let done = false;
  const count = () => {
    turns += 1;
    if (!done) setImmediate(count);
  };
  setImmediate(count);
  const calendar = await writeCalendar(
    scope,
    'Long',
    Array.from({ length: 2_000 }, (_, index) => event(index + 1, { text })),
  );
  done = true;
  expect(turns).toBeGreaterThan(20);
  expect(Buffer.byteLength(calendar)).toBeLessThanOrEqual(4 * 1024 ** 2);
  expect(Buffer.byteLength(calendar)).toBeGreaterThan(3.9 * 1024 ** 2);
  expect(calendar.endsWith('END:VEVENT\r\nEND:VCALENDAR\r\n')).toBe(true);
  expect(calendar.split('\r\n').filter((line) => Buffer.byteLength(line) > 75)).toEqual([]);
  const events = calendar.split('END:VEVENT\r\n');
  expect(events.length).toBeGreaterThan(1_000);
  // Parse three of them: the parser takes seconds for all.
  const first = eventsIn(`${events.slice(0, 3).join('END:VEVENT\r\n')}END:VEVENT\r\nEND:VCALENDAR\r\n`);
  expect(first).toHaveLength(3);
  for (const { description } of first) expect(description).toMatch(/^文字.{998}…$/u);
});

test.each([
  ['an end that is the start', 0, undefined],
  ['an end within the same second', 999, undefined],
  ['an end a second later', 1_000, Date.UTC(2031, 4, 2, 9, 0, 1)],
])('has an end only after the start: %s', async (_, later, expected) => {
  const { startAt } = event(1);
  const text = await writeCalendar(scope, '', [event(1, { endAt: startAt + later })]);
  expect(text.includes('DTEND')).toBe(expected !== undefined);
  if (expected !== undefined) expect(eventsIn(text)[0]!.end.getTime()).toBe(expected);
});

test('keeps an emoji whole where a text is cut', async () => {
  const text = await writeCalendar(scope, '', [event(1, { text: '😀'.repeat(1_001) })]);
  expect(eventsIn(text)[0]!.description).toBe(`${'😀'.repeat(1_000)}…`);
});
