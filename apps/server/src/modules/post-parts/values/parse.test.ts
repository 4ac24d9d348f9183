import { FieldType, ValidationType } from '@portico/contract';
import { finishAtOnce } from '@portico/platform/parts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brokenRules, ValueError } from '../../fields/index.ts';
import { decimalsOf } from '../../fields/types/shared/numbers.ts';
import type { FieldRule } from './field-rules.ts';
import { parseValue } from './parse.ts';
import { valueRows } from './rows.ts';

function field(type: FieldType, more: Partial<FieldRule> = {}): FieldRule {
  return {
    id: 1,
    type,
    label: 'Field',
    externalId: null,
    parentId: null,
    catalogId: null,
    required: false,
    readonly: false,
    searchable: true,
    sortable: false,
    visibleInCreate: true,
    visibleInEdit: true,
    metadata: {},
    enumValues: [],
    validations: [],
    conditions: [],
    visibleRoles: [],
    ...more,
  };
}

/** Returns the stored form, or the code of the error. */
function read(type: FieldType, value: unknown, format: 1 | 2 = 1, more: Partial<FieldRule> = {}): unknown {
  try {
    return parseValue(field(type, more), value, format);
  } catch (error) {
    if (error instanceof ValueError) return error.code;
    throw error;
  }
}

