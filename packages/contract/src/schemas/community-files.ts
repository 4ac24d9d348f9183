/** A community as a file: its definition without ids, for administrators who keep it as code. */
import { PartUse, PostViewScenario, RelationCardinality, Visibility } from '../codes/codes.ts';
import { type RoleId, ValidationType, WorkspaceMemberRole } from '../codes/defined-codes.ts';
import { FieldType } from '../codes/field-types.ts';
import { communityPermissions } from '../codes/permissions.ts';
import {
  conditionOperators,
  definitionLimits,
  fileLimits,
  listLimits,
  longestVersionRetention,
  roleLimits,
  transitionValueSources,
} from '../limits.ts';
import * as t from './fields.ts';

const names = (codes: Readonly<Record<string, number>>) => Object.keys(codes);
const rolesOfCommunities = ['MANAGER', 'CONTRIBUTOR', 'READER'] as const satisfies readonly (keyof typeof RoleId)[];

/** Key of an object in the file, unique among objects of its kind. */
const key = (of: string) =>
  t.required(
    t.text(
      `Tells the ${of} apart from the others. It is the external id; an object without one is found by its name, and a new one gets the key as its external id.`,
    ),
  );
const openTo = (what: string) => ({
  ...t.texts(
    `${what} Each ${rolesOfCommunities.join(', ')}, or the key of one of \`roles\`; stronger roles are meant too.`,
  ),
  maxItems: roleLimits.roles,
});
const name = t.required(t.name('What people see; must not be empty.'));
const color = t.checked(t.text('Colour, as `#` and six hexadecimal digits.'), { pattern: '^(?:#[0-9A-Fa-f]{6})?$' });
/** A switch and its default. The server normalises the file: validation fills in nothing. */
const on = (description: string, byDefault: boolean) =>
  t.checked(t.flag(`${description} Default ${byDefault}.`), { default: byDefault });
const choice = (words: readonly string[], description: string, byDefault: string) =>
  t.checked(t.word(words, `${description} Default \`${byDefault}\`.`), { default: byDefault });
const partUse = (what: string) => choice(names(PartUse), `Whether posts have ${what}.`, 'OPTIONAL');

/** Switches of the community; an absent one has its default. */
const switches: t.Fields = {
  draft: on('True while the community is being prepared: only managers write.', false),
  workspaceMemberRole: choice(names(WorkspaceMemberRole), 'Role that membership of the workspace gives.', 'READER'),
  titleEnabled: partUse('a title'),
  descriptionEnabled: partUse('a text'),
  watchersEnabled: partUse('watchers'),
  watchersVisibleInPreview: on('Whether lists show the watchers.', true),
  manualAuthorEnabled: on('Whether a post can be written in the name of another person.', false),
  hashTagEnabled: on('Whether posts carry hashtags.', true),
  attachmentEnabled: on('Whether posts carry attachments.', true),
  likeEnabled: on('Whether posts can be liked.', true),
  offlineEnabled: on('Whether applications may keep posts for use without a connection.', false),
  customFieldsEnabled: on('Whether posts have custom fields.', true),
  acknowledgeTaskEnabled: on('Whether authors can ask that a post be confirmed as read.', false),
  eventsEnabled: on('Whether there are event posts.', true),
  initStateChoiceEnabled: on('Whether authors choose the state in which a post begins.', false),
  commentsHiddenFromReaders: on('Whether readers see no comments.', false),
  defaultPostVisibility: choice(names(Visibility), 'Visibility of a post when its author says nothing.', 'PUBLIC'),
  versionRetentionDays: t.checked(
    t.int32(`How many days versions of posts are kept after they were replaced, 0 to ${longestVersionRetention}.`, {
      minimum: 0,
      maximum: longestVersionRetention,
    }),
    { default: 365 },
  ),
};

const fieldValues = 'of enumerated fields their keys, of dates epoch milliseconds';

const file = t.required(t.ref('CommunityFile', 'The community as it is to be.'));

const furtherProperties = t.textMap('Further properties for programs, text to text.');

