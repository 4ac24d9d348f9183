import { expect, test } from 'vitest';
import { FieldErrors, ValidationError } from './errors.ts';
import { missingFields, requireFields } from './missing-fields.ts';

const missing = (...args: Parameters<typeof missingFields>) =>
  missingFields(...args).map(({ field, code, defaultMessage }) => [field, code, defaultMessage].join(' ').trim());

test('names each required field of a body, and of the objects in it', () => {
  expect(missing('EditGroupRequest', {})).toEqual([
    'name REQUIRED_FIELD',
    'occToken REQUIRED_FIELD Send the occToken that the form gave.',
  ]);
  expect(missing('MarkWaitingRequest', { items: [{ kind: 'TASK', id: 1 }, {}] })).toEqual([
    'items[1].kind REQUIRED_FIELD',
    'items[1].id REQUIRED_FIELD',
  ]);
  expect(missing('CreateUserRequest', { firstname: 'Ada', lastname: 'L', userInfo: { area: {} } })).toEqual([
    'userInfo.area.id REQUIRED_FIELD',
  ]);
});

test('counts null, a blank text and a map of blank texts as absent, an empty list as present', () => {
  expect(missing('CreateUnitRequest', { name: ' \n' })).toEqual(['name REQUIRED_FIELD']);
  expect(missing('EditCatalogDeletedRequest', { deleted: null })).toEqual(['deleted REQUIRED_FIELD']);
  expect(missing('EditCatalogDeletedRequest', { deleted: false })).toEqual([]);
  const map = 'name REQUIRED_FIELD At least one translation is required.';
  expect(missing('CreateEditCatalogRequest', { name: {} })).toEqual([map]);
  expect(missing('CreateEditCatalogRequest', { name: { en: ' ' } })).toEqual([map]);
  expect(missing('PutCatalogEntriesRequest', { entries: [] })).toEqual([]);
});

test('leaves out the list whose elements are checked one by one, and values that are no objects', () => {
  const posts = [{}];
  expect(missing('TransitionPostsRequest', { workflowOperationId: 1, posts })).toEqual([
    'posts[0].postId REQUIRED_FIELD',
  ]);
  expect(missing('TransitionPostsRequest', { workflowOperationId: 1, posts }, 'posts')).toEqual([]);
  for (const value of [undefined, null, 'text', []]) expect(missing('EditGroupRequest', value)).toEqual([]);
});

test('a verb reports missing fields with its own errors, each field once', () => {
  const errors = new FieldErrors(missingFields('EditGroupRequest', { name: 'A' }));
  errors.add('email', 'INVALID_VALUE');
  errors.add('occToken', 'INVALID_VALUE');
  expect(errors.list.map(({ field, code }) => `${field} ${code}`)).toEqual([
    'occToken REQUIRED_FIELD',
    'email INVALID_VALUE',
  ]);
  expect(() => requireFields({ missing: errors.list })).toThrow(ValidationError);
  expect(requireFields({}, { name: 'A' })).toEqual({ name: 'A' });
});
