/** The form of a workflow, for those who build communities. */
import { definitionLimits, listLimits, transitionValueSources } from '../limits.ts';
import { changeId, onExisting } from './definition-changes.ts';
import { fieldSettings, fieldType, openToRoles, writtenLabel } from './definition-forms.ts';
import {
  anyList,
  checked,
  type Fields,
  flag,
  ids,
  int64,
  list,
  ref,
  required,
  text,
  textMap,
  token,
  type,
  word,
} from './fields.ts';

const openTo: Fields = {
  roles: openToRoles('To whom it is open'),
  groupIds: ids('Members of these groups.', { maxItems: listLimits.items }),
  byAuthor: flag('The creator of the post.'),
  fieldIds: ids('People whom the post holds in these fields; left out, those that it has stay.', {
    maxItems: definitionLimits.conditions,
  }),
};
const externalId = text('Identifier in another system.');
/** A field that is made together with the form it stands in: conditions name fields by id, so they come later. */
const { conditions: _conditions, defaultValue: _default, ...newFieldSettings } = fieldSettings;
const screen = (what: string) => text(`Name of the screen ${what}, one of \`screens\`.`);

const metadata = textMap('Further properties for programs, text to text. Left out, those that it has stay.');

export const workflowFormTypes = {
  WorkflowAccessForm: type('Whom something is open to: each of these suffices.', openTo),
  WorkflowStateForm: type('A state of a workflow.', {
    id: int64('Id of the state. Left out, the state is new.'),
    name: required(text('Name of the state, unique in the workflow.')),
    description: text('What the state means.'),
    color: checked(text('Colour, as `#` and six hexadecimal digits.'), { pattern: '^(?:#[0-9A-Fa-f]{6})?$' }),
    initial: flag('Whether posts can begin in this state.'),
    terminal: flag('Whether work on a post ends in this state.'),
    externalId,
    metadata,
    screen: screen('that can be edited in this state'),
    edit: ref('WorkflowAccessForm', 'Who may edit that screen.'),
  }),
  WorkflowTransitionForm: type('A transition of a workflow.', {
    id: int64('Id of the transition. Left out, the transition is new.'),
    name: required(text('Name of the transition, as on a button.')),
    from: required(text('Name of the state it leads away from, one of `states`.')),
    to: required(text('Name of the state it leads to, one of `states`.')),
    externalId,
    metadata,
    screen: screen('to be filled in'),
    run: ref('WorkflowAccessForm', 'Who may run it. Left out: contributors and managers.'),
    conditions: list(
      'FieldConditionForm',
      'When a post offers it: all of these hold. They name fields of screens, and of posts where one community has the workflow. Left out, those that it has stay; empty: always.',
      { maxItems: definitionLimits.conditions },
    ),
    sets: list(
      'TransitionValueForm',
      'Values that running it sets in fields of screens; left out, those that it has stay.',
      {
        maxItems: definitionLimits.transitionValues,
      },
    ),
  }),
  TransitionValueForm: type('A value that a transition sets.', {
    fieldId: required(int64('Id of the field of a screen.')),
    source: word(
      transitionValueSources,
      'What it sets: `value`, the moment of the step in a date, or whoever runs it in a field of people.',
      { default: 'value' },
    ),
    values: anyList('With `value`: what the field holds then, one value or several; without any the field is emptied.'),
  }),
  WorkflowScreenFieldForm: type('A field as shown on one screen.', {
    label: text('Label of the field, one of `screenFields`; needed where `fieldId` is left out.'),
    fieldId: int64('Id of the field, where it exists.'),
    required: flag('Whether the screen cannot be sent without a value.'),
  }),
  WorkflowScreenForm: type('A screen of a workflow.', {
    id: int64('Id of the screen. Left out, the screen is new.'),
    name: required(text('Name of the screen, unique in the workflow.')),
    message: text('What to tell the person who fills it in.'),
    fields: list('WorkflowScreenFieldForm', 'Its fields, in order.', { maxItems: definitionLimits.fields }),
  }),
  ScreenFieldForm: type('A new field of the screens of a workflow.', {
    label: writtenLabel,
    type: required(fieldType),
    ...newFieldSettings,
    catalogId: int64('Catalog whose entries are the values of an enumerated field.'),
    parent: text('Label of the enumerated field above, in hierarchical fields: one that comes before.'),
    searchable: flag('Whether lists can be filtered by the field. A new field is searchable.'),
    sortable: flag('Whether lists can be ordered by the field.'),
  }),
  ScreenFieldElement: type('A field of the screens of a workflow.', {
    fieldId: int64('Id of the field; the key in screen data.'),
    label: text('What people see.'),
    type: fieldType,
  }),
  CreateCommunityWorkflowRequest: type('A workflow for a community that has none.', {
    title: required(text('Name of the workflow.')),
    states: required(
      list('WorkflowStateForm', 'Its states, in order; one at least is initial.', {
        maxItems: definitionLimits.states,
      }),
    ),
    transitions: list('WorkflowTransitionForm', 'Transitions between the states, in order.', {
      maxItems: definitionLimits.transitions,
    }),
    screens: list('WorkflowScreenForm', 'Forms of transitions and states.', { maxItems: definitionLimits.states }),
    screenFields: list('ScreenFieldForm', 'Fields of the screens, in order.', { maxItems: definitionLimits.fields }),
  }),
  CreateCommunityWorkflowResponse: type('The workflow that was created.', {
    workflowId: int64('Id of the workflow.'),
    stateIds: ids('Ids of its states, in the order in which they were sent.'),
    transitionIds: ids('Ids of its transitions, in the order in which they were sent.'),
    nextOccToken: token('Token of the community for the next edit.'),
  }),
  GetCommunityWorkflowForEditResponse: type('What can be edited about the workflow of a community.', {
    title: text('Name of the workflow.'),
    states: list('WorkflowStateForm', 'States in use, in order.'),
    transitions: list('WorkflowTransitionForm', 'Transitions in use, in order.'),
    screens: list('WorkflowScreenForm', 'Screens that states and transitions can name.'),
    screenFields: list('ScreenFieldElement', 'Fields that screens can show, in order. Read-only here.'),
    occToken: token('Token of the community, to send back with the next edit.'),
  }),
  EditCommunityWorkflowRequest: type(
    'States and transitions of a workflow: those with an id are changed, those without are new, and those that are left out are taken out of use.',
    {
      title: text('Name of the workflow; left out, it stays.'),
      states: required(
        list('WorkflowStateForm', 'The states, in order; one at least is initial.', {
          maxItems: definitionLimits.states,
        }),
      ),
      transitions: required(
        list('WorkflowTransitionForm', 'The transitions, in order.', { maxItems: definitionLimits.transitions }),
      ),
      screens: list(
        'WorkflowScreenForm',
        'The screens: those with an id are changed, those without are new, those that are left out are deleted. Left out, they stay.',
        { maxItems: definitionLimits.states },
      ),
      onExisting: onExisting(
        ['keep', 'map'],
        'What becomes of posts in states that are left out: with `keep` they stay there; with `map` they are in the states that `stateMapping` says.',
      ),
      stateMapping: list(
        'StateMappingForm',
        'With `map`: where the posts of each state are afterwards. A state that stays can be split so, too.',
        { maxItems: definitionLimits.states },
      ),
      occToken: required(token('Token that the form gave; a stale one is a 409.')),
    },
  ),
  EditCommunityWorkflowResponse: type('Result of the edit of a workflow.', {
    screenIds: ids('Ids of the screens, in the order in which they were sent.'),
    stateIds: ids('Ids of the states, in the order in which they were sent.'),
    transitionIds: ids('Ids of the transitions, in the order in which they were sent.'),
    changeId,
    nextOccToken: token('Token of the community for the next edit.'),
  }),
};
