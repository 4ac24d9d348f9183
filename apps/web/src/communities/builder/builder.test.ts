/** Edits of drafts, their merge, the places of faults, and the treatments of losses. */
import type { CommunityFile } from '@portico/sdk';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addField,
  addState,
  addTransition,
  changeField,
  inFileOrder,
  keyFor,
  moveField,
  removeField,
  removeState,
  usersOf,
} from './edit-file.ts';
import { placeOfPath } from './faults.ts';
import { previewFields, previewValues } from './form-fields.ts';
import { isComplete, lossKey, omittedValues, treatmentsOf } from './losses.ts';
import { equalJson, mergeFiles } from './merge-files.ts';
import { BOX, layersOf, layOut } from './workflow-layout.ts';

const base: CommunityFile = {
  version: 1,
  community: { key: 'buy', name: 'Purchasing' },
  fields: [
    {
      key: 'kind',
      label: 'Kind',
      type: 'ENUM',
      values: [
        { key: 'new', label: 'New' },
        { key: 'old', label: 'Old' },
      ],
    },
    {
      key: 'price',
      label: 'Price',
      type: 'INT',
      section: 'Money',
      conditions: [{ field: 'kind', operator: 'notEmpty' }],
    },
    { key: 'note', label: 'Note', type: 'STRING' },
  ],
  views: [{ name: 'Short', fields: ['note', 'price'] }],
};
const keys = ({ fields = [] }: CommunityFile) => fields.map(({ key }) => key);

describe('edits', () => {
  test('give new objects keys of their labels, each once', () => {
    expect(keyFor('Größe (cm)', ['grosse_cm'], 'field')).toBe('größe_cm'.normalize('NFKD').replaceAll(/\p{M}/gu, ''));
    expect(keyFor('Note', ['note', 'note_2'], 'field')).toBe('note_3');
    expect(keyFor('!!', [], 'field')).toBe('field');
    expect(addField(base, 'fields', { label: 'Note', type: 'INT' })[1]).toBe('note_2');
  });

  test('move a field into the section of its new place, and keep the other fields in order', () => {
    const moved = moveField(base, 'fields', 'note', 'price');
    expect(keys(moved)).toEqual(['kind', 'note', 'price']);
    expect(moved.fields![1]).toEqual({ key: 'note', label: 'Note', type: 'STRING', section: 'Money' });
    expect(moveField(base, 'fields', 'note', 'none')).toBe(base);
  });

  test('name the users of a field, and remove it from views', () => {
    expect(usersOf(base, 'fields', 'kind')).toEqual(['Price']);
    const removed = removeField(base, 'fields', 'note');
    expect([keys(removed), removed.views]).toEqual([['kind', 'price'], [{ name: 'Short', fields: ['price'] }]]);
    expect(changeField(base, 'fields', 'price', { section: undefined }).fields![1]).not.toHaveProperty('section');
  });

  test('remove the transitions of a removed state', () => {
    const [one] = addState(base, 'Open');
    const [two] = addState(one, 'Done');
    const [file] = addTransition(two, { name: 'Close', from: 'open', to: 'done' });
    expect(file.workflow).toMatchObject({ states: [{ key: 'open', initial: true }, { key: 'done' }] });
    expect(removeState(file, 'done').workflow).toMatchObject({ states: [{ key: 'open' }], transitions: [] });
  });

  test('write members in the order of exports', () => {
    const shuffled = {
      fields: [{ type: 'INT', label: 'A', key: 'a' }],
      community: { name: 'B', key: 'b' },
      version: 1,
    };
    expect(JSON.stringify(inFileOrder(shuffled))).toBe(
      '{"version":1,"community":{"key":"b","name":"B"},"fields":[{"key":"a","label":"A","type":"INT"}]}',
    );
  });
});

describe('a merge', () => {
  test('joins changes of different places, new and removed objects, and a changed order', () => {
    const mine = moveField(changeField(base, 'fields', 'price', { required: true }), 'fields', 'note', 'kind');
    const [theirs] = addField(
      removeField(changeField(base, 'fields', 'price', { label: 'Cost' }), 'fields', 'none'),
      'fields',
      { label: 'Due', type: 'DATE' },
    );
    const { file, conflicts } = mergeFiles(base, mine, theirs);
    expect(conflicts).toEqual([]);
    expect(keys(file)).toEqual(['note', 'due', 'kind', 'price']);
    expect(file.fields!.find(({ key }) => key === 'price')).toMatchObject({ label: 'Cost', required: true });
    expect(keys(mergeFiles(base, removeField(base, 'fields', 'note'), theirs).file)).toEqual(['kind', 'price', 'due']);
  });

  test('names the places that both changed, and takes the preferred edit there alone', () => {
    const mine = changeField(base, 'fields', 'note', { label: 'Mine', required: true });
    const theirs = changeField(base, 'fields', 'note', { label: 'Theirs', sortable: true });
    for (const [prefer, label] of [
      ['mine', 'Mine'],
      ['theirs', 'Theirs'],
    ] as const) {
      const { file, conflicts } = mergeFiles(base, mine, theirs, prefer);
      expect(conflicts).toEqual(['fields.note.label']);
      expect(file.fields![2]).toMatchObject({ label, required: true, sortable: true });
    }
    const gone = mergeFiles(base, removeField(base, 'fields', 'note'), theirs);
    expect(gone.conflicts).toContain('fields.note');
  });

  test('with an unchanged file is the other file, whatever the order of members', () => {
    const change = fc.record({ label: fc.string(), required: fc.boolean(), section: fc.constantFrom('A', 'B') });
    const edited = fc
      .array(fc.tuple(fc.constantFrom('kind', 'price', 'note'), change), { maxLength: 4 })
      .map((edits) => edits.reduce((file, [key, one]) => changeField(file, 'fields', key, one), base));
    fc.assert(
      fc.property(edited, (file) => {
        for (const merged of [mergeFiles(base, file, base), mergeFiles(base, base, file), mergeFiles(base, file, file)])
          expect([equalJson(inFileOrder(merged.file), file), merged.conflicts]).toEqual([true, []]);
      }),
      { numRuns: 50 },
    );
  });
});

