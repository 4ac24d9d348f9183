import { expect, test } from 'vitest';
import { constraintOf, isUniqueViolation, type PostgresError } from './pg-errors.ts';

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
