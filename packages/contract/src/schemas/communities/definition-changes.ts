/**
 * Changes of definitions while posts hold data: treatment of the data, changes in the background,
 * former versions.
 */
import { FieldType } from '../../codes/field-types.ts';
import { definitionLimits } from '../../limits.ts';
import * as t from '../fields.ts';

const occToken = t.required(
  t.token('Token of the community, as its forms return it; a stale token returns 409.'),
  'Send the occToken that the form gave.',
);
const valueList = { maxItems: definitionLimits.fieldValues };

/** Treatment of data that a change removes. */
export function onExisting(words: readonly string[], description: string): t.FieldSchema {
  return t.word(words, `${description} If omitted, a change that affects data is rejected with their number.`);
}

/** Members of an answer about a change that was started. */
const begun: t.Fields = {
  changeId: t.int64(
    'The change that continues in the background, see listDefinitionChanges. Absent when all ' + 'work is done.',
  ),
  nextOccToken: t.token('Token of the community for the next edit.'),
};

/** Members of the answer of an edit whose change continues in the background. */
export const changeId = begun['changeId']!;

const part: t.Fields = {
  kind: t.word(['setting', 'field', 'value', 'state', 'transition', 'screen'], 'Kind of the part.'),
  id: t.int64('Id of the part; absent for settings.'),
  name: t.text('Name of the part, or of the setting.'),
};

export const definitionChangeTypes = {
  ValueMappingForm: t.type('Treatment of a value of a list in posts.', {
    fromId: t.requiredByRule(t.int64('Id of a value that the edit takes out of use.')),
    toId: t.int64('Id of the value that posts hold instead. If omitted, they hold none.'),
  }),
  StateMappingForm: t.type('Treatment of the posts in a state.', {
    fromStateId: t.requiredByRule(t.int64('Id of a state of the workflow that the edit omits or splits.')),
    to: t.requiredByRule(t.name('Name of their new state, one of `states`.')),
    conditions: t.list(
      'FieldConditionForm',
      'Only posts that meet all these conditions; among several entries for a state the first ' +
        'match applies. Default: all posts.',
      { maxItems: definitionLimits.conditions },
    ),
  }),
  RemoveFieldRequest: t.type('Treatment of the values of the field.', {
    onExisting: onExisting(
      ['keep', 'map', 'clear'],
      'Treatment of values: with `keep` they stay stored but hidden, and come back with the ' +
        'field; with `map` they move to another empty field; with `clear` they are deleted.',
    ),
    intoFieldId: t.int64('With `map`: the field of the same form that takes the values over.'),
    occToken,
  }),
  RemoveFieldResponse: t.type('The field is removed.', begun),
  ChangeFieldTypeRequest: t.type('The type that a field becomes.', {
    type: t.required(t.code(FieldType, 'The new type; see the table of conversions.')),
    enumValues: t.list(
      'FieldValueForm',
      'For a change from text to choice: the values. A text becomes the value of the same label.',
      valueList,
    ),
    onExisting: onExisting(
      ['clear'],
      'Treatment of values that the new type cannot hold: with `clear` their posts have no value in the new field.',
    ),
    occToken,
  }),
  ChangeFieldTypeResponse: t.type('The field of the new type.', {
    fieldId: t.int64('Id of the field of the new type, which takes the place of the former one.'),
    ...begun,
  }),
  DefinitionChange: t.type('A change of a definition that goes over the posts of the community.', {
    id: t.int64('Id of the change.'),
    kind: t.text('Kind of change.'),
    fieldId: t.int64('The field that it is about.'),
    status: t.word(['running', 'finished', 'cancelled', 'failed'], 'Progress.'),
    posts: t.count('Posts of the community when it began.'),
    postsDone: t.count('Posts that it has worked on.'),
    error: t.text('Reason of the failure.'),
    startedById: t.int64('User who started it.'),
    startedAt: t.time('Time at which it began.'),
    finishedAt: t.time('Time at which it ended.'),
  }),
  ListDefinitionChangesResponse: t.type('The newest changes of a definition, the newest first.', {
    changes: t.list('DefinitionChange', `The changes, at most ${definitionLimits.versions}.`),
  }),
  CancelDefinitionChangeResponse: t.type('The change as it was left.', {
    change: { $ref: 'DefinitionChange#', description: 'The change.' },
  }),
  DefinitionVersion: t.type('A version of the definition of a community.', {
    version: t.int64('Number of the version: the token of the community at that time.'),
    madeById: t.int64('User who made it.'),
    madeByName: t.text('Their name.'),
    madeAt: t.time('Time at which it was made.'),
    present: { type: 'boolean', description: 'Whether it is the present version.' },
  }),
  ListDefinitionVersionsResponse: t.type('Versions of a definition, the newest first.', {
    versions: t.list('DefinitionVersion', `The versions that are kept, at most ${definitionLimits.versions}.`),
  }),
  DefinitionPart: t.type('A part of a definition.', part),
  DefinitionPartChange: t.type('Difference between a version and the previous version.', {
    ...part,
    change: t.word(['added', 'removed', 'changed'], 'Kind of change.'),
    properties: t.texts('Names of the properties that changed.'),
  }),
  GetDefinitionVersionResponse: t.type('A version of a definition.', {
    version: t.int64('Number of the version.'),
    madeById: t.int64('User who made it.'),
    madeByName: t.text('Their name.'),
    madeAt: t.time('Time at which it was made.'),
    parts: t.list('DefinitionPart', 'Its fields with their values, states, transitions and screens.'),
    changes: t.list('DefinitionPartChange', 'Changes to the previous version; empty if none is kept.'),
  }),
  RestoreDefinitionVersionRequest: t.type('Treatment of data without a place in the version.', {
    onExisting: onExisting(
      ['keep', 'clear'],
      'Treatment of values of fields, and of posts in states, that the version does not have: ' +
        'with `keep` values stay stored but hidden, with `clear` they are deleted; posts stay in ' +
        'their states unless `stateMapping` moves them.',
    ),
    stateMapping: t.list(
      'StateMappingForm',
      'New states of the posts of each state that the version does not have: states of the version, by name.',
      { maxItems: definitionLimits.states },
    ),
    occToken,
  }),
  RestoreDefinitionVersionResponse: t.type('The definition is as it was.', begun),
};
