import { beforeAll, describe, expect, it } from 'vitest';
import type { DateForm, DateFormat } from '../source/mapping-types.ts';
import { loadPatterns } from './date-pattern.ts';
import { dateForm, readDate } from './dates.ts';
import { readMapping } from './mapping.ts';
import { MappingError } from './mapping-error.ts';

async function faults(text: string): Promise<readonly string[]> {
  try {
    await readMapping('map.yaml', text);
  } catch (error) {
    if (error instanceof MappingError) return error.errors;
    throw error;
  }
  return [];
}

describe('a mapping', () => {
  it('may be as short as an external id and a title', async () => {
    const mapping = await readMapping('map.yaml', 'externalId: id\ntitle: name\n');
    expect(mapping.externalId.columns).toEqual(['id']);
    expect(mapping.title?.columns).toEqual(['name']);
    expect(mapping.fields).toEqual([]);
  });

  it('names every fault at once, by line and key, and says what is allowed', async () => {
    const text = [
      'externalId: id',
      'titel: name',
      'format: pdf',
      'fields:',
      '  price: { column: p, type: MONEY }',
      '  tags: { column: t, type: ENUM_LIST, sortable: true }',
      '  who: { column: w, type: GENERIC_ENTITY_LIST }',
      '  when: { column: d, type: DATE, date: QQ }',
      '  both: { column: a, value: b, type: STRING }',
    ].join('\n');
    const found = await faults(text);
    expect(found).toHaveLength(7);
    expect(found[0]).toMatch(/^line 2, titel: unknown key "titel" in the mapping; allowed: name, preset, .*title/);
    expect(found[1]).toMatch(/^line 3, format: unknown value "pdf"; allowed: csv, ndjson, json, xlsx$/);
    expect(found[2]).toMatch(/^line 5, fields\.price\.type: unknown value "MONEY"; allowed: INT, BIGINT/);
    expect(found[3]).toMatch(/^line 6, fields\.tags\.sortable: fields of type ENUM_LIST have no order/);
    expect(found[4]).toMatch(/^line 7, fields\.who: of is missing/);
    expect(found[5]).toMatch(
      /^line 8, fields\.when\.date: "QQ" is not a form of dates: it needs a year, .*; allowed: auto, iso, epoch-ms/,
    );
    expect(found[6]).toMatch(/^line 9, fields\.both: exactly one of column/);
  });

  it('says that the external id is missing, and where YAML itself is broken', async () => {
    expect(await faults('title: name')).toEqual([expect.stringMatching(/^line 1: externalId is missing/)]);
    expect((await faults('externalId: [a'))[0]).toMatch(/^line \d+: /);
    expect(await faults('- a list')).toContainEqual(expect.stringContaining('expected a map'));
  });

  it('wants a workflow for states, states that exist for transitions, a parent before its child', async () => {
    expect(await faults('externalId: id\nstate: s')).toEqual([expect.stringContaining('needs a workflow')]);
    const text =
      'externalId: id\nworkflow: {title: W, addStates: false, states: [{name: A, initial: true}], transitions: [{name: go, from: A, to: B}]}';
    expect(await faults(text)).toEqual([
      expect.stringMatching(/transitions\[0\]\.to: "B" is not one of the states: A/),
    ]);
    expect(
      await faults(
        'externalId: id\nfields:\n  b: {column: b, type: HIERARCHICAL_ENUM, parent: a}\n  a: {column: a, type: ENUM}',
      ),
    ).toEqual([expect.stringMatching(/^line 3, fields\.b: its parent must come first/)]);
  });

  it('takes rules by name and by number, the numbers of before as well', async () => {
    const rules = (list: string) => `externalId: id\nfields:\n  a: {column: a, type: STRING, validations: [${list}]}`;
    const text = rules(
      '{rule: MAX_LENGTH, parameter: 4}, {rule: 7, parameter: 5}, {rule: 1006, parameter: 1}, {rule: 10}',
    );
    expect((await readMapping('map.yaml', text)).fields[0]!.validations).toEqual([
      { typeId: 1007, parameter: '4' },
      { typeId: 1007, parameter: '5' },
      { typeId: 1006, parameter: '1' },
      { typeId: 10 },
    ]);
    expect(await faults(rules('{rule: LONG}, {rule: 17}'))).toEqual([
      expect.stringMatching(/unknown value "LONG"; allowed: REQUIRED, MAX_COUNT, CONDITIONAL, MIN_VALUE/),
      expect.stringMatching(
        /17 is no rule; allowed: REQUIRED \(1\), MAX_COUNT \(5\), CONDITIONAL \(10\), MIN_VALUE \(1002\)/,
      ),
    ]);
  });

  it('takes aliases', async () => {
    const mapping = await readMapping('map.yaml', 'externalId: &id {column: id, prefix: x-}\ntitle: *id\n');
    expect(mapping.title?.prefix).toBe('x-');
  });
});