test('faults stand at the object that a path names', () => {
  const [file] = addState(base, 'Open');
  for (const [path, place] of [
    ['file.fields[1].conditions[0].field', 'fields price'],
    ['file.workflow.states[0].name', 'states open'],
    ['file.fields[9].label', ''],
    ['file.states[0].name', ''],
    ['file.community.key', ''],
  ] as const)
    expect(placeOfPath(file, path)).toBe(place);
});

test('values of inputs are named by keys, and a number that is half typed is left out', () => {
  const fields = previewFields(base, 'fields', [{ key: 'price', required: true }]);
  expect(fields.map(({ id, key, required }) => [id, key, required])).toEqual([
    [1, 'kind', false],
    [2, 'price', true],
    [3, 'note', false],
  ]);
  const values = { 1: [{ id: 2, label: 'Old' }], 2: '1,', 3: 'x' };
  expect(previewValues(base, 'fields', fields, values)).toEqual([
    { field: 'kind', values: ['old'] },
    { field: 'note', values: ['x'] },
  ]);
});

test('a loss is treated once its choice says where all data go', () => {
  const draft = changeField(base, 'fields', 'kind', { values: [{ key: 'new', label: 'New' }] });
  const values = { kind: 'values', field: 'kind' } as const;
  const state = { kind: 'state', state: 'open' } as const;
  const omitted = omittedValues(values, base, draft);
  expect(omitted.map(({ key }) => key)).toEqual(['old']);
  for (const [loss, chosen, complete] of [
    [values, undefined, false],
    [values, { treatment: 'keep' }, true],
    [values, { treatment: 'map' }, false],
    [values, { treatment: 'map', values: { old: '' } }, true],
    [state, { treatment: 'map' }, false],
    [state, { treatment: 'map', into: 'done' }, true],
  ] as const)
    expect(isComplete(loss, chosen, omitted), JSON.stringify(chosen)).toBe(complete);
  expect(
    treatmentsOf([values, state], {
      [lossKey(values)]: { treatment: 'map', values: { old: 'new' } },
      [lossKey(state)]: { treatment: 'map', into: 'done' },
    }),
  ).toEqual({
    stateChanges: [{ state: 'open', onExisting: 'map', into: 'done' }],
    fieldChanges: [{ field: 'kind', onExisting: 'map', values: [{ value: 'old', into: 'new' }] }],
  });
});

describe('the picture of a workflow', () => {
  test('has a layer for each least number of steps from the beginning, and unreached states in the last', () => {
    const states = ['a', 'b', 'c', 'd', 'lost'].map((key) => ({ key, ...(key === 'a' && { initial: true }) }));
    const leads = (from: string, to: string) => ({ key: `${from}${to}`, from, to });
    const transitions = [
      leads('a', 'b'),
      leads('a', 'c'),
      leads('b', 'd'),
      leads('c', 'd'),
      leads('d', 'a'),
      leads('d', 'x'),
    ];
    expect(Object.fromEntries(layersOf({ states, transitions }))).toEqual({ a: 0, b: 1, c: 1, d: 2, lost: 3 });
    expect(layOut({ states, transitions }).transitions.map(({ key }) => key)).toEqual(['ab', 'ac', 'bd', 'cd', 'da']);
  });

  test('keeps states apart and inside, for any workflow', () => {
    const index = fc.nat({ max: 11 });
    const workflows = fc.record({
      count: fc.nat({ max: 12 }),
      pairs: fc.array(fc.tuple(index, index), { maxLength: 30 }),
    });
    fc.assert(
      fc.property(workflows, ({ count, pairs }) => {
        const states = Array.from({ length: count }, (_, at) => ({
          key: String(at),
          ...(at === 0 && { initial: true }),
        }));
        const transitions = pairs.map(([from, to], at) => ({ key: String(at), from: String(from), to: String(to) }));
        const { width, height, states: placed } = layOut({ states, transitions });
        expect(placed.length).toBe(count);
        for (const [at, one] of placed.entries()) {
          expect(one.x - BOX.width / 2).toBeGreaterThanOrEqual(0);
          expect(one.x + BOX.width / 2).toBeLessThanOrEqual(width);
          expect(one.y + BOX.height / 2).toBeLessThanOrEqual(height);
          for (const other of placed.slice(at + 1))
            expect(Math.abs(one.x - other.x) >= BOX.width || Math.abs(one.y - other.y) >= BOX.height).toBe(true);
        }
      }),
      { numRuns: 50 },
    );
  });
});
