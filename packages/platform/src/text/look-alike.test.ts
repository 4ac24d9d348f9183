/** Letters that look like others. */
import { expect, test } from 'vitest';
import { readAsAscii } from './index.ts';

test.each([
  ['adm\u0131n', 'admin'],
  ['\u0430dmin', 'admin'],
  ['\u03bfffice', 'office'],
  ['admin', 'admin'],
  ['adm1n', 'adm1n'],
  ['jos\u00e9', 'jos\u00e9'],
  ['\u5f20\u4f1f', '\u5f20\u4f1f'],
])('%j is read as %j', (text, read) => {
  expect(readAsAscii(text)).toBe(read);
});
