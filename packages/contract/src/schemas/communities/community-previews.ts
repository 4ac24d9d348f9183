/** Previews of definitions: forms and transitions as a person meets them. */
import { definitionLimits } from '../../limits.ts';
import * as t from '../fields.ts';

/** @param named members that name a definition */
export const communityPreviewTypes = (named: t.Fields) => ({
  PreviewCommunityRequest: t.type('A definition, the person who meets it, and the values of a post.', {
    ...named,
    userId: t.int64('The person. Default, without `role`: the caller.'),
    role: t.text(
      'In place of a person: MANAGER, CONTRIBUTOR, READER, GUEST, or the key of a role of the tenant. ' +
        'Somebody who has this role alone, and is in no group.',
    ),
    form: t.word(['create', 'edit'], 'The form of a new post, or of an existing one.', { default: 'create' }),
    byAuthor: t.flag('Whether the person wrote the post on which transitions are run.', { default: true }),
    values: t.list('CommunityPreviewValue', 'Values of the post, with which conditions are compared.', {
      maxItems: definitionLimits.fields * 2,
    }),
  }),
  CommunityPreviewValue: t.type('Values of a field.', {
    field: t.text('Key of a field of posts.'),
    screenField: t.text('In place of `field`: key of a field of screens.'),
    values: t.anyList('Its values, as in conditions of the file: of enumerated fields their keys.', {
      maxItems: definitionLimits.conditionValues,
    }),
  }),
  CommunityPreviewField: t.type('A field of a form.', {
    key: t.text('Key of the field in the file.'),
    label: t.text('Label of the field.'),
    section: t.text('Section of the form that holds it.'),
    shown: t.flag('Whether the form shows it.'),
    required: t.flag('Whether the form, where it shows the field, requires a value.'),
    readonly: t.flag('Whether the value cannot be written.'),
    hiddenBy: t.word(
      ['role', 'form', 'condition'],
      'The reason why it is not shown: the role of the person, the kind of the form, or a condition.',
    ),
    text: t.text('The reason, in a sentence, in English.'),
  }),
  CommunityPreviewScreen: t.type('A screen of the workflow.', {
    name: t.text('Name of the screen.'),
    fields: t.list('CommunityPreviewField', 'Its fields, in order.'),
  }),
  CommunityPreviewTransition: t.type('A transition, run on a post in the state that it leads away from.', {
    key: t.text('Key of the transition in the file.'),
    name: t.text('Name of the transition.'),
    from: t.text('Key of the state that it leads away from.'),
    to: t.text('Key of the state that it leads to.'),
    screen: t.text('Name of the screen that it asks for.'),
    permitted: t.flag('Whether the post offers it to the person.'),
    text: t.text('The reason, in a sentence, in English.'),
  }),
  PreviewCommunityResponse: t.type('Forms and transitions as the person meets them.', {
    mayCreatePosts: t.flag('Whether the person may create posts.'),
    fields: t.list('CommunityPreviewField', 'Fields of posts, in the order of the form.'),
    screens: t.list('CommunityPreviewScreen', 'Screens of the workflow.'),
    transitions: t.list('CommunityPreviewTransition', 'Transitions of the workflow, in order.'),
  }),
});
