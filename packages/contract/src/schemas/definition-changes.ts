/** Changes of definitions while posts hold data: what becomes of it, what goes on in the background, former versions. */
import { FieldType } from '../codes/field-types.ts';
import { definitionLimits } from '../limits.ts';
import {
  code,
  count,
  type FieldSchema,
  type Fields,
  int64,
  list,
  required,
  text,
  texts,
  time,
  token,
  type,
  word,
} from './fields.ts';

const occToken = required(token('Token of the community, as its forms give it; a stale one is a 409.'));
const valueList = { maxItems: definitionLimits.fieldValues };

/** What becomes of data that a change takes away. */
export function onExisting(words: readonly string[], description: string): FieldSchema {
  return word(words, `${description} Left out, a change that concerns data is refused with their number.`);
}

/** What an answer says of the change that was begun. */
const begun: Fields = {
  changeId: int64('The change that goes on in the background, see listDefinitionChanges; left out, all is done.'),
  nextOccToken: token('Token of the community for the next edit.'),
};

/** Members of the answer of an edit whose change goes on in the background. */
export const changeId = begun['changeId']!;

const part: Fields = {
  kind: word(['setting', 'field', 'value', 'state', 'transition', 'screen'], 'What kind of part it is.'),
  id: int64('Its id; left out for settings.'),
  name: text('What it is called, or the name of the setting.'),
};

export const definitionChangeTypes = {
  ValueMappingForm: type('What becomes of a value of a list in posts.', {
    fromId: required(int64('Id of a value that the edit takes out of use.')),
    toId: int64('Id of the value that posts hold instead. Left out, they hold none.'),
  }),
  StateMappingForm: type('What becomes of the posts in a state.', {
    fromStateId: required(int64('Id of a state of the workflow: one that the edit leaves out, or one that it splits.')),
    to: required(text('Name of the state that they are in afterwards, one of `states`.')),
    conditions: list(
      'FieldConditionForm',
      'Only posts for which all of these hold; of several entries for a state the first that holds decides. Left out: all posts.',
      { maxItems: definitionLimits.conditions },
    ),
  }),
  RemoveFieldRequest: type('What becomes of the values of the field.', {
    onExisting: onExisting(
      ['keep', 'map', 'clear'],
      'What becomes of values: with `keep` they stay stored, out of sight, and come back with the field; with `map` another field that is empty takes them over; with `clear` they are deleted.',
    ),
    intoFieldId: int64('With `map`: the field of the same form that takes the values over.'),
    occToken,
  }),
  RemoveFieldResponse: type('The field is removed.', begun),
  ChangeFieldTypeRequest: type('The type that a field becomes.', {
    type: required(code(FieldType, 'The new type; the table of conversions says what each type may become.')),
    enumValues: list(
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
  ChangeFieldTypeResponse: type('The field of the new type.', {
    fieldId: int64('Id of the field of the new type, which takes the place of the former one.'),
    ...begun,
  }),
  DefinitionChange: type('A change of a definition that goes over the posts of the community.', {
    id: int64('Id of the change.'),
    kind: text('What is done.'),
    fieldId: int64('The field that it is about.'),
    status: word(['running', 'finished', 'cancelled', 'failed'], 'How far it is.'),
    posts: count('Posts of the community when it began.'),
    postsDone: count('Posts that it has worked on.'),
    error: text('Why it failed.'),
    startedById: int64('Who began it.'),
    startedAt: time('When it began.'),
    finishedAt: time('When it ended.'),
  }),
  ListDefinitionChangesResponse: type('The newest changes of a definition, the newest first.', {
    changes: list('DefinitionChange', `The changes, at most ${definitionLimits.versions}.`),
  }),
  CancelDefinitionChangeResponse: type('The change as it was left.', {
    change: { $ref: 'DefinitionChange#', description: 'The change.' },
  }),
  DefinitionVersion: type('A version of the definition of a community.', {
    version: int64('Number of the version: the token that the community had.'),
    madeById: int64('Who made it.'),
    madeByName: text('Their name.'),
    madeAt: time('When it was made.'),
    present: { type: 'boolean', description: 'Whether it is the present version.' },
  }),
  ListDefinitionVersionsResponse: type('Versions of a definition, the newest first.', {
    versions: list('DefinitionVersion', `The versions that are kept, at most ${definitionLimits.versions}.`),
  }),
  DefinitionPart: type('A part of a definition.', part),
  DefinitionPartChange: type('What a version has that the one before it has not.', {
    ...part,
    change: word(['added', 'removed', 'changed'], 'What happened to it.'),
    properties: texts('Names of the properties that changed.'),
  }),
  GetDefinitionVersionResponse: type('A version of a definition.', {
    version: int64('Number of the version.'),
    madeById: int64('Who made it.'),
    madeByName: text('Their name.'),
    madeAt: time('When it was made.'),
    parts: list('DefinitionPart', 'Its fields with their values, states, transitions and screens.'),
    changes: list('DefinitionPartChange', 'What it changed of the version before it; empty where none is kept.'),
  }),
  RestoreDefinitionVersionRequest: type('What becomes of data that the version has no place for.', {
    onExisting: onExisting(
      ['keep'],
      'What becomes of values of fields, and of posts in states, that the version does not have: with `keep` they stay stored, out of sight, and posts stay in their states.',
    ),
    occToken,
  }),
  RestoreDefinitionVersionResponse: type('The definition is as it was.', begun),
};
