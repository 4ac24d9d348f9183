/**
 * Changes of definitions while posts hold data: treatment of the data, changes in the background,
 * former versions.
 */
import { FieldType } from '../codes/field-types.ts';
import { definitionLimits } from '../limits.ts';
import * as t from './fields.ts';

const occToken = t.required(t.token('Token of the community, as its forms give it; a stale one is a 409.'));
const valueList = { maxItems: definitionLimits.fieldValues };

/** Treatment of data that a change removes. */
export function onExisting(words: readonly string[], description: string): t.FieldSchema {
  return t.word(words, `${description} Left out, a change that concerns data is refused with their number.`);
}

/** Members of an answer about a change that was started. */
const begun: t.Fields = {
  changeId: t.int64('The change that goes on in the background, see listDefinitionChanges; left out, all is done.'),
  nextOccToken: t.token('Token of the community for the next edit.'),
};

/** Members of the answer of an edit whose change continues in the background. */
export const changeId = begun['changeId']!;

const part: t.Fields = {
  kind: t.word(['setting', 'field', 'value', 'state', 'transition', 'screen'], 'What kind of part it is.'),
  id: t.int64('Its id; left out for settings.'),
  name: t.text('What it is called, or the name of the setting.'),
};

export const definitionChangeTypes = {
  ValueMappingForm: t.type('What becomes of a value of a list in posts.', {
    fromId: t.required(t.int64('Id of a value that the edit takes out of use.')),
    toId: t.int64('Id of the value that posts hold instead. Left out, they hold none.'),
  }),
  StateMappingForm: t.type('What becomes of the posts in a state.', {
    fromStateId: t.required(
      t.int64('Id of a state of the workflow: one that the edit leaves out, or one that it splits.'),
    ),
    to: t.required(t.name('Name of the state that they are in afterwards, one of `states`.')),
    conditions: t.list(
      'FieldConditionForm',
      'Only posts for which all of these hold; of several entries for a state the first that holds decides. Left out: all posts.',
      { maxItems: definitionLimits.conditions },
    ),
  }),
  RemoveFieldRequest: t.type('What becomes of the values of the field.', {
    onExisting: onExisting(
      ['keep', 'map', 'clear'],
      'What becomes of values: with `keep` they stay stored, out of sight, and come back with the field; with `map` another field that is empty takes them over; with `clear` they are deleted.',
    ),
    intoFieldId: t.int64('With `map`: the field of the same form that takes the values over.'),
    occToken,
  }),
  RemoveFieldResponse: t.type('The field is removed.', begun),
  ChangeFieldTypeRequest: t.type('The type that a field becomes.', {
    type: t.required(t.code(FieldType, 'The new type; the table of conversions says what each type may become.')),
    enumValues: t.list(
      'FieldValueForm',
      'Where a text becomes a choice: the values. A text becomes the value of the same label.',
      valueList,
    ),
    onExisting: onExisting(
      ['clear'],
      'What becomes of values that the new type cannot hold: with `clear` their posts have no value in the new field.',
    ),
    occToken,
  }),
  ChangeFieldTypeResponse: t.type('The field of the new type.', {
    fieldId: t.int64('Id of the field of the new type, which takes the place of the former one.'),
    ...begun,
  }),
  DefinitionChange: t.type('A change of a definition that goes over the posts of the community.', {
    id: t.int64('Id of the change.'),
    kind: t.text('What is done.'),
    fieldId: t.int64('The field that it is about.'),
    status: t.word(['running', 'finished', 'cancelled', 'failed'], 'How far it is.'),
    posts: t.count('Posts of the community when it began.'),
    postsDone: t.count('Posts that it has worked on.'),
    error: t.text('Why it failed.'),
    startedById: t.int64('Who began it.'),
    startedAt: t.time('When it began.'),
    finishedAt: t.time('When it ended.'),
  }),
  ListDefinitionChangesResponse: t.type('The newest changes of a definition, the newest first.', {
    changes: t.list('DefinitionChange', `The changes, at most ${definitionLimits.versions}.`),
  }),
  CancelDefinitionChangeResponse: t.type('The change as it was left.', {
    change: { $ref: 'DefinitionChange#', description: 'The change.' },
  }),
  DefinitionVersion: t.type('A version of the definition of a community.', {
    version: t.int64('Number of the version: the token that the community had.'),
    madeById: t.int64('Who made it.'),
    madeByName: t.text('Their name.'),
    madeAt: t.time('When it was made.'),
    present: { type: 'boolean', description: 'Whether it is the present version.' },
  }),
  ListDefinitionVersionsResponse: t.type('Versions of a definition, the newest first.', {
    versions: t.list('DefinitionVersion', `The versions that are kept, at most ${definitionLimits.versions}.`),
  }),
  DefinitionPart: t.type('A part of a definition.', part),
  DefinitionPartChange: t.type('What a version has that the one before it has not.', {
    ...part,
    change: t.word(['added', 'removed', 'changed'], 'What happened to it.'),
    properties: t.texts('Names of the properties that changed.'),
  }),
  GetDefinitionVersionResponse: t.type('A version of a definition.', {
    version: t.int64('Number of the version.'),
    madeById: t.int64('Who made it.'),
    madeByName: t.text('Their name.'),
    madeAt: t.time('When it was made.'),
    parts: t.list('DefinitionPart', 'Its fields with their values, states, transitions and screens.'),
    changes: t.list('DefinitionPartChange', 'What it changed of the version before it; empty where none is kept.'),
  }),
  RestoreDefinitionVersionRequest: t.type('What becomes of data that the version has no place for.', {
    onExisting: onExisting(
      ['keep'],
      'What becomes of values of fields, and of posts in states, that the version does not have: with `keep` they stay stored, out of sight, and posts stay in their states.',
    ),
    occToken,
  }),
  RestoreDefinitionVersionResponse: t.type('The definition is as it was.', begun),
};
