/** Recognition of links in texts. */
import { expect, test } from 'vitest';
import { linkOf } from './link-of.ts';

test('the address of a web page is a link', () => {
  for (const bare of [true, false]) {
    expect(linkOf('https://example.com/a?b=1', bare)).toBe('https://example.com/a?b=1');
    expect(linkOf('http://example.com', bare)).toBe('http://example.com/');
  }
  expect(linkOf('www.example.com/a', true)).toBe('https://www.example.com/a');
  expect(linkOf('example.com:8080', true)).toBe('https://example.com:8080/');
});

test('other values are not', () => {
  for (const value of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc', 'no address', '', 7, null])
    expect(linkOf(value, true)).toBeUndefined();
  expect(linkOf('www.example.com', false)).toBeUndefined();
  expect(linkOf('see https://example.com', false)).toBeUndefined();
});