export const communityFileTypes = {
  CommunityFile: t.type('A community as a file: everything that defines it, without ids and without posts.', {
    $schema: t.text('Address of the JSON Schema of this file, for editors; it has no effect.'),
    version: t.required(t.checked(t.int32('Version of this form: 1.'), { enum: [1] })),
    workspace: t.required(
      t.ref('CommunityFileWorkspace', 'The workspace that holds the community; made where there is none.'),
    ),
    roles: t.list(
      'CommunityFileOwnRole',
      'Roles of the tenant that the file names, by which other communities may go too; those that are left out stay.',
      { maxItems: roleLimits.roles },
    ),
    catalogs: t.list('CommunityFileCatalog', 'Catalogs that fields take their values from, each after its parent.', {
      maxItems: fileLimits.catalogs,
    }),
    community: t.required(t.ref('CommunityFileSettings', 'The community itself.')),
    groupRoles: t.list('CommunityFileRole', 'Roles of groups in the community; groups that are left out have none.', {
      maxItems: fileLimits.groups,
    }),
    hashtags: t.texts('Hashtags of the community, by name; those that are left out stay.'),
    hashtagExternalIds: t.textMap(
      'External ids of hashtags, by name; a hashtag that is left out here keeps the one that it has.',
    ),
    fields: t.list('CommunityFileField', 'Custom fields of posts, in the order of the form.', {
      maxItems: definitionLimits.fields,
    }),
    workflow: t.ref('CommunityFileWorkflow', 'The workflow; left out, the community has none.'),
    views: t.list(
      'CommunityFileView',
      'Views of posts. Left out, the present ones stay; views that the list leaves out are deleted.',
      { maxItems: fileLimits.views },
    ),
    relations: t.list(
      'CommunityFileRelation',
      'Relations to other communities. Left out, the present ones stay; relations that the list leaves out are deleted.',
      { maxItems: fileLimits.relations },
    ),
  }),
  CommunityFileWorkspace: t.type('A workspace, as a file names it. One that exists stays as it is.', {
    key: key('workspace'),
    name,
    translations: t.nameMap('The name in other languages.'),
    description: t.languageMap('What the workspace is for, in each language.'),
  }),
  CommunityFileCatalog: t.type('A catalog of values. Entries that are left out stay: other communities may use them.', {
    key: key('catalog'),
    name: t.required(t.nameMap('The name, in each language.')),
    parent: t.text('Key of the catalog above, one of those before it.'),
    entries: t.list('CommunityFileEntry', 'Entries, in order.', { maxItems: fileLimits.entries }),
  }),
  CommunityFileEntry: t.type('An entry of a catalog.', {
    key: key('entry'),
    label: t.required(t.nameMap('What people see, in each language.')),
    parents: t.texts('Keys of entries of the catalog above below which this one can be chosen.'),
  }),
  CommunityFileSettings: t.type('A community itself: its texts and switches.', {
    key: key('community'),
    name,
    description: t.text('What the community is for.'),
    color,
    ...switches,
    attachmentMaxSize: t.checked(t.int64('Largest attachment, in bytes; left out, the limit of the server holds.'), {
      minimum: 1,
    }),
  }),
  CommunityFileOwnRole: t.type('A role of the tenant, made of permissions.', {
    key: key('role'),
    name: t.required(t.name('Name of the role, which no other has.')),
    description: t.text('What the role is for.'),
    permissions: t.wordList(
      communityPermissions.map((permission) => permission.name),
      'What the role permits. What these imply is added.',
    ),
  }),
  CommunityFileRole: t.type('The role of a group.', {
    group: t.required(t.text('Name of the group; made, without members, where there is none.')),
    role: t.required(t.text(`Its role: ${rolesOfCommunities.join(', ')}, GUEST, or the key of one of \`roles\`.`)),
  }),
  CommunityFileField: t.type('A custom field, of posts or of screens.', {
    key: key('field'),
    label: name,
    translations: t.nameMap('The label in other languages.'),
    section: t.name('Name of the section of the form that holds the field. Left out: none.', {
      maxLength: definitionLimits.sectionName,
    }),
    sectionTranslations: t.nameMap('The name of the section in other languages.'),
    default: t.jsonValue(`The value that forms begin with: ${fieldValues}.`),
    type: t.required(t.word(names(FieldType), 'Data type of the field.')),
    description: t.text('How to fill the field in: plain text, or rich text as an array of operations in JSON.'),
    required: on('Whether posts need a value.', false),
    readonly: t.flag('Whether requests cannot write the field. Default: true for links, else false.'),
    searchable: on('Whether lists can be filtered by the field.', true),
    sortable: on('Whether lists can be ordered by the field.', false),
    visibleInPreview: on('Whether lists show the field.', true),
    visibleInDetail: on('Whether the page of a post shows the field.', true),
    visibleInCreate: t.flag('Whether the form of a new post shows it. Default: what `readonly` is not.'),
    visibleInEdit: t.flag('Whether the edit form shows it. Default: what `readonly` is not.'),
    metadata: t.textMap(
      'Further properties, text to text; the table of field types says which keys there are. `community_id` has the key of the community, `user_picker_from_group` the name of the group.',
    ),
    catalog: t.text('Key of the catalog that an enumerated field takes its values from.'),
    parent: t.text('In hierarchical fields: key of the enumerated field above, one of those before it.'),
    values: t.list(
      'CommunityFileValue',
      'Values of an enumerated field without a catalog, in order. Values that are left out can no longer be chosen; posts that hold them keep them.',
      {
        maxItems: definitionLimits.fieldValues,
      },
    ),
    rules: t.list('CommunityFileRule', 'Rules that values must keep, in order.', { maxItems: definitionLimits.rules }),
    visibleToRoles: openTo('Who sees the field; for others it does not exist. Left out: everybody.'),
    conditions: t.list(
      'CommunityFileCondition',
      'When forms show the field, and demand a value where it is required: all of these hold. They name fields of the same form.',
      { maxItems: definitionLimits.conditions },
    ),
  }),
  CommunityFileCondition: t.type('A condition on the value of a field.', {
    field: t.text('Key of the field: of posts or, in `screenFields`, of screens.'),
    screenField: t.text('In transitions, in place of `field`: key of a field of screens.'),
    operator: t.required(t.word(conditionOperators, 'How the value is compared.')),
    values: t.anyList(`What it is compared with: ${fieldValues}.`),
  }),
  CommunityFileSetValue: t.type('A value that a transition sets.', {
    field: t.required(t.text('Key of a field of screens.')),
    source: choice(
      transitionValueSources,
      'What it sets: the values, the moment of the step in a date, or whoever runs it in a field of people.',
      'value',
    ),
    values: t.anyList(`What the field holds then: ${fieldValues}. Without any the field is emptied.`),
  }),
  CommunityFileValue: t.type('A value of an enumerated field.', {
    key: key('value'),
    label: name,
    translations: t.nameMap('The label in other languages.'),
    parents: t.texts('In hierarchical fields: keys of the values of the field above to which this one belongs.'),
  }),
  CommunityFileRule: t.type('A rule that values of a field must keep.', {
    rule: t.required(t.word(names(ValidationType), 'What the rule asks.')),
    parameter: t.text('Parameter of the rule as text, for example a limit; left out for rules that take none.'),
  }),
  CommunityFileWorkflow: t.type('A workflow with its screens.', {
    title: t.required(t.name('Name of the workflow.')),
    states: t.required(
      t.list('CommunityFileState', 'Its states, in order; one at least is initial.', {
        maxItems: definitionLimits.states,
      }),
    ),
    transitions: t.list('CommunityFileTransition', 'Transitions between the states, in order.', {
      maxItems: definitionLimits.transitions,
    }),
    screens: t.list('CommunityFileScreen', 'Forms of transitions and states.', { maxItems: definitionLimits.states }),
    screenFields: t.list('CommunityFileField', 'Fields of the screens, in order.', {
      maxItems: definitionLimits.fields,
    }),
  }),
  CommunityFileAccess: t.type('Whom something is open to: each of these suffices.', {
    roles: openTo('To which roles it is open.'),
    groups: t.texts('Members of these groups, by name.'),
    byAuthor: on('The creator of the post.', false),
    fields: t.texts('Whoever the post holds in these fields of posts, by key.'),
    screenFields: t.texts('Whoever the post holds in these fields of screens, by key.'),
  }),
  CommunityFileState: t.type('A state of a workflow.', {
    key: key('state'),
    name,
    description: t.text('What the state means.'),
    color,
    initial: on('Whether posts can begin in this state.', false),
    terminal: on('Whether work on a post ends in this state.', false),
    metadata: furtherProperties,
    screen: t.name('Name of the screen that can be edited in this state.'),
    edit: t.ref('CommunityFileAccess', 'Who may edit that screen.'),
  }),
  CommunityFileTransition: t.type('A transition of a workflow.', {
    key: key('transition'),
    name,
    from: t.required(t.text('Key of the state it leads away from.')),
    to: t.required(t.text('Key of the state it leads to.')),
    metadata: furtherProperties,
    screen: t.name('Name of the screen to be filled in.'),
    run: t.ref('CommunityFileAccess', 'Who may run it. Left out: contributors and managers.'),
    conditions: t.list('CommunityFileCondition', 'When a post offers it: all of these hold.', {
      maxItems: definitionLimits.conditions,
    }),
    sets: t.list('CommunityFileSetValue', 'What running it sets in fields of screens.', {
      maxItems: definitionLimits.transitionValues,
    }),
  }),
  CommunityFileScreen: t.type('A form that a transition asks for, or that can be edited in a state.', {
    name: t.required(t.name('Name of the screen, unique in the workflow.')),
    message: t.text('What to tell the person who fills it in.'),
    fields: t.list('CommunityFileScreenField', 'Its fields, in order.', { maxItems: definitionLimits.fields }),
  }),
  CommunityFileScreenField: t.type('A field as shown on one screen.', {
    field: t.required(t.text('Key of the field, one of `screenFields`.')),
    required: on('Whether the screen cannot be sent without a value.', false),
  }),
  CommunityFileView: t.type('A view of posts: what of a post clients show.', {
    name: t.required(t.name('Name of the view, unique in the community.')),
    titleEnabled: on('Whether it shows the title.', true),
    customIdEnabled: on('Whether it shows the number of the post.', true),
    descriptionEnabled: on('Whether it shows the text.', true),
    currentWorkflowStateEnabled: on('Whether it shows the state of the workflow.', true),
    scenarios: t.checked(t.wordList(names(PostViewScenario), 'Where it is used. Default: `LIST`.'), {
      default: ['LIST'],
    }),
    fields: t.texts('Keys of the fields of posts that it shows, in order.'),
  }),
  CommunityFileRelation: t.type('A relation: posts of this community point at posts of another.', {
    name: t.required(t.name('Name of the relation, unique in the community.')),
    to: t.required(t.text('Key of the community whose posts are related; it must be there, and may be this one.')),
    itemName: t.name('What one related post is called.'),
    cardinality: t.word(names(RelationCardinality), 'How many posts may be related.'),
    view: t.name('How related posts are shown: name of a view of that community.'),
    required: on('Whether a post cannot do without a related one.', false),
  }),
  PlanCommunityRequest: t.type('A file to compare with the community that its key names.', { file }),
  CommunityPlanChange: t.type('One thing that applying the file would do.', {
    action: t.word(['create', 'change', 'remove'], 'What becomes of the object.'),
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
      ],
      'Kind of the object.',
    ),
    key: t.text('Key of the object.'),
    within: t.text('Key of the catalog, where the object is one of its entries.'),
    properties: t.list('CommunityPlanProperty', 'What changes of an object that exists.'),
    postsCount: t.count(
      'Of a state that is removed: how many posts are in it. Of a field that is removed: how many posts hold a value of it. Of a field whose values are left out: how many values in posts can then no longer be chosen; the posts keep them, with their labels. Absent where there are none, or where lists cannot be filtered by the field; ten thousand of each kind are counted.',
    ),
  }),
  CommunityPlanProperty: t.type('A property that changes.', {
    name: t.text('Name of the property in the file.'),
    before: t.text('Its present value, as JSON, the default included; absent where it has none.'),
    after: t.text(
      'Its value in the file, as JSON; where the file leaves it out, the default. Absent where it has none.',
    ),
  }),
  PlanCommunityResponse: t.type('What applying a file would do.', {
    communityId: t.int64('Id of the community; absent where it would be made.'),
    changes: t.list('CommunityPlanChange', 'Every change, in the order in which it would be made.', {
      maxItems: listLimits.items,
    }),
    changesCount: t.count('How many changes there are; `changes` has the first thousand.'),
    planToken: t.text('Names this plan: the file, and everything that it was compared with.'),
  }),
  ApplyCommunityRequest: t.type('A file, and the plan that was shown for it.', {
    file,
    planToken: t.text(
      'Token of the plan that was shown; where anything that it was made from has changed since, the request is a 409. Left out, the file is applied to what is there now.',
    ),
    onExisting: t.word(
      ['keep'],
      'What becomes of posts in states that the file leaves out: with `keep` they stay there.',
    ),
    fieldChanges: t.list(
      'CommunityFileFieldChange',
      'What becomes of values of fields that the file leaves out, or gives another type; a field of which posts hold values needs an entry.',
      { maxItems: definitionLimits.fields },
    ),
  }),
  CommunityFileFieldChange: t.type('What becomes of the values of a field that exists. It names one field.', {
    field: t.text('Key of a field of posts.'),
    screenField: t.text('Key of a field of screens.'),
    onExisting: t.required(
      t.word(
        ['keep', 'map', 'clear'],
        'Of a field that is left out: with `keep` values stay stored, out of sight; with `map` another field that is empty takes them over; with `clear` they are deleted. Of a field of another type only `clear`: values that the type cannot hold are left out.',
      ),
    ),
    into: t.text('With `map`: key of the field of the same form that takes the values over.'),
  }),
  ApplyCommunityResponse: t.type('What was done.', {
    communityId: t.int64('Id of the community.'),
    changesCount: t.count('How many changes the plan had.'),
    nextOccToken: { ...t.int64('Token of the community for the next edit.'), 'x-token': true },
  }),
};
