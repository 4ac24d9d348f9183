import { FieldType, FilterType, type GetPostDefinitionResponse } from '@portico/contract';
import { describe, expect, it } from 'vitest';
import { bigIntOf, resolveValues, writableValues } from './custom-data.ts';
import { ConfigurationError, UnknownNameError } from './errors.ts';
import { resolveFilters } from './filters.ts';
import { labelAnswer } from './labels.ts';
import { hasNames } from './name-check.ts';
import { editDistance, findNamed, nearest, unknownName } from './names.ts';

const definition: GetPostDefinitionResponse = {
  fieldDefinitions: [
    {
      id: 1,
      label: 'Severity',
      externalId: 'sev',
      type: FieldType.ENUM,
      enumValues: [
        { id: 11, label: 'Low', externalId: 'L' },
        { id: 12, label: 'High', externalId: 'H' },
        { id: 13, label: 'Old', externalId: '', deleted: true },
      ],
    },
    { id: 2, label: 'Due date', type: FieldType.DATE },
    { id: 3, label: 'Steps', type: FieldType.TEXT_AREA },
    { id: 4, label: 'People', type: FieldType.INT },
    { id: 5, label: 'Urgent', type: FieldType.FLAG },
    { id: 6, label: 'Owners', type: FieldType.GENERIC_ENTITY_LIST },
    { id: 7, label: 'Città', type: FieldType.STRING },
    { id: 8, label: 'Broken since', type: FieldType.DATETIME },
  ],
  workflowDefinition: {
    states: [
      { id: 31, name: 'Draft', externalId: 'draft' },
      { id: 32, name: 'Done', deleted: true },
    ],
    screenFieldMetadatas: [{ id: 21, label: 'Note', type: FieldType.STRING }],
  },
  hashtags: [{ id: 41, name: 'urgent' }],
};

describe('names', () => {
  it('finds by number, label, external id, and label without case and accents', () => {
    const fields = definition.fieldDefinitions ?? [];
    for (const name of [1, '1', 'Severity', 'sev', 'severity', ' SEVERITY '])
      expect(findNamed(fields, name)?.id).toBe(1);
    expect(findNamed(fields, 'citta')?.id).toBe(7);
    expect(findNamed(fields, 'nothing')).toBeUndefined();
    expect(
      findNamed(
        [
          { id: 1, label: 'x' },
          { id: 2, label: 'x' },
        ],
        'x',
      ),
    ).toBeUndefined();
    expect(
      findNamed(
        [
          { id: 1, label: 'x', deleted: true },
          { id: 2, label: 'x' },
        ],
        'x',
      )?.id,
    ).toBe(2);
  });

  it('suggests the nearest', () => {
    const names = ['Severity', 'Serial number', 'Due date'].map((label) => ({ label }));
    expect(nearest(names, 'Severty')).toEqual(['Severity']);
    expect(nearest(names, 'due')).toEqual(['Due date']);
    expect(nearest(names, 'xyzzyplugh')).toEqual([]);
    expect(editDistance('ab', 'ba')).toBe(1);
    expect(editDistance('', 'abc')).toBe(3);
  });
});

