/** Plans of changes of a community, their application, and drafts. */
import { definitionLimits, listLimits, planLimits } from '../../limits.ts';
import * as t from '../fields.ts';
import { communityPreviewTypes } from './community-previews.ts';

const file = t.ref(
  'CommunityFile',
  'The definition of the community. Absent: the draft, or the version, of `communityId`.',
);
const onExisting = (words: readonly string[], description: string) => t.requiredByRule(t.word(words, description));

/** Members that name a definition. */
const named: t.Fields = {
  file,
  communityId: t.int64('In place of `file`: the community whose saved draft, or `version`, is meant.'),
  version: t.int64('With `communityId`: number of the former version to which the definition returns.'),
};

/** Members that name the planned definition, and the treatment of data without a place in it. */
const planned: t.Fields = {
  ...named,
  onExisting: t.word(
    ['keep'],
    'Treatment of posts in removed states, and of omitted values of lists, without an entry of ' +
      'their own: with `keep` posts stay there, and keep the values.',
  ),
  stateChanges: t.list(
    'CommunityFileStateChange',
    'Treatment of the posts in removed states; a removed state with posts requires an entry.',
    { maxItems: definitionLimits.states * 10 },
  ),
  fieldChanges: t.list(
    'CommunityFileFieldChange',
    'Treatment of values of fields that the file omits, gives another type or fewer values; a ' +
      'field whose values in posts are concerned requires an entry.',
    { maxItems: definitionLimits.fields },
  ),
};

const losses: t.Fields = {
  losses: t.list(
    'CommunityPlanLoss',
    `Data of posts without a place afterwards; the first ${planLimits.listed}. Each needs a treatment.`,
  ),
  lossesCount: t.count('Number of losses.'),
};

const occToken = t.token('Token of the draft: the number of times that it was saved.');
const ofDraft: t.Fields = {
  occToken,
  savedById: t.int64('User who saved it last.'),
  savedByName: t.text('Their name.'),
  savedAt: t.time('Time at which it was saved.'),
};