describe('dates', () => {
  beforeAll(loadPatterns);
  const pattern = (text: string, timezone = 'UTC'): DateFormat => ({
    forms: [dateForm(text, 'en') as DateForm],
    timezone,
  });
  const format = ({ timezone }: { timezone?: string }) => pattern('auto', timezone);

  it('are read as ISO text, as numbers, or by a pattern, in the zone of the mapping', () => {
    const noon = Date.UTC(2024, 1, 29, 12, 0);
    expect(readDate('2024-02-29T12:00:00Z', format({}), 'DATETIME')).toBe(noon);
    expect(readDate('2024-02-29 13:00', format({ timezone: 'Europe/Rome' }), 'DATETIME')).toBe(noon);
    expect(readDate(noon, format({}), 'DATE')).toBe(Date.UTC(2024, 1, 29));
    expect(readDate(String(noon / 1000), pattern('epoch-s'), 'DATETIME')).toBe(noon);
    expect(readDate('29.2.2024', pattern('D.M.YYYY'), 'DATE')).toBe(Date.UTC(2024, 1, 29));
    expect(readDate('02/29/2024 13:00', pattern('MM/DD/YYYY HH:mm', 'Europe/Rome'), 'DATETIME')).toBe(noon);
  });

  it('that do not exist, or have another form, are refused', () => {
    expect(() => readDate('30.2.2024', pattern('D.M.YYYY'), 'DATE')).toThrow(/not/);
    expect(() => readDate('2024-02-01', pattern('D.M.YYYY'), 'DATE')).toThrow(/D\.M\.YYYY/);
    expect(() => readDate('soon', format({}), 'DATE')).toThrow(/allowed is/);
    // The message names the allowed dates in the format of the mapping, also for a day that does
    // not exist.
    for (const value of ['30.2.2024', '2024-02-01', 'soon']) {
      for (const type of ['DATE', 'DATETIME'] as const) {
        const message = `"${value}" is not a date; allowed is D.M.YYYY, a day that there is`;
        expect(() => readDate(value, pattern('D.M.YYYY'), type)).toThrow(message);
      }
    }
    expect(() => readDate('99999999999999999', pattern('epoch-s'), 'DATETIME')).toThrow(
      'allowed is a number of seconds since 1970 (epoch-s)',
    );
    expect(() => readDate('2024-02-30 10:00', format({ timezone: 'Asia/Tokyo' }), 'DATETIME')).toThrow(
      'allowed is ISO 8601 text such as 2024-02-29T13:00 (in Asia/Tokyo unless it has an offset)',
    );
  });

  it('tells no more than the first thousand faults, and takes no more fields than a community has', async () => {
    const keys = Array.from({ length: 4_000 }, (_, index) => `k${index}`);
    const fault = async (text: string) => {
      try {
        await readMapping('map.yaml', text);
      } catch (error) {
        if (error instanceof MappingError) return error.errors;
        throw error;
      }
      return [];
    };
    expect(await fault(`externalId: id\n${keys.map((key) => `${key}: 1`).join('\n')}`)).toHaveLength(1_000);
    expect(await fault(`externalId: id\nfields: {${keys.map((key) => `${key}: c`).join(', ')}}`)).toEqual([
      expect.stringContaining('a community has at most 500 fields'),
    ]);
    expect(await fault(`externalId: id\n${'\n'.repeat(5_000)}`)).toEqual([
      expect.stringContaining('at most 5000 lines and commas together'),
    ]);
    // As text, each level is twice as long as the one within it.
    expect(await fault(`${'? {'.repeat(60)}a${'}'.repeat(60)}\n: x`)).toEqual([
      expect.stringContaining('a key must be a single value'),
      expect.stringContaining('externalId is missing'),
    ]);
    const list = `label: A\n    values: [${keys.join(', ')}]`;
    const aliases = Array.from({ length: 400 }, (_, index) => `  f${index}: *f`).join('\n');
    expect(await fault(`externalId: id\nfields:\n  f: &f\n    type: ENUM\n    ${list}\n${aliases}`)).toEqual([
      expect.stringContaining('at most 50000 values, with its aliases (*name) written out'),
    ]);
    expect(await fault('- '.repeat(5_001))).toEqual([expect.stringContaining('at most 5000 brackets')]);
    for (const levels of [70, 1_200, 4_000]) {
      for (const text of [`a: ${'['.repeat(levels)}${']'.repeat(levels)}`, `${'- '.repeat(levels)}a`]) {
        expect(await fault(text)).toEqual([expect.stringContaining('at most 64 levels deep')]);
      }
    }
    expect(await fault('externalId: id\ntitle: a\ntitle: b')).toEqual([
      expect.stringContaining('line 3, title: Map keys must be unique'),
    ]);
  });
});
