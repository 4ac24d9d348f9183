/** Required fields of a form, by the filled values. */
import { FieldType, ValidationType } from '@portico/sdk';
import { describe, expect, test } from 'vitest';
import type { FormField, InputValues } from './input-values.ts';
import { withRequired } from './required-fields.ts';

type Conditions = NonNullable<FormField['conditions']>;

const RULES = [ValidationType.REQUIRED, ValidationType.CONDITIONAL];
const field = (id: number, type: FieldType, more: Partial<FormField> = {}): FormField => ({ id, type, ...more });
const under = (conditions: Conditions, rules: readonly ValidationType[] = RULES) =>
  field(9, FieldType.STRING, {
    required: false,
    conditions,
    validations: rules.map((validationTypeId) => ({ validationTypeId })),
  });
const others = [
  field(1, FieldType.FLAG),
  field(2, FieldType.INT),
  field(3, FieldType.DATE),
  field(4, FieldType.ENUM_LIST),
  field(5, FieldType.STRING),
];
const isRequired = (last: FormField, values: InputValues) => withRequired([...others, last], values).at(-1)?.required;

describe('a field that is demanded under a condition', () => {
  const cases: [string, Conditions[number], InputValues, boolean][] = [
    ['a flag that is set', { fieldId: 1, operator: 'in', values: [true] }, { 1: true }, true],
    ['a flag that is not', { fieldId: 1, operator: 'in', values: [true] }, { 1: false }, false],
    ['no flag', { fieldId: 1, operator: 'in', values: [true] }, {}, false],
    ['another value', { fieldId: 5, operator: 'notIn', values: ['a'] }, { 5: 'b' }, true],
    ['no value', { fieldId: 5, operator: 'notIn', values: ['a'] }, {}, true],
    ['a number from a bound on', { fieldId: 2, operator: 'atLeast', values: [10] }, { 2: '10' }, true],
    ['a number below it', { fieldId: 2, operator: 'atLeast', values: [10] }, { 2: '9' }, false],
    ['a text that is no number', { fieldId: 2, operator: 'atMost', values: [10] }, { 2: 'nine' }, false],
    ['a day', { fieldId: 3, operator: 'in', values: [Date.UTC(2026, 0, 2)] }, { 3: '2026-01-02' }, true],
    ['a day up to a bound', { fieldId: 3, operator: 'atMost', values: ['2026-01-02'] }, { 3: '2026-01-03' }, false],
    [
      'one of several',
      { fieldId: 4, operator: 'in', values: [7] },
      {
        4: [
          { id: 6, label: '' },
          { id: 7, label: '' },
        ],
      },
      true,
    ],
    ['something', { fieldId: 5, operator: 'notEmpty' }, { 5: 'x' }, true],
    ['nothing', { fieldId: 5, operator: 'empty' }, { 5: ' ' }, true],
    ['a field that the form lacks', { fieldId: 77, operator: 'empty' }, {}, false],
  ];
  test.each(cases)('%s', (_, condition, values, required) => {
    expect(isRequired(under([condition]), values)).toBe(required);
  });

  test('is not required without rule 1, nor where the condition is not known', () => {
    const condition: Conditions[number] = { fieldId: 5, operator: 'notEmpty' };
    expect(isRequired(under([condition], [ValidationType.CONDITIONAL]), { 5: 'x' })).toBe(false);
    expect(isRequired(under([]), { 5: 'x' })).toBe(false);
  });

  test('is not required while the field that it depends on is not shown', () => {
    const middle = field(8, FieldType.FLAG, { conditions: [{ fieldId: 5, operator: 'notEmpty' }] });
    const last = under([{ fieldId: 8, operator: 'in', values: [true] }]);
    const required = (values: InputValues) => withRequired([...others, middle, last], values).at(-1)?.required;
    expect([required({ 8: true }), required({ 5: 'x', 8: true })]).toEqual([false, true]);
  });
});

test('other fields are required as their definition says', () => {
  const fields = withRequired([field(1, FieldType.INT, { required: true }), field(2, FieldType.INT)], {});
  expect(fields.map(({ required }) => required)).toEqual([true, false]);
});