export const communityPlanTypes = {
  ...communityPreviewTypes(named),
  PlanCommunityRequest: t.type('A definition to compare with the present one.', planned),
  CommunityPlanChange: t.type('A change that applying the file would make.', {
    action: t.word(['create', 'change', 'remove'], 'Effect on the object.'),
    kind: t.word(
      [
        'workspace',
        'group',
        'role',
        'catalog',
        'entry',
        'community',
        'groupRole',
        'hashtag',
        'field',
        'workflow',
        'state',
        'transition',
        'screen',
        'screenField',
        'view',
        'relation',
        'template',
      ],
      'Kind of the object.',
    ),
    key: t.text('Key of the object.'),
    within: t.text('Key of the catalog, if the object is an entry of a catalog.'),
    nearest: t.text('For a group that would be created: the existing group whose name is most similar.'),
    properties: t.list('CommunityPlanProperty', 'Changes of an existing object.'),
    postsCount: t.count(
      'For a removed state: number of posts in it. For a removed field: number of posts with a ' +
        'value in it. For a field with omitted values: number of values in posts that can then ' +
        'no longer be chosen. Absent if there are none; at most ten thousand of each kind are counted.',
    ),
  }),
  CommunityPlanProperty: t.type('A property that changes.', {
    name: t.text('Name of the property in the file.'),
    before: t.text('Its current value, as JSON, including the default; absent if it has none.'),
    after: t.text('Its value in the file, as JSON; if the file omits it, the default. Absent if it has none.'),
  }),
  CommunityPlanLoss: t.type('Data of posts that has no place after the change.', {
    kind: t.word(
      ['field', 'type', 'values', 'state'],
      'Values of a removed field, values that the new type cannot hold, omitted values of a list, ' +
        'or posts in a removed state.',
    ),
    field: t.text('Present key of the field of posts.'),
    screenField: t.text('Present key of the field of screens.'),
    state: t.text('Present key of the state.'),
    postsCount: t.count(
      `Number of posts; ${definitionLimits.counted + 1} means more than ${definitionLimits.counted}.`,
    ),
    valuesCount: t.count('Number of values in them; 0 for states.'),
    examples: t.list('CommunityPlanExample', 'Five of the posts at most, among those that the caller sees.'),
    choices: t.wordList(['keep', 'map', 'clear'], 'Treatments, one of which applying requires.'),
    chosen: t.word(['keep', 'map', 'clear'], 'The treatment that was sent; absent: applying is refused.'),
    text: t.text('The loss, in a sentence, in English.'),
  }),
  CommunityPlanExample: t.type('A post.', {
    postId: t.int64('Id of the post.'),
    title: t.text('Its title; absent without one.'),
  }),
  CommunityPlanFinding: t.type('A fault of the definition as it would be.', {
    kind: t.text('Kind of problem, as checkCommunity has it.'),
    text: t.text('The problem, in a sentence, in English.'),
    new: t.flag('Whether the present definition does not have it.'),
    stateName: t.text('Name of the state.'),
    transitionName: t.text('Name of the transition.'),
    screenName: t.text('Name of the screen.'),
    fieldLabel: t.text('Label of the field.'),
  }),
  PlanCommunityResponse: t.type('Effects of applying the definition. A plan without error can be applied.', {
    communityId: t.int64('Id of the community; absent if it would be created.'),
    changes: t.list('CommunityPlanChange', 'All changes, in the order of their application.', {
      maxItems: listLimits.items,
    }),
    changesCount: t.count('Number of changes; `changes` has the first thousand.'),
    ...losses,
    findings: t.list(
      'CommunityPlanFinding',
      `Faults of the definition afterwards, the new ones first; the first ${planLimits.listed}.`,
    ),
    findingsCount: t.count('Number of faults.'),
    accessChanges: t.list(
      'AccessChange',
      `People who gain or lose rights, by community and permission; the first ${planLimits.listed}.`,
    ),
    planToken: t.text('Names this plan: the definition, and everything that it was compared with.'),
  }),
  ApplyCommunityRequest: t.type('A definition, and the plan that was shown for it.', {
    ...planned,
    planToken: t.text(
      'Token of a plan; if anything that the plan was based on has changed since, the request ' +
        'returns 409. If omitted, the file is applied to the current state.',
    ),
  }),
  CommunityFileStateChange: t.type('Treatment of the posts in a state that the definition removes, or splits.', {
    state: t.requiredByRule(t.text('Present key of the state.')),
    onExisting: onExisting(['keep', 'map'], 'With `keep` posts stay in it, out of use; with `map` they move.'),
    into: t.text('With `map`: key of their new state.'),
    conditions: t.list(
      'CommunityFileCondition',
      'With `map`: only posts that meet all these conditions; the first matching entry of a state applies.',
      { maxItems: definitionLimits.conditions },
    ),
  }),
  CommunityFileFieldChange: t.type('Treatment of the values of an existing field. Each entry names one field.', {
    field: t.text('Key of a field of posts.'),
    screenField: t.text('Key of a field of screens.'),
    onExisting: onExisting(
      ['keep', 'map', 'clear'],
      'For an omitted field: with `keep` values stay stored but hidden; with `map` they move ' +
        'to another empty field; with `clear` they are deleted. For a field of another type ' +
        'only `clear`: values that the type cannot hold are dropped. For omitted values of a list: with ' +
        '`keep` posts keep them; with `map` they become others; with `clear` posts lose them.',
    ),
    into: t.text('With `map` of an omitted field: key of the field of the same form that takes the values over.'),
    values: t.list('CommunityFileValueChange', 'With `map` of omitted values: a place for each.', {
      maxItems: definitionLimits.fieldValues,
    }),
  }),
  CommunityFileValueChange: t.type('Treatment of an omitted value of a list.', {
    value: t.requiredByRule(t.text('Present key of the value.')),
    into: t.text('Key of the value that posts hold instead. If omitted, they hold none.'),
  }),
  ApplyCommunityResponse: t.type('The applied changes.', {
    communityId: t.int64('Id of the community.'),
    changesCount: t.count('Number of changes in the plan.'),
    ...losses,
    nextOccToken: t.token('Token of the community for the next edit.'),
  }),
  SaveCommunityDraftRequest: t.type('The definition as it is being edited.', {
    file: t.required(
      t.ref('CommunityFile', 'The file of the community. It may be incomplete: planning it finds the faults.'),
    ),
    occToken: t.token(
      'Token of the draft that was edited, 0 for a first draft; a stale token returns 409. If omitted, any draft is replaced.',
    ),
  }),
  SaveCommunityDraftResponse: t.type('The draft is saved.', ofDraft),
  GetCommunityDraftResponse: t.type('The draft of a community.', {
    file: t.ref('CommunityFile', 'The file as it was saved.'),
    ...ofDraft,
  }),
};
