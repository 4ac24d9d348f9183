import { FieldType, fieldTypeName } from '@portico/contract';
import { describe, expect, it } from 'vitest';
import { Random } from '../../../test/support/random.ts';
import { metadataProblems, textTypeOf, typeOf } from './field-types.ts';
import type { SampleSource } from './types/shared/field-type.ts';

const from = (seed: number): SampleSource => ({
  random: new Random(seed),
  at: Date.UTC(2026, 0, 5, 9),
  sentences: ['First.', 'Second.', 'Third.'],
  site: 'https://example.org',
  ids: [11, 12, 13, 14],
  metadata: {},
});

const typesOfColumns = { big: /^(number|string)$/, num: /^number$/, txt: /^string$/, ref: /^number$/ } as const;

describe.each(Object.values(FieldType).map((type) => [fieldTypeName(type), type] as const))('%s', (_name, type) => {
  const spec = typeOf({ type });
  const samples = Array.from({ length: 50 }, (_, seed) => spec.sample(from(seed))!);

  it('reads its samples as they are stored', () => {
    for (const sample of samples) expect(spec.parse(sample, { metadata: {} }, 1)).toEqual(sample);
  });

  it('has a row for each element, of the type of its column', () => {
    for (const sample of samples) {
      const values = spec.columnValues(sample);
      expect(values).toHaveLength(Array.isArray(sample) ? sample.length : 1);
      for (const value of values) expect(typeof value).toMatch(typesOfColumns[spec.column]);
      expect(Array.isArray(sample)).toBe(spec.list === true);
    }
  });

  it('is published as what it is', () => {
    expect(spec.column === 'txt').toBe(spec.kind === 'text' || spec.kind === 'richText');
    expect(spec.column === 'ref').toBe(spec.kind === 'choice' || spec.kind === 'objects');
    expect(spec.filter === 'number').toBe(['number', 'day', 'instant'].includes(spec.kind));
    expect(spec.filter === 'flag').toBe(spec.kind === 'flag');
    expect(textTypeOf({ type }) !== undefined).toBe(spec.filter === 'text');
  });

  it('publishes its metadata, accepts the defaults, and not everything', () => {
    expect(Object.keys(spec.metadataKeys ?? {})).toEqual(expect.arrayContaining(Object.keys(spec.metadata ?? {})));
    for (const key of Object.values(spec.metadata ?? {})) {
      expect(key.default === undefined || key.accepts(key.default)).toBe(true);
      expect(key.accepts('…')).toBe(false);
    }
  });
});

it('filters on numbers and dates compare with what rows hold', () => {
  const kinds = Object.values(FieldType).flatMap((type) => {
    const spec = typeOf({ type });
    if (spec.filter !== 'number') return [];
    for (let seed = 0; seed < 50; seed++) {
      const sample = spec.sample(from(seed)) as number;
      expect([spec.readParameter(sample)]).toEqual(spec.columnValues(sample));
    }
    return spec.kind;
  });
  expect(new Set(kinds)).toEqual(new Set(['number', 'day', 'instant']));
});

it('metadata is checked on any type, but what a type must have only on that type', () => {
  const keys = (type: FieldType, metadata?: Record<string, string>) =>
    metadataProblems({ type, ...(metadata && { metadata }) }).map(({ key }) => key);
  expect(keys(FieldType.INT)).toEqual([]);
  expect(keys(FieldType.INT, { decimal_digits: '16' })).toEqual(['decimal_digits']);
  expect(keys(FieldType.GENERIC_ENTITY_LIST)).toEqual(['generic_entity_list_config_id']);
  expect(keys(FieldType.INT, { generic_entity_list_config_id: 'core.place' })).toEqual([]);
  expect(keys(FieldType.STRING, { generate_post_comment: 'yes', feedback_step: '0' })).toEqual([
    'feedback_step',
    'generate_post_comment',
  ]);
});

it.each([
  [
    'unit',
    ['kg', 'm²', 'km/h', '%', '°C', '% vol', 'l/100 km', 'Stück', '人'],
    ['', ' kg', 'kg\n', '…', 'a  b', 'x'.repeat(21)],
  ],
  ['currency', ['EUR', 'CHF', 'JPY'], ['', 'eur', 'EURO', '€', 'EU1', 'QQQ']],
])('the %s of a number is one', (key, right, wrong) => {
  const keys = (text: string, stored = {}) =>
    metadataProblems({ type: FieldType.DECIMAL, metadata: { [key]: text } }, stored).map((problem) => problem.key);
  for (const text of right) expect([text, keys(text)]).toEqual([text, []]);
  for (const text of wrong) expect([text, keys(text)]).toEqual([text, [key]]);
  // A text of a portal that did not check it blocks no other edit.
  expect(keys(wrong[0]!, { [key]: wrong[0] })).toEqual([]);
});

describe('samples', () => {
  const drawn = (type: FieldType, source: Partial<SampleSource>) =>
    Array.from({ length: 50 }, (_, seed) => typeOf({ type }).sample({ ...from(seed), ...source }));

  it('are undefined where there is nothing to choose from', () => {
    for (const type of [FieldType.ENUM, FieldType.ENUM_LIST, FieldType.GENERIC_ENTITY_LIST])
      expect(new Set(drawn(type, { ids: [] }))).toEqual(new Set([undefined]));
  });

  it('of ratings keep to the bounds and steps of the field', () => {
    const metadata = { feedback_min_value: '2', feedback_max_value: '3', feedback_step: '0.25' };
    const ratings = new Set(drawn(FieldType.FEEDBACK, { metadata }));
    expect([...ratings].sort()).toEqual([2, 2.25, 2.5, 2.75, 3]);
    expect(new Set(drawn(FieldType.FEEDBACK, {}))).toEqual(new Set([1, 2, 3, 4, 5]));
  });
});
