/** The form of a workflow, for the builders of communities. */
import { definitionLimits, listLimits, transitionValueSources } from '../../limits.ts';
import { changeId, onExisting } from '../communities/definition-changes.ts';
import { fieldSettings, fieldType, openToRoles, writtenLabel } from '../communities/definition-forms.ts';
import * as t from '../fields.ts';

const openTo: t.Fields = {
  roles: openToRoles('To whom it is open'),
  groupIds: t.ids('Members of these groups.', { maxItems: listLimits.items }),
  byAuthor: t.flag('The creator of the post.'),
  fieldIds: t.ids('People whom the post holds in these fields. If omitted, the current fields stay.', {
    maxItems: definitionLimits.conditions,
  }),
};
const externalId = t.text('Identifier in another system.');
/**
 * A field created together with its form: conditions name fields by id, so they are added later.
 */
const { conditions: _conditions, defaultValue: _default, ...newFieldSettings } = fieldSettings;
const screen = (what: string) => t.name(`Name of the screen ${what}, one of \`screens\`.`);

const metadata = t.textMap('Further properties for programs, text to text. If omitted, the current properties stay.');

export const workflowFormTypes = {
  WorkflowAccessForm: t.type('People with access; each of these conditions suffices.', openTo),
  WorkflowStateForm: t.type('A state of a workflow.', {
    id: t.int64('Id of the state. If omitted, the state is new.'),
    name: t.required(t.name('Name of the state, unique in the workflow.')),
    description: t.text('Meaning of the state.'),
    color: t.checked(t.text('Colour, as `#` and six hexadecimal digits.'), { pattern: '^(?:#[0-9A-Fa-f]{6})?$' }),
    initial: t.flag('Whether posts can begin in this state.'),
    terminal: t.flag('Whether work on a post ends in this state.'),
    externalId,
    metadata,
    screen: screen('that can be edited in this state'),
    edit: t.ref('WorkflowAccessForm', 'People with the right to edit that screen.'),
  }),
  WorkflowTransitionForm: t.type('A transition of a workflow.', {
    id: t.int64('Id of the transition. If omitted, the transition is new.'),
    name: t.required(t.name('Name of the transition, as on a button.')),
    from: t.requiredByRule(t.name('Name of the source state, one of `states`.')),
    to: t.requiredByRule(t.name('Name of the target state, one of `states`.')),
    externalId,
    metadata,
    screen: screen('to be filled in'),
    run: t.ref('WorkflowAccessForm', 'People with the right to run it. Default: contributors and managers.'),
    conditions: t.list(
      'FieldConditionForm',
      'Conditions under which a post offers it: all must hold. They name fields of screens, ' +
        'and fields of posts if only one community has the workflow. If omitted, the current ' +
        'conditions stay; if empty, it is always offered.',
      { maxItems: definitionLimits.conditions },
    ),
    sets: t.list(
      'TransitionValueForm',
      'Values that running it sets in fields of screens. If omitted, the current values stay.',
      {
        maxItems: definitionLimits.transitionValues,
      },
    ),
  }),
  TransitionValueForm: t.type('A value that a transition sets.', {
    fieldId: t.required(t.int64('Id of the field of a screen.')),
    source: t.word(
      transitionValueSources,
      'Value to set: `value`, the time of the step in a date, or the person who runs it in a field of people.',
      { default: 'value' },
    ),
    values: t.anyList(
      'With `value`: the new content of the field, one value or several; without any value the field is emptied.',
    ),
  }),
  WorkflowScreenFieldForm: t.type('A field as shown on one screen.', {
    label: t.name('Label of the field, one of `screenFields`; required if `fieldId` is omitted.'),
    fieldId: t.int64('Id of the field, if it exists.'),
    required: t.flag('Whether the screen cannot be sent without a value.'),
  }),
  WorkflowScreenForm: t.type('A screen of a workflow.', {
    id: t.int64('Id of the screen. If omitted, the screen is new.'),
    name: t.requiredByRule(t.name('Name of the screen, unique in the workflow.')),
    message: t.text('Instructions for the person who fills it in.'),
    fields: t.list('WorkflowScreenFieldForm', 'Its fields, in order.', { maxItems: definitionLimits.fields }),
  }),
  ScreenFieldForm: t.type('A new field of the screens of a workflow.', {
    label: writtenLabel,
    type: t.required(fieldType),
    ...newFieldSettings,
    catalogId: t.int64('Catalog whose entries are the values of an enumerated field.'),
    parent: t.name(
      'In hierarchical fields: label of the enumerated parent field, which must come earlier ' + 'in the list.',
    ),
    searchable: t.flag('Whether lists can be filtered by the field. A new field is searchable.'),
    sortable: t.flag('Whether lists can be ordered by the field.'),
  }),
  ScreenFieldElement: t.type('A field of the screens of a workflow.', {
    fieldId: t.int64('Id of the field; the key in screen data.'),
    label: t.text('The displayed text.'),
    type: fieldType,
  }),
  CreateCommunityWorkflowRequest: t.type('A workflow for a community without a workflow.', {
    title: t.required(t.name('Name of the workflow.')),
    states: t.requiredByRule(
      t.list('WorkflowStateForm', 'Its states, in order; one at least is initial.', {
        maxItems: definitionLimits.states,
      }),
    ),
    transitions: t.list('WorkflowTransitionForm', 'Transitions between the states, in order.', {
      maxItems: definitionLimits.transitions,
    }),
    screens: t.list('WorkflowScreenForm', 'Forms of transitions and states.', { maxItems: definitionLimits.states }),
    screenFields: t.list('ScreenFieldForm', 'Fields of the screens, in order.', { maxItems: definitionLimits.fields }),
  }),
  CreateCommunityWorkflowResponse: t.type('The workflow that was created.', {
    workflowId: t.int64('Id of the workflow.'),
    stateIds: t.ids('Ids of its states, in the order in which they were sent.'),
    transitionIds: t.ids('Ids of its transitions, in the order in which they were sent.'),
    nextOccToken: t.token('Token of the community for the next edit.'),
  }),
  GetCommunityWorkflowForEditResponse: t.type('Editable settings of the workflow of a community.', {
    title: t.text('Name of the workflow.'),
    states: t.list('WorkflowStateForm', 'States in use, in order.'),
    transitions: t.list('WorkflowTransitionForm', 'Transitions in use, in order.'),
    screens: t.list('WorkflowScreenForm', 'Screens that states and transitions can name.'),
    screenFields: t.list('ScreenFieldElement', 'Fields that screens can show, in order. Read-only here.'),
    occToken: t.token('Token of the community, to send back with the next edit.'),
  }),
  EditCommunityWorkflowRequest: t.type(
    'States and transitions of a workflow: entries with an id are updated, entries without an ' +
      'id are new, and omitted entries are taken out of use.',
    {
      title: t.name('Name of the workflow. If omitted, it stays unchanged.'),
      states: t.required(
        t.list('WorkflowStateForm', 'The states, in order; one at least is initial.', {
          maxItems: definitionLimits.states,
        }),
      ),
      transitions: t.required(
        t.list('WorkflowTransitionForm', 'The transitions, in order.', { maxItems: definitionLimits.transitions }),
      ),
      screens: t.list(
        'WorkflowScreenForm',
        'The screens: entries with an id are updated, entries without an id are new, omitted ' +
          'entries are deleted. If the list is omitted, all screens stay.',
        { maxItems: definitionLimits.states },
      ),
      onExisting: onExisting(
        ['keep', 'map'],
        'Treatment of posts in omitted states: with `keep` they stay there; with `map` they ' +
          'move to the states in `stateMapping`.',
      ),
      stateMapping: t.list(
        'StateMappingForm',
        'With `map`: new states of the posts of each state. A state that stays can be split in the same way.',
        { maxItems: definitionLimits.states },
      ),
      occToken: t.formToken,
    },
  ),
  EditCommunityWorkflowResponse: t.type('Result of the edit of a workflow.', {
    screenIds: t.ids('Ids of the screens, in the order in which they were sent.'),
    stateIds: t.ids('Ids of the states, in the order in which they were sent.'),
    transitionIds: t.ids('Ids of the transitions, in the order in which they were sent.'),
    changeId,
    nextOccToken: t.token('Token of the community for the next edit.'),
  }),
};
