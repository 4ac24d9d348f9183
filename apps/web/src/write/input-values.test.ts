import { FieldType } from '@portico/sdk';
import { expect, test } from 'vitest';
import { defaultOf, inputOf, inSections } from './input-values.ts';

test('fields outside of sections come first, and sections in the order of the form', () => {
  const fields = [{ id: 1, section: 'Money' }, { id: 2 }, { id: 3, section: 'Delivery' }, { id: 4, section: 'Money' }];
  const [money, plain, delivery, more] = fields;
  expect(inSections(fields.toReversed(), fields)).toEqual([
    ['', [plain]],
    ['Money', [more, money]],
    ['Delivery', [delivery]],
  ]);
  expect(inSections([plain!], fields)).toEqual([['', [plain]]]);
});

test('a form begins with the defaults of fields that it always shows', () => {
  expect(defaultOf({ defaultValue: false })).toBe(false);
  expect(defaultOf({ defaultValue: 3, conditions: [] })).toBe(3);
  expect(defaultOf({ defaultValue: 3, conditions: [{ fieldId: 1, operator: 'empty' }] })).toBeUndefined();
});

test('values of lists have the label that the definition gives them, in the language of the reader', () => {
  const enumValues = [{ id: 5, label: 'Roma' }];
  expect(inputOf({ type: FieldType.ENUM, enumValues }, [{ id: 5, label: 'Rome' }])).toEqual([{ id: 5, label: 'Roma' }]);
  expect(inputOf({ type: FieldType.ENUM, enumValues: [] }, [{ id: 5, label: 'Rome' }])).toEqual([
    { id: 5, label: 'Rome' },
  ]);
});
