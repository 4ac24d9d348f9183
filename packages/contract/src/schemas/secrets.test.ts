/** Secrets in answers: they are marked where they are declared, and stored answers leave them out. */
import { expect, test } from 'vitest';
import { operationList } from '../operations/index.ts';
import { closure, type Declaration, type DeclaredName, declarations, withoutSecrets } from './index.ts';

const marked = (name: string) =>
  Object.entries((declarations[name as DeclaredName] as Declaration).fields).flatMap(([field, schema]) =>
    schema['x-secret'] ? [field] : [],
  );

test('members of which the description says that they are shown once carry the mark', () => {
  const described = Object.entries<Declaration>(declarations).flatMap(([name, { description, fields }]) =>
    Object.entries(fields).flatMap(([field, schema]) =>
      /shown (once|only now)|not returned again/i.test(`${schema.description} ${description}`)
        ? [`${name}.${field}`]
        : [],
    ),
  );
  const carried = Object.keys(declarations).flatMap((name) => marked(name).map((field) => `${name}.${field}`));
  expect(described.length).toBeGreaterThan(5);
  expect(described.filter((member) => !carried.includes(member))).toEqual([]);
});

test('a stored answer keeps everything but the marked members, at whatever depth', () => {
  expect(withoutSecrets('CreateUserResponse', { userId: 1, generatedPassword: ['x'], nextOccToken: 2 })).toEqual({
    userId: 1,
    nextOccToken: 2,
  });
  expect(withoutSecrets('CreateServiceAccountKeyResponse', { keyId: 3, keyFile: { private_key: 'p' } })).toEqual({
    keyId: 3,
  });
  const post = { id: 1, customData: { secret: 'a value of a field' } };
  expect(withoutSecrets('PostDetail', post)).toEqual(post);
});

test('no answer of a write of many objects holds a secret: its parts are stored as they are', () => {
  const bulk = operationList.filter((operation) => operation.bulk);
  expect(bulk.length).toBeGreaterThan(0);
  for (const { responses } of bulk) expect([...closure([responses[200] as DeclaredName])].flatMap(marked)).toEqual([]);
});
