import { FieldType, fieldTypeName } from '@portico/contract';
import { typeOf } from '@portico/server/testing/dataset';
import { describe, expect, it } from 'vitest';
import { bigCommunityFields, sampledField, type ValueSource } from './field-plan.ts';
import { Dice } from './random.ts';

const from = (seed: number): ValueSource => ({
  dice: new Dice(seed),
  ids: [11, 12, 13],
  idsBelow: new Map(),
  parent: undefined,
  userIds: [21, 22, 23],
  groupIds: [31],
  index: 5,
  posts: 10,
  createdAt: Date.UTC(2026, 0, 5, 9),
  earlierPost: () => undefined,
});

describe('fields of the big community', () => {
  it('have every type', () => {
    expect(new Set(bigCommunityFields.map(({ field }) => field.type))).toEqual(new Set(Object.values(FieldType)));
  });

  it.each(Object.values(FieldType).map((type) => [fieldTypeName(type), type] as const))(
    'can be filled with samples: %s',
    (_name, type) => {
      const { field, value } = sampledField(type);
      for (let seed = 0; seed < 20; seed++) {
        const sample = value(from(seed));
        expect(sample).toBeDefined();
        expect(typeOf({ type }).parse(sample, { metadata: field.metadata ?? {} }, 1)).toEqual(sample);
      }
    },
  );
});
