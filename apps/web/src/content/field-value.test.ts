import { FieldType } from '@portico/sdk';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { LanguageContext, languageOf } from '../texts/index.ts';
import { sumOf } from './field-number.ts';
import { FieldValue } from './field-value.tsx';
import type { ShownField } from './shown-field.ts';

function shown(field: ShownField, value: unknown): string {
  const element = createElement(FieldValue, { field, value });
  return renderToStaticMarkup(createElement(LanguageContext, { value: languageOf(['en-GB']) }, element));
}

const enumValues = [
  { id: 71, label: 'High' },
  { id: 72, label: '<i>Low</i>', deleted: true },
];

test.for([
  [{ type: FieldType.INT }, 1234, '1,234'],
  [{ type: FieldType.BIGINT }, '9007199254740993', '9,007,199,254,740,993'],
  [{ type: FieldType.DECIMAL }, 12.5, '12.5'],
  [{ type: FieldType.DECIMAL, metadata: { currency: 'EUR' } }, 1234.5, '€1,234.50'],
  [{ type: FieldType.INT, metadata: { currency: 'EUR' } }, 1234, '€1,234'],
  [{ type: FieldType.DECIMAL, metadata: { unit: 'kg', decimal_digits: '1' } }, 1234, '1,234.0\u00a0kg'],
  [{ type: FieldType.BIGINT, metadata: { unit: 'B' } }, '9007199254740993', '9,007,199,254,740,993\u00a0B'],
  [{ type: FieldType.DATE }, Date.UTC(2026, 0, 1), '1 Jan 2026'],
  [{ type: FieldType.DATE }, 9e15, '9000000000000000'],
  [{ type: FieldType.STRING }, '<b>x</b>', '<span dir="auto">&lt;b&gt;x&lt;/b&gt;</span>'],
  [{ type: FieldType.TEXT_AREA }, 'a\nb', '<span dir="auto">a\nb</span>'],
  [{ type: FieldType.ENUM, enumValues }, 71, '<bdi>High</bdi>'],
  [{ type: FieldType.ENUM, enumValues: [] }, [{ id: 5, label: 'Rome' }], '<bdi>Rome</bdi>'],
  [{ type: FieldType.ENUM, enumValues: [{ id: 5, label: 'Roma' }] }, [{ id: 5, label: 'Rome' }], '<bdi>Roma</bdi>'],
  [{ type: FieldType.ENUM_LIST, enumValues }, [71, 72], '<bdi>High</bdi>, <bdi>&lt;i&gt;Low&lt;/i&gt;</bdi>'],
  [{ type: FieldType.HIERARCHICAL_ENUM, enumValues }, 99, '<bdi>99</bdi>'],
  [{ type: FieldType.FLAG }, false, 'No'],
  [{ type: FieldType.DELTA_AREA }, '[{"insert":"a\\n"}]', '<div class="text"><p dir="auto">a</p></div>'],
  [{ type: FieldType.FEEDBACK, metadata: { feedback_max_value: '5' } }, 4, '4 / 5'],
  [{ type: FieldType.LINK }, 'javascript:alert(1)', '<span dir="auto">javascript:alert(1)</span>'],
  [
    { type: FieldType.LINK },
    'https://acme.example/',
    '<a href="https://acme.example/" target="_blank" rel="noopener noreferrer nofollow">https://acme.example/</a>',
  ],
  [{ type: FieldType.GENERIC_ENTITY_LIST }, [{ id: 1, firstName: 'Ada', lastName: 'Rossi' }], '<bdi>Ada Rossi</bdi>'],
  [{ type: FieldType.INT }, null, ''],
] as [ShownField, unknown, string][])('%j with %j', ([field, value, expected]) => {
  expect(shown(field, value)).toBe(expected);
});

test('a moment has a day and a time', () => {
  expect(shown({ type: FieldType.DATETIME }, Date.UTC(2026, 0, 15, 12))).toMatch(/1[456] Jan 2026, \d\d:\d\d/);
});

test.for([
  [[1, undefined, 2], 3n],
  [[0.1, 0.2, null], 0.3],
  [['9007199254740993', 1], 9007199254740994n],
  [[undefined, 'x'], undefined],
] as const)('the sum of %j is %s', ([values, sum]) => {
  expect(sumOf(values)).toBe(sum);
});
