/** Tokens stored for repeated assertions. */
import { expect, test } from 'vitest';
import { openToken, sealToken } from './repeated-assertion.ts';

const sent = { assertion: 'head.body.signature', address: '192.0.2.1' };

test('a token is read with the same assertion from the same address alone', () => {
  const sealed = sealToken('token', sent);
  expect(openToken(sealed, sent)).toBe('token');
  expect(openToken(sealed, { ...sent, address: '192.0.2.2' })).toBeUndefined();
  expect(openToken(sealed, { ...sent, assertion: 'head.body.signaturf' })).toBeUndefined();
  for (const at of [0, 16, 28, sealed.length - 1]) {
    const altered = Buffer.from(sealed);
    altered[at]! ^= 1;
    expect(openToken(altered, sent), String(at)).toBeUndefined();
  }
});

test('the same token is never sealed twice alike', () => {
  expect(sealToken('token', sent).equals(sealToken('token', sent))).toBe(false);
});