describe('filters by name', () => {
  it('resolves each kind of condition by the type of its field', () => {
    const { postFieldFilters, screenFieldFilters, currentWorkflowStatusIds, hashtagIds } = resolveFilters(definition, {
      where: {
        Severity: 'High',
        'Due date': { from: '2026-01-01', to: null },
        Steps: 'power',
        People: [3, '4'],
        Urgent: true,
        6: { in: [9, '10'] },
        Città: { equals: 'Roma' },
        Note: null,
        Status: 'Draft',
      },
      hashtags: ['urgent'],
    });
    expect(postFieldFilters).toEqual([
      { columnId: 6, typeId: FilterType.IN, parameters: [9, 10] },
      { columnId: 1, typeId: FilterType.IN, parameters: [12] },
      { columnId: 2, typeId: FilterType.INTERVAL, parameters: [Date.UTC(2026, 0, 1), null] },
      { columnId: 3, typeId: FilterType.LIKE, parameters: ['power'] },
      { columnId: 4, typeId: FilterType.IN, parameters: [3, 4] },
      { columnId: 5, typeId: FilterType.EQUAL, parameters: [true] },
      { columnId: 7, typeId: FilterType.EQUAL, parameters: ['Roma'] },
    ]);
    expect(screenFieldFilters).toEqual([{ columnId: 21, typeId: FilterType.IS_EMPTY, parameters: [] }]);
    expect(currentWorkflowStatusIds).toEqual([31]);
    expect(hashtagIds).toEqual([41]);
  });

  it('takes a day as the upper bound of moments for the whole of it', () => {
    const until = (to: string) =>
      resolveFilters(definition, { where: { 'Broken since': { from: '2026-01-01', to } } }).postFieldFilters;
    const filter = (to: number) => [
      { columnId: 8, typeId: FilterType.INTERVAL, parameters: [Date.UTC(2026, 0, 1), to] },
    ];
    expect(until('2026-01-31')).toEqual(filter(Date.UTC(2026, 1, 1) - 1));
    expect(until('2026-01-31T12:00:00Z')).toEqual(filter(Date.UTC(2026, 0, 31, 12)));
  });

  it('orders by the label of a field, and leaves the names of the interface alone', () => {
    expect(resolveFilters(definition, { orderBy: 'Due date' }).orderBy).toBe('postCustomField-2');
    expect(resolveFilters(definition, { orderBy: 'due DATE' }, true).orderBy).toBe('customField-2');
    expect(hasNames({ orderBy: 'postTitle' }, false)).toBe(false);
    expect(hasNames({ orderBy: 'postCustomField-2' }, false)).toBe(false);
    expect(hasNames({ orderBy: 'Due date' }, false)).toBe(true);
  });

  it.each([
    [{ where: { Severty: 'High' } }, 'Severity'],
    [{ where: { Severity: 'Hihg' } }, 'High'],
    [{ state: 'Drft' }, 'Draft'],
    [{ hashtags: 'urgnt' }, 'urgent'],
    [{ orderBy: 'Due dat' }, 'Due date'],
  ])('suggests what %j may mean', (input, suggestion) => {
    const error = (() => {
      try {
        return resolveFilters(definition, input);
      } catch (reason) {
        return reason;
      }
    })() as UnknownNameError;
    expect(error).toBeInstanceOf(UnknownNameError);
    expect(error.suggestions[0]).toBe(suggestion);
    expect(error.message).toContain(`did you mean "${suggestion}"`);
  });

  it('tells all names where none is near', () => {
    expect(() => resolveFilters(definition, { state: 'Archived' })).toThrow(
      'There is no workflow state "Archived"; there are: "Draft"',
    );
    const many = Array.from({ length: 30 }, (_, id) => ({ id, label: `Name ${id}` }));
    expect(unknownName('thing', many, 'xyzzyplughtwisty').message).toMatch(/there are: "Name 0", .* and 18 more$/);
  });

  it('takes numbers where the definition lists no values, as of large catalogs', () => {
    const large = {
      fieldDefinitions: [{ id: 9, label: 'Supplier', type: FieldType.HIERARCHICAL_ENUM, enumValues: [] }],
    };
    expect(resolveFilters(large, { where: { Supplier: [4711, '12'] } }).postFieldFilters).toEqual([
      { columnId: 9, typeId: FilterType.IN, parameters: [4711, 12] },
    ]);
    expect(resolveValues(large.fieldDefinitions, { supplier: 4711 })).toEqual({ 9: [4711] });
    expect(() => resolveFilters(large, { where: { Supplier: 'Brambilla' } })).toThrow('its catalog is large');
  });

  it('refuses what does not fit the field', () => {
    expect(() => resolveFilters(definition, { where: { 'Due date': 'soon' } })).toThrow(ConfigurationError);
    expect(() => resolveFilters(definition, { where: { People: 'many' } })).toThrow(ConfigurationError);
    expect(() => resolveFilters(definition, { where: { Severity: {} } })).toThrow(ConfigurationError);
  });
});

