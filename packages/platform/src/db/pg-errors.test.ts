import { expect, test } from 'vitest';
import { constraintOf, isConnectionFailure, isUniqueViolation, type PostgresError } from './pg-errors.ts';

const refused = (fields: Partial<PostgresError>) =>
  Object.assign(new Error(fields.message ?? 'refused'), {
    code: '23505',
    severity: 'ERROR',
    ...fields,
  }) as PostgresError;

test('a constraint is read from its field, else from the message, without the number of a shard', () => {
  expect(constraintOf(refused({ constraint: 'posts__client_uid' }))).toBe('posts__client_uid');
  const onNode = refused({
    message: 'duplicate key value violates unique constraint "posts__client_uid_102153"',
  });
  expect(constraintOf(onNode)).toBe('posts__client_uid');
  expect(isUniqueViolation(onNode, 'posts__client_uid')).toBe(true);
  expect(isUniqueViolation(onNode, 'posts__custom_no')).toBe(false);
  expect(constraintOf(refused({ message: 'duplicate key' }))).toBeUndefined();
});

test('a server that ended in the middle is a failure of the connection, other internal errors are not', () => {
  const internal = (message: string) => isConnectionFailure(refused({ code: 'XX000', message }));
  expect(internal('failure on connection marked as essential: 127.0.0.1:9701')).toBe(true);
  expect(internal('postmaster was shut down, exiting')).toBe(true);
  expect(internal('cache lookup failed for type 1')).toBe(false);
});
