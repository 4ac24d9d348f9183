import { describe, expect, it } from 'vitest';
import { type OperationId, operationById, operationList } from './operations/index.ts';
import {
  type DeclaredName,
  declarations,
  extensionFields,
  extensionTypeNames,
  type FieldSchema,
} from './schemas/index.ts';
import { answerDeviations, fieldDeviations } from './testing/deviations.ts';
import { type Reference, type ReferenceField, readReference } from './testing/reference.ts';

const reference = readReference();
const google = 'createAccessTokenByGoogleOAuth2';

/** Kind of a field in JSON, in the words of the reference. */
function referenceKind(field: ReferenceField): string {
  if (field.ref !== undefined && field.type === undefined) return `-> ${field.ref}`;
  if (field.type === 'array')
    return `array of ${field.items?.ref ? `-> ${field.items.ref}` : itemKind(field.items?.type, field.items?.format)}`;
  if (field.type === 'object') {
    const { ref, type } = field.additionalProperties ?? {};
    return `map of ${ref ? `-> ${ref}` : type}`;
  }
  return `${field.type} ${field.format ?? ''}`;
}

/** Kind of a field in JSON, as declared here; any JSON value is `object` in the reference. */
function declaredKind(field: FieldSchema): string {
  if (field.$ref) return `-> ${field.$ref.slice(0, -1)}`;
  if (field.type === 'array')
    return `array of ${field.items?.$ref ? declaredKind(field.items) : itemKind(field.items?.type ?? 'object', field.items?.format)}`;
  if (field.type === 'object') {
    const value = field.additionalProperties;
    return `map of ${value?.$ref ? declaredKind(value) : (value?.type ?? 'object')}`;
  }
  return `${field.type} ${field.format ?? ''}`;
}

function itemKind(type: string | undefined, format: string | undefined): string {
  return `${type} ${format ?? ''}`;
}

describe.skipIf(!reference)('the contract and ../shared/contract/interface.json', () => {
  const given = reference as Reference;
  it('has exactly its operations and the Google exchange', () => {
    const ids = [...given.operations.map(({ id }) => id), google].sort();
    const own = operationList.filter(({ extension }) => !extension);
    expect(own.map(({ id }) => id).sort()).toEqual(ids);
  });

  it('has each operation with its method, path, parameters, body and answers', () => {
    for (const expected of given.operations) {
      const operation = operationById(expected.id as OperationId);
      const deviation = answerDeviations[expected.id as OperationId];
      const query = Object.entries(operation.query).filter(([, { extension }]) => !extension);
      expect({
        method: operation.method,
        path: operation.path,
        pathParams: operation.pathParams,
        query: Object.fromEntries(query.map(([name, { type }]) => [name, type])),
        body: operation.body,
        responses: operation.responses,
        deprecated: operation.deprecated ?? false,
      }).toEqual({
        method: expected.method,
        path: expected.path,
        pathParams: expected.path_params ?? {},
        query: Object.fromEntries(
          Object.entries(expected.query ?? {}).map(([name, type]) => [name, type.split(' ')[0]]),
        ),
        body: expected.body ?? null,
        responses: { ...expected.responses, ...(deviation && { [deviation.status]: deviation.declared }) },
        deprecated: expected.deprecated ?? false,
      });
      for (const [name, type] of Object.entries(expected.query ?? {})) {
        const stated = /default (true|false)/.exec(type)?.[1];
        if (stated) expect(operation.query[name]?.default, `${expected.id} ${name}`).toBe(stated === 'true');
      }
    }
  });

  it('deviates only where it says why, and still does', () => {
    for (const [id, deviation] of Object.entries(answerDeviations)) {
      const described = given.operations.find((operation) => operation.id === id)?.responses;
      expect(described?.[String(deviation.status)], id).not.toBe(deviation.declared);
      expect(deviation.reason.length, id).toBeGreaterThan(20);
    }
    expect(Object.keys(fieldDeviations).sort()).toEqual(Object.keys(extensionFields).sort());
    for (const [name, fields] of Object.entries(extensionFields)) {
      const described = Object.keys(given.types[name]?.fields ?? {});
      expect(
        fields.filter((field) => described.includes(field)),
        name,
      ).toEqual([]);
    }
  });

  it('has exactly its types', () => {
    const own = Object.keys(declarations).filter((name) => !extensionTypeNames.includes(name));
    expect(own.sort()).toEqual(Object.keys(given.types).sort());
  });

  it('has each type with exactly its fields, but for declared extensions', () => {
    for (const [name, { fields }] of Object.entries(given.types)) {
      const declared = Object.keys(declarations[name as DeclaredName].fields);
      const extra = extensionFields[name] ?? [];
      expect(declared.filter((field) => !extra.includes(field)).sort(), name).toEqual(Object.keys(fields).sort());
    }
  });

  it('has each field with its type on the wire', () => {
    const differences: string[] = [];
    for (const [name, { fields }] of Object.entries(given.types)) {
      const declared: Record<string, FieldSchema> = { ...declarations[name as DeclaredName].fields };
      for (const [field, expected] of Object.entries(fields)) {
        const actual = declared[field];
        const wanted = referenceKind(expected);
        if (!actual || declaredKind(actual) !== wanted) {
          differences.push(`${name}.${field}: ${actual && declaredKind(actual)} instead of ${wanted}`);
        }
      }
    }
    expect(differences).toEqual([]);
  });

  it('describes everything in words of its own', () => {
    const notes = new Set<string>();
    const normal = (text: string) => text.trim().toLowerCase().replace(/\.$/, '');
    for (const { note } of given.operations) if (note) notes.add(normal(note));
    for (const { fields } of Object.values(given.types)) {
      for (const { note } of Object.values(fields)) if (note) notes.add(normal(note));
    }
    const texts = operationList.flatMap(({ summary, description, query }) => [
      summary,
      description,
      ...Object.values(query).map((param) => param.description),
    ]);
    for (const declaration of Object.values(declarations)) {
      texts.push(declaration.description);
      for (const field of Object.values<FieldSchema>(declaration.fields)) texts.push(field.description ?? '');
    }
    expect(texts.filter((text) => notes.has(normal(text)))).toEqual([]);
  });
});
