import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createSealer, parseSealingKeys, type SealedPlace, SealingError, sealingKeyId } from './index.ts';

const place: SealedPlace = { tenantId: 7, table: 'tenant_secrets', column: 'secret', row: 'a' };
const value = Buffer.from('the value to protect');

function reasonOf(work: () => unknown): SealingError['reason'] {
  try {
    work();
  } catch (error) {
    if (error instanceof SealingError) return error.reason;
    throw error;
  }
  throw new Error('it was opened');
}

test('a sealed value opens where it was sealed, and does not contain the value', () => {
  const sealer = createSealer([randomBytes(32)]);
  for (const given of [value, Buffer.alloc(0), randomBytes(4096)]) {
    const sealed = sealer.seal(given, place);
    expect(sealer.open(sealed, place)).toEqual(given);
    expect(sealed.length).toBe(given.length + 37);
    expect(sealed.equals(sealer.seal(given, place))).toBe(false);
  }
  expect(sealer.seal(value, place).includes(value)).toBe(false);
});

test('the key of a row counts the same as a number and as text', () => {
  const sealer = createSealer([randomBytes(32)]);
  expect(sealer.open(sealer.seal(value, { ...place, row: 12 }), { ...place, row: '12' })).toEqual(value);
});

test.each<Partial<SealedPlace>>([
  { tenantId: 8 },
  { table: 'other' },
  { column: 'other' },
  { row: 'b' },
  { column: 'secret","a', row: '' },
])('a value that was moved to %j does not open', (other) => {
  const sealer = createSealer([randomBytes(32)]);
  const sealed = sealer.seal(value, place);
  expect(reasonOf(() => sealer.open(sealed, { ...place, ...other }))).toBe('damaged');
});

test('a value with any one byte changed, cut off or added does not open', () => {
  const sealer = createSealer([randomBytes(32)]);
  const sealed = sealer.seal(value, place);
  for (let index = 0; index < sealed.length; index++) {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(index) ^ 1, index);
    const inId = index >= 1 && index < 9;
    expect(reasonOf(() => sealer.open(changed, place))).toBe(inId ? 'unknownKey' : 'damaged');
    expect(reasonOf(() => sealer.open(sealed.subarray(0, index), place))).toBe('damaged');
  }
  expect(reasonOf(() => sealer.open(Buffer.concat([sealed, Buffer.of(0)]), place))).toBe('damaged');
});

test('the first key encrypts, all of them decrypt, and a value of a removed key says which one it needs', () => {
  const [old, next] = [randomBytes(32), randomBytes(32)];
  const before = createSealer([old]);
  const during = createSealer([next, old]);
  const after = createSealer([next]);
  const sealed = before.seal(value, place);
  expect(before.keyIds).toEqual([sealingKeyId(old)]);
  expect(during.keyIds).toEqual([sealingKeyId(next), sealingKeyId(old)]);
  expect(reasonOf(() => after.open(sealed, place))).toBe('unknownKey');
  expect(() => after.open(sealed, place)).toThrow(`no encryption key ${sealingKeyId(old)} is configured`);

  const anew = during.seal(during.open(sealed, place), place);
  expect(after.open(anew, place)).toEqual(value);
});

test('keys are read from one line or several', () => {
  const keys = [randomBytes(32), randomBytes(32)];
  const words = keys.map((key) => key.toString('base64'));
  expect(parseSealingKeys(words.join(','))).toEqual(keys);
  expect(parseSealingKeys(`${words.join('\n')}\n`)).toEqual(keys);
});

test('what is no key is refused without being quoted', () => {
  const key = randomBytes(32).toString('base64');
  expect(() => parseSealingKeys(' \n')).toThrow('there is no key');
  for (const wrong of ['secret', randomBytes(31).toString('base64'), `${key}AAAA`, key.replace(/^./, '!')]) {
    expect(() => parseSealingKeys(`${key},${wrong}`)).toThrow(/^key 2 is not 32 bytes in base64$/);
  }
});

test('a sealer needs keys of the right length, each once', () => {
  const key = randomBytes(32);
  expect(() => createSealer([])).toThrow('there is no encryption key');
  expect(() => createSealer([randomBytes(16)])).toThrow('an encryption key has 16 bytes; it must have 32');
  expect(() => createSealer([key, Buffer.from(key)])).toThrow('is given twice');
});
