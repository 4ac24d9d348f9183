/** Addresses of webhooks. */
import { expect, test } from 'vitest';
import { FieldErrors } from '../../kernel/errors.ts';
import { readAddress } from './settings.ts';

test.each([
  'http://hooks.acme.example/',
  'https://127.0.0.1/',
  'https://localhost/',
  'https://[::1]/',
  'https://10.1.2.3/x',
  'https://hooks.acme.example/#x',
  'ftp://hooks.acme.example',
  'x',
])('the address %s is refused', (address) => {
  const errors = new FieldErrors();
  readAddress(address, ['localhost:8080'], errors);
  expect(() => errors.throwIfAny()).toThrow(
    expect.objectContaining({ errors: [expect.objectContaining({ field: 'address', code: 'INVALID_VALUE' })] }),
  );
});

test('a public address, and one that the operator lists, are accepted', () => {
  const errors = new FieldErrors();
  const read = (address: string) => readAddress(address, ['localhost:8080'], errors);
  expect(read('https://hooks.acme.example/a?b')).toEqual({
    address: 'https://hooks.acme.example/a?b',
    origin: 'https://hooks.acme.example',
  });
  expect(read('http://localhost:8080/a').origin).toBe('http://localhost:8080');
  expect(() => errors.throwIfAny()).not.toThrow();
});
