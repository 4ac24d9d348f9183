import { expect, it } from 'vitest';
import { visibleName } from './visible-name.ts';

it('shows what would turn a name around, and leaves names in any script alone', () => {
  expect(visibleName('rtl\u202etxt.exe')).toBe('rtl\ufffdtxt.exe');
  expect(visibleName('\u2067a\u2069\u200f.\u061ctxt')).toBe('\ufffda\ufffd\ufffd.\ufffdtxt');
  for (const name of ['report.pdf', 'דוח.txt', 'تقرير 2024.pdf', '👩‍🔬.png']) expect(visibleName(name)).toBe(name);
});