describe('custom data by name', () => {
  it('becomes ids', () => {
    const fields = definition.fieldDefinitions ?? [];
    expect(
      resolveValues(fields, {
        severity: 'H',
        'Due date': '2026-12-31',
        Owners: [{ id: 5 }, 6],
        People: '12',
        Urgent: 'false',
        3: 'text',
        Città: null,
      }),
    ).toEqual({ 1: [12], 2: Date.UTC(2026, 11, 31), 3: 'text', 4: 12, 5: false, 6: [5, 6], 7: null });
    expect(() => resolveValues(fields, { Severty: 'H' })).toThrow(UnknownNameError);
  });

  it('turns what was read into what can be written', () => {
    expect(writableValues({ 1: [{ id: 12, label: 'High' }], 2: 5, 3: null, 6: { id: 7 } })).toEqual({
      1: [12],
      2: 5,
      3: null,
      6: 7,
    });
  });
});

describe('integers of 64 bits', () => {
  it('are one type, however they came', () => {
    expect(bigIntOf(9007199254740991)).toBe(9007199254740991n);
    expect(bigIntOf('9223372036854775807')).toBe(9223372036854775807n);
    expect([bigIntOf(undefined), bigIntOf(null)]).toEqual([undefined, undefined]);
    expect(() => bigIntOf(1.5)).toThrow(RangeError);
  });

  it('are written as numbers as far as these hold them, beyond as digits', () => {
    const field = { id: 3, label: 'Number', type: FieldType.BIGINT };
    expect(resolveValues([field], { Number: 12n })).toEqual({ 3: 12 });
    expect(resolveValues([field], { Number: -9223372036854775808n })).toEqual({ 3: '-9223372036854775808' });
  });
});

describe('labels of answers', () => {
  const ids = { 1: 12, 3: 'Text', 4: 7, 6: [{ id: 5, label: 'Ada' }], 9: 'unknown' };

  it('replace the ids of fields and values in posts at any depth, as writes take them', async () => {
    const asked: number[] = [];
    const answer = {
      items: [{ id: 1, communityId: 7, customData: ids }],
      post: { communityId: 7, data: { customData: ids } },
    };
    const named = await labelAnswer(answer, async (communityId) => {
      asked.push(communityId);
      return definition;
    });
    const values = { Severity: 'High', Steps: 'Text', People: 7, Owners: [{ id: 5, label: 'Ada' }], 9: 'unknown' };
    expect(named).toEqual({
      items: [{ id: 1, communityId: 7, customData: values }],
      post: { communityId: 7, data: { customData: values } },
    });
    expect(asked).toEqual([7, 7]);
    const { 9: _, ...known } = values;
    expect(resolveValues(definition.fieldDefinitions ?? [], known)).toMatchObject({ 1: [12], 4: 7, 6: [5] });
  });

  it('stay ids where a label names something else, or several things', async () => {
    const fields = [
      { id: 1, label: 'Twice', type: FieldType.STRING },
      { id: 2, label: 'Twice', type: FieldType.STRING },
      { id: 3, label: '1', type: FieldType.STRING },
      {
        id: 4,
        label: 'Choice',
        type: FieldType.ENUM,
        enumValues: [
          { id: 9, label: '10' },
          { id: 10, label: 'Ten' },
        ],
      },
    ];
    const customData = { 1: 'a', 2: 'b', 3: 'c', 4: 9 };
    const read = async () => ({ fieldDefinitions: fields });
    expect(await labelAnswer({ communityId: 7, customData }, read)).toEqual({
      communityId: 7,
      customData: { 1: 'a', 2: 'b', 3: 'c', Choice: 9 },
    });
  });
});