describe('written values', () => {
  it.each<[FieldType, unknown, unknown]>([
    [FieldType.INT, 7, 7],
    [FieldType.INT, '-7', -7],
    [FieldType.INT, -0, 0],
    [FieldType.INT, 1.5, 'INVALID_VALUE'],
    [FieldType.INT, '1.5', 'INVALID_VALUE'],
    [FieldType.INT, true, 'INVALID_VALUE'],
    [FieldType.INT, [1], 'INVALID_VALUE'],
    [FieldType.INT, 2 ** 31, 'INTEGER_OUT_OF_RANGE'],
    [FieldType.BIGINT, '9007199254740993', '9007199254740993'],
    [FieldType.BIGINT, '0009007199254740991', 9007199254740991],
    [FieldType.BIGINT, '-9223372036854775808', '-9223372036854775808'],
    [FieldType.BIGINT, '9223372036854775808', 'INTEGER_OUT_OF_RANGE'],
    [FieldType.BIGINT, 2 ** 60, 'INVALID_VALUE'],
    [FieldType.DECIMAL, '12.50', 12.5],
    [FieldType.DECIMAL, 'Infinity', 'INVALID_VALUE'],
    [FieldType.DECIMAL, '0.30000000000000004', 0.1 + 0.2],
    [FieldType.DECIMAL, '+0012.3400e2', 1234],
    [FieldType.DECIMAL, '-0.00', 0],
    [FieldType.DECIMAL, '1152921504606846976', 2 ** 60],
    [FieldType.DECIMAL, '1152921504606846977', 'INVALID_VALUE'],
    [FieldType.DECIMAL, '123456789012345678901234567890.123', 'INVALID_VALUE'],
    [FieldType.DECIMAL, '1.00000000000000000001', 'INVALID_VALUE'],
    [FieldType.DECIMAL, '1e-400', 'INVALID_VALUE'],
    [FieldType.DECIMAL, '9'.repeat(400), 'INVALID_VALUE'],
    [FieldType.DECIMAL, '', undefined],
    [FieldType.DATE, 1770076800001, 1770076800000],
    [FieldType.DATE, '2026-02-03T23:00:00-05:00', Date.UTC(2026, 1, 3)],
    [FieldType.DATE, 'tomorrow', 'INVALID_DATE'],
    [FieldType.DATETIME, '2026-02-03T10:00:00+01:00', Date.UTC(2026, 1, 3, 9)],
    [FieldType.DATETIME, 9e15, 'INVALID_DATE'],
    [FieldType.STRING, 'a', 'a'],
    [FieldType.STRING, 'a\0', 'INVALID_TEXT'],
    [FieldType.STRING, '\ud800', 'INVALID_TEXT'],
    [FieldType.STRING, 5, 'INVALID_VALUE'],
    [FieldType.STRING, 'x'.repeat(4001), 'TEXT_TOO_LONG'],
    [FieldType.LINK, 'https://example.org/a?b', 'https://example.org/a?b'],
    [FieldType.LINK, 'javascript:alert(1)', 'INVALID_VALUE'],
    [FieldType.LINK, '/relative', 'INVALID_VALUE'],
    [FieldType.FLAG, 'true', true],
    [FieldType.FLAG, false, false],
    [FieldType.FLAG, 'yes', 'INVALID_VALUE'],
    [FieldType.FLAG, 1, 'INVALID_VALUE'],
    [FieldType.ENUM, 5, 5],
    [FieldType.ENUM, ['5'], 5],
    [FieldType.ENUM, [], undefined],
    [FieldType.ENUM, [5, 6], 'INVALID_VALUE'],
    [FieldType.ENUM, { id: 5 }, 'INVALID_VALUE'],
    [FieldType.ENUM_LIST, [5, 6], [5, 6]],
    [FieldType.ENUM_LIST, 5, [5]],
    [FieldType.ENUM_LIST, [{ id: 5 }], 'INVALID_VALUE'],
    [FieldType.GENERIC_ENTITY_LIST, [-1], 'INVALID_VALUE'],
    [FieldType.GENERIC_ENTITY_LIST, [null], 'INVALID_VALUE'],
    [FieldType.DELTA_AREA, '[{"insert":"a"}]', '[{"insert":"a\\n"}]'],
    [FieldType.DELTA_AREA, '{"ops":[{"insert":"a\\n"}]}', '[{"insert":"a\\n"}]'],
    [FieldType.DELTA_AREA, '[{"insert":"\\n"}]', undefined],
    [FieldType.DELTA_AREA, '[{"insert":{"spaceship":1}}]', 'INVALID_DELTA'],
    [FieldType.DELTA_AREA, 'plain', 'INVALID_DELTA'],
  ])('type %i takes %j as %j', (type, value, stored) => {
    expect(read(type, value)).toEqual(stored);
  });

  it('takes plain text for rich text with format 2', () => {
    expect(read(FieldType.DELTA_AREA, '[1]', 2)).toBe('[{"insert":"[1]\\n"}]');
    expect(read(FieldType.DELTA_AREA, [{ insert: 'a' }], 2)).toBe('INVALID_VALUE');
  });

  it('keeps to the limits of the definition', () => {
    expect(read(FieldType.DECIMAL, 1.25, 1, { metadata: { decimal_digits: '2' } })).toBe(1.25);
    expect(read(FieldType.DECIMAL, 1.255, 1, { metadata: { decimal_digits: '2' } })).toBe('INVALID_VALUE');
    expect(read(FieldType.FEEDBACK, 5, 1, { metadata: { feedback_max_value: '5' } })).toBe(5);
    expect(read(FieldType.FEEDBACK, 6, 1, { metadata: { feedback_max_value: '5' } })).toBe('INVALID_VALUE');
    expect(read(FieldType.FEEDBACK, -1)).toBe('INVALID_VALUE');
  });

  it('never throws anything but a ValueError, and is stable: what was stored is read as itself', () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.values(FieldType)), fc.anything(), (type, value) => {
        const stored = read(type, value);
        if (stored !== undefined && !(typeof stored === 'string' && /^[A-Z]+_[A-Z_]+$/.test(stored))) {
          expect(read(type, stored)).toEqual(stored);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('counts decimals of the shortest decimal form', () => {
    for (const [value, decimals] of [
      [1, 0],
      [0.1, 1],
      [1e-7, 7],
      [1.5e-7, 8],
      [1e21, 0],
    ] as const) {
      expect(decimalsOf(value)).toBe(decimals);
    }
  });
});

describe('rules of a field', () => {
  const NOW = Date.UTC(2026, 5, 15, 12);
  const broken = (type: FieldType, typeId: ValidationType, parameter: string | null, value: unknown) =>
    finishAtOnce(
      brokenRules(field(type, { validations: [{ id: 9, typeId, parameter, position: 0 }] }), value as never, NOW),
    ).length > 0;

  it.each<[string, FieldType, ValidationType, string | null, unknown, unknown]>([
    ['MIN_VALUE', FieldType.INT, ValidationType.MIN_VALUE, '5', 5, 4],
    [
      'MAX_VALUE beyond 2^53',
      FieldType.BIGINT,
      ValidationType.MAX_VALUE,
      '9007199254740993',
      '9007199254740993',
      '9007199254740994',
    ],
    ['MIN_COUNT', FieldType.ENUM_LIST, ValidationType.MIN_COUNT, '2', [1, 2], undefined],
    ['MAX_COUNT', FieldType.GENERIC_ENTITY_LIST, ValidationType.MAX_COUNT, '1', [1], [1, 2]],
    ['MIN_LENGTH', FieldType.STRING, ValidationType.MIN_LENGTH, '2', '😀😀', '😀'],
    [
      'MAX_LENGTH of plain text',
      FieldType.DELTA_AREA,
      ValidationType.MAX_LENGTH,
      '2',
      '[{"insert":"ab\\n"}]',
      '[{"insert":"abc\\n"}]',
    ],
    ['PATTERN of the whole', FieldType.STRING, ValidationType.PATTERN, '[a-z]+', 'abc', 'abc1'],
    ['DATE_MIN', FieldType.DATE, ValidationType.DATE_MIN, '2026-01-02', Date.UTC(2026, 0, 2), Date.UTC(2026, 0, 1)],
    ['DATE_MIN now+1', FieldType.DATE, ValidationType.DATE_MIN, 'now+1', Date.UTC(2026, 5, 16), Date.UTC(2026, 5, 15)],
    ['DATE_MAX in ms', FieldType.DATETIME, ValidationType.DATE_MAX, String(NOW), NOW, NOW + 1],
    ['UNIQUE_ITEMS', FieldType.ENUM_LIST, ValidationType.UNIQUE_ITEMS, null, [1, 2], [1, 1]],
    ['MAX_DECIMALS', FieldType.DECIMAL, ValidationType.MAX_DECIMALS, '1', 1.5, 1.55],
    [
      'NOT_IN_THE_PAST',
      FieldType.DATE,
      ValidationType.NOT_IN_THE_PAST,
      null,
      Date.UTC(2026, 5, 15),
      Date.UTC(2026, 5, 14),
    ],
    ['NOT_IN_THE_FUTURE', FieldType.DATETIME, ValidationType.NOT_IN_THE_FUTURE, null, NOW, NOW + 1],
    ['EMAIL', FieldType.STRING, ValidationType.EMAIL, null, 'a@b.org', 'a@b'],
    ['URL', FieldType.STRING, ValidationType.URL, null, 'http://a.org', 'ftp://a.org'],
  ])('%s', (_name, type, typeId, parameter, good, bad) => {
    expect(broken(type, typeId, parameter, good)).toBe(false);
    expect(broken(type, typeId, parameter, bad)).toBe(true);
  });

  it('ends on patterns that keep other engines busy for ever, and says so when one cannot be read', () => {
    expect(broken(FieldType.STRING, ValidationType.PATTERN, '(a+)+$', `${'a'.repeat(3000)}!`)).toBe(true);
    expect(broken(FieldType.STRING, ValidationType.PATTERN, '(', 'x')).toBe(true);
  });
});

describe('value rows', () => {
  it('are none for a field that is neither searchable nor sortable', () => {
    expect(valueRows(field(FieldType.INT, { searchable: false }), 1)).toEqual([]);
    expect(valueRows(field(FieldType.INT, { searchable: false, sortable: true }), undefined)).toMatchObject([
      { empty: true },
    ]);
  });
});
