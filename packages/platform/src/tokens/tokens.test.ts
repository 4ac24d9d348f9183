import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { finishAtOnce } from '../parts.ts';
import { createTokenSigner, MAX_TOKEN_LENGTH, stableHash, stableHashParts } from './index.ts';

const secret = randomBytes(32);
const signer = createTokenSigner(secret);
const payload = fc.dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true });

describe('token signer', () => {
  it('returns what was signed, on another node too', () => {
    const other = createTokenSigner(Uint8Array.from(secret));
    fc.assert(
      fc.property(fc.string(), payload, (kind, value) => {
        const token = signer.sign(kind, value);
        expect(token).toMatch(/^[A-Za-z0-9_.-]+$/);
        expect(other.verify(kind, token)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('refuses another kind and another secret', () => {
    const other = createTokenSigner(randomBytes(32));
    fc.assert(
      fc.property(fc.string(), fc.string(), payload, (kind, otherKind, value) => {
        const token = signer.sign(kind, value);
        expect(other.verify(kind, token)).toBeNull();
        if (otherKind !== kind) expect(signer.verify(otherKind, token)).toBeNull();
      }),
    );
    // Without a separator between kind and body, the two would have the same bytes.
    expect(signer.verify('pa', signer.sign('page', {}))).toBeNull();
  });

  it('refuses every change of a single character', () => {
    const token = signer.sign('page', { k: ['a', 17], f: 'hash' });
    for (let at = 0; at < token.length; at++) {
      for (const character of 'AQgw01_-.=') {
        const changed = token.slice(0, at) + character + token.slice(at + 1);
        if (changed !== token) expect(signer.verify('page', changed)).toBeNull();
      }
    }
    expect(signer.verify('page', `${token}=`)).toBeNull();
    expect(signer.verify('page', ` ${token}`)).toBeNull();
    expect(signer.verify('page', `${token}\n`)).toBeNull();
  });

  it('never throws, whatever it is given', () => {
    fc.assert(
      fc.property(fc.anything(), (garbage) => {
        expect(signer.verify('page', garbage)).toBeNull();
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (body, mac) => {
        expect(signer.verify('page', `${body}.${mac}`)).toBeNull();
      }),
    );
    expect(signer.verify('page', 'a'.repeat(50_000_000))).toBeNull();
    expect(signer.verify('page', `${'a'.repeat(MAX_TOKEN_LENGTH)}.${'b'.repeat(43)}`)).toBeNull();
  });

  it('refuses a short secret and a payload that would not be accepted back', () => {
    expect(() => createTokenSigner(randomBytes(31))).toThrow(/32/);
    expect(() => signer.sign('page', { text: 'x'.repeat(MAX_TOKEN_LENGTH) })).toThrow(/longer/);
  });
});

describe('stableHash', () => {
  it('does not depend on the order of keys nor on empty ones', () => {
    expect(stableHash({ a: 1, b: { d: null, c: 2 } })).toBe(stableHash({ b: { c: 2 }, x: undefined, a: 1 }));
    fc.assert(
      fc.property(payload, (value) => {
        const reversed = Object.fromEntries(Object.entries(value).reverse());
        expect(stableHash(reversed)).toBe(stableHash(value));
        expect(stableHash({ ...value, 'not there': null })).toBe(stableHash({ ...value, 'not there': undefined }));
      }),
    );
  });

  it('counts members that are null where they are values', () => {
    const hash = (value: unknown) => finishAtOnce(stableHashParts(value, true));
    expect(hash({ a: null })).not.toBe(hash({}));
    expect(hash({ a: null })).not.toBe(hash({ b: null }));
    expect(hash({ a: null, b: undefined, c: [null] })).toBe(hash({ c: [null], a: null }));
    expect(hash({ a: 1, b: [2] })).toBe(stableHash({ a: 1, b: [2] }));
  });

  it('tells values apart', () => {
    const different = [
      null,
      0,
      1,
      '1',
      true,
      [],
      {},
      [null],
      [1],
      [1, 2],
      [2, 1],
      [null, 1],
      [1, null],
      { a: 1 },
      { a: '1' },
      1n,
    ];
    expect(new Set(different.map(stableHash)).size).toBe(different.length);
    expect(stableHash({ bounds: [null, 5] })).not.toBe(stableHash({ bounds: [5, null] }));
    expect(stableHash('a')).toMatch(/^[\w-]{43}$/);
  });

  it('refuses what is not plain data', () => {
    for (const value of [Number.NaN, new Map(), () => 1, Symbol('s')])
      expect(() => stableHash(value)).toThrow(TypeError);
  });
});
