/** A community as a file: its definition without ids, for administrators who keep it as code. */
import { PartUse, PostViewScenario, RelationCardinality, Visibility } from '../../codes/codes.ts';
import { type RoleId, ValidationType, WorkspaceMemberRole } from '../../codes/defined-codes.ts';
import { FieldType } from '../../codes/field-types.ts';
import { communityPermissions } from '../../codes/permissions.ts';
import {
  conditionOperators,
  definitionLimits,
  fileLimits,
  longestVersionRetention,
  roleLimits,
  transitionValueSources,
} from '../../limits.ts';
import * as t from '../fields.ts';

const names = (codes: Readonly<Record<string, number>>) => Object.keys(codes);
const rolesOfCommunities = ['MANAGER', 'CONTRIBUTOR', 'READER'] as const satisfies readonly (keyof typeof RoleId)[];

/** Key of an object in the file, unique among objects of its kind. */
const key = (of: string) =>
  t.requiredByRule(
    t.text(
      `Identifies the ${of}. The key is the external id; an object without an external id is ` +
        'matched by its name, and a new object gets the key as its external id.',
    ),
  );
const openTo = (what: string) => ({
  ...t.texts(
    `${what} Each ${rolesOfCommunities.join(', ')}, or the key of one of \`roles\`; stronger roles are included.`,
  ),
  maxItems: roleLimits.roles,
});
const name = t.requiredByRule(t.name('The displayed text; must not be empty.'));
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
    t.int32(`Days that replaced versions of posts are kept, 0 to ${longestVersionRetention}.`, {
      minimum: 0,
      maximum: longestVersionRetention,
    }),
    { default: 365 },
  ),
};

const fieldValues = 'of enumerated fields their keys, of dates epoch milliseconds';

const furtherProperties = t.textMap('Further properties for programs, text to text.');

export const communityFileTypes = {
  CommunityFile: t.type('A community as a file: everything that defines it, without ids and without posts.', {
    $schema: t.text('Address of the JSON Schema of this file, for editors; it has no effect.'),
    version: t.requiredByRule(t.checked(t.int32('Version of this form: 1.'), { enum: [1] })),
    workspace: t.requiredByRule(
      t.ref('CommunityFileWorkspace', 'The workspace that holds the community; created if it does not exist.'),
    ),
    roles: t.list(
      'CommunityFileOwnRole',
      'Roles of the tenant that the file names; other communities may use them too. Omitted roles stay unchanged.',
      { maxItems: roleLimits.roles },
    ),
    catalogs: t.list('CommunityFileCatalog', 'Catalogs that fields take their values from, each after its parent.', {
      maxItems: fileLimits.catalogs,
    }),
    community: t.requiredByRule(t.ref('CommunityFileSettings', 'The community itself.')),
    groupRoles: t.list('CommunityFileRole', 'Roles of groups in the community; omitted groups have none.', {
      maxItems: fileLimits.groups,
    }),
    hashtags: t.texts('Hashtags of the community, by name; omitted hashtags stay.'),
    hashtagExternalIds: t.textMap('External ids of hashtags, by name; an omitted hashtag keeps its external id.'),
    fields: t.list('CommunityFileField', 'Custom fields of posts, in the order of the form.', {
      maxItems: definitionLimits.fields,
    }),
    workflow: t.ref('CommunityFileWorkflow', 'The workflow. If omitted, the community has none.'),
    views: t.list(
      'CommunityFileView',
      'Views of posts. If omitted, the existing views stay; views missing from the list are deleted.',
      { maxItems: fileLimits.views },
    ),
    templates: t.list(
      'CommunityFileTemplate',
      'Templates for new posts. If omitted, the existing templates stay; templates missing from ' +
        'the list are deleted.',
      { maxItems: definitionLimits.templates },
    ),
    moved: t.list(
      'CommunityFileMove',
      'Keys that changed, and values and posts that move. Entries whose objects are gone have no effect, so they may stay in the file.',
      { maxItems: fileLimits.moves },
    ),
    relations: t.list(
      'CommunityFileRelation',
      'Relations to other communities. If omitted, the existing relations stay; relations ' +
        'missing from the list are deleted.',
      { maxItems: fileLimits.relations },
    ),
  }),
  CommunityFileMove: t.type(
    'A renamed key, or a place for data that loses its own. An entry has one of `field`, `screenField`, `state` and `transition`.',
    {
      field: t.text('Present key of a field of posts.'),
      screenField: t.text('Present key of a field of screens.'),
      state: t.text('Present key of a state.'),
      transition: t.text('Present key of a transition.'),
      value: t.text('With `field` or `screenField`, in the place of the field: present key of one of its values.'),
      to: t.requiredByRule(
        t.text(
          'New key of the object. If the community already has an object with this key, values and posts move to it; ' +
            'for a state the file may also create it.',
        ),
      ),
      conditions: t.list(
        'CommunityFileCondition',
        'For a state: only posts that meet all these conditions move; among several entries for a state the first ' +
          'match applies. So a state is split.',
        { maxItems: definitionLimits.conditions },
      ),
    },
  ),
  CommunityFileWorkspace: t.type('A workspace, as a file names it. An existing workspace stays unchanged.', {
    key: key('workspace'),
    name,
    translations: t.nameMap('The name in other languages.'),
    description: t.languageMap('Purpose of the workspace, in each language.'),
  }),
  CommunityFileCatalog: t.type('A catalog of values. Omitted entries stay: other communities may use them.', {
    key: key('catalog'),
    name: t.requiredByRule(t.nameMap('The name, in each language.')),
    parent: t.text('Key of the parent catalog, which must come earlier in the list.'),
    entries: t.list(
      'CommunityFileEntry',
      'Entries, in the order of forms. Omitted entries stay behind the one that they follow at present.',
      { maxItems: fileLimits.entries },
    ),
  }),
  CommunityFileEntry: t.type('An entry of a catalog.', {
    key: key('entry'),
    label: t.requiredByRule(t.nameMap('The displayed text, in each language.')),
    parents: t.texts('Keys of entries of the catalog above below which this one can be chosen.'),
  }),
  CommunityFileSettings: t.type('A community itself: its texts and switches.', {
    key: key('community'),
    name,
    description: t.text('Purpose of the community.'),
    color,
    ...switches,
    attachmentMaxSize: t.checked(
      t.int64('Maximum size of an attachment, in bytes. Default: the limit of the server.'),
      {
        minimum: 1,
      },
    ),
  }),
  CommunityFileOwnRole: t.type('A role of the tenant, with its permissions.', {
    key: key('role'),
    name: t.requiredByRule(t.name('Name of the role, which no other has.')),
    description: t.text('Purpose of the role.'),
    permissions: t.wordList(
      communityPermissions.map((permission) => permission.name),
      'Permissions of the role. Implied permissions are added.',
    ),
  }),
  CommunityFileRole: t.type('The role of a group.', {
    group: t.required(t.text('Name of the group; created without members if it does not exist.')),
    role: t.requiredByRule(
      t.text(`Its role: ${rolesOfCommunities.join(', ')}, GUEST, or the key of one of \`roles\`.`),
    ),
  }),
  CommunityFileField: t.type('A custom field, of posts or of screens.', {
    key: key('field'),
    label: name,
    translations: t.nameMap('The label in other languages.'),
    section: t.name('Name of the section of the form that holds the field. Default: no section.', {
      maxLength: definitionLimits.sectionName,
    }),
    sectionTranslations: t.nameMap('The name of the section in other languages.'),
    default: t.jsonValue(`The value that forms begin with: ${fieldValues}.`),
    type: t.required(t.word(names(FieldType), 'Data type of the field.')),
    description: t.text('Instructions for the field: plain text, or rich text as an array of operations in JSON.'),
    required: on('Whether posts require a value.', false),
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
    parent: t.text('In hierarchical fields: key of the enumerated parent field, which must come earlier in the list.'),
    values: t.list(
      'CommunityFileValue',
      'Values of an enumerated field without a catalog, in order. Omitted values can no longer ' +
        'be chosen; posts that hold them keep them.',
      {
        maxItems: definitionLimits.fieldValues,
      },
    ),
    rules: t.list('CommunityFileRule', 'Rules that values must keep, in order.', { maxItems: definitionLimits.rules }),
    visibleToRoles: openTo('Roles that see the field; for others it does not exist. Default: everybody.'),
    conditions: t.list(
      'CommunityFileCondition',
      'Conditions under which forms show the field, and require its value if it is required: ' +
        'all must hold. They name fields of the same form.',
      { maxItems: definitionLimits.conditions },
    ),
  }),
  CommunityFileCondition: t.type('A condition on the value of a field.', {
    field: t.text('Key of the field: of posts or, in `screenFields`, of screens.'),
    screenField: t.text('In transitions, in place of `field`: key of a field of screens.'),
    operator: t.required(t.word(conditionOperators, 'Comparison of the value.')),
    values: t.anyList(`Operand of the comparison: ${fieldValues}.`),
  }),
  CommunityFileSetValue: t.type('A value that a transition sets.', {
    field: t.requiredByRule(t.text('Key of a field of screens.')),
    source: choice(
      transitionValueSources,
      'Value to set: fixed values, the time of the step in a date, or the person who runs it in a field of people.',
      'value',
    ),
    values: t.anyList(`New values of the field: ${fieldValues}. Without any value the field is emptied.`),
  }),
  CommunityFileValue: t.type('A value of an enumerated field.', {
    key: key('value'),
    label: name,
    translations: t.nameMap('The label in other languages.'),
    parents: t.texts('In hierarchical fields: keys of the values of the field above to which this one belongs.'),
  }),
  CommunityFileRule: t.type('A rule that values of a field must keep.', {
    rule: t.required(t.word(names(ValidationType), 'Kind of rule.')),
    parameter: t.text('Parameter of the rule as text, for example a limit; omitted for rules without a parameter.'),
  }),
  CommunityFileWorkflow: t.type('A workflow with its screens.', {
    title: t.requiredByRule(t.name('Name of the workflow.')),
    states: t.requiredByRule(
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
  CommunityFileAccess: t.type('People with access; each of these conditions suffices.', {
    roles: openTo('Roles with access.'),
    groups: t.texts('Members of these groups, by name.'),
    byAuthor: on('The creator of the post.', false),
    fields: t.texts('People whom the post holds in these fields of posts, by key.'),
    screenFields: t.texts('People whom the post holds in these fields of screens, by key.'),
  }),
  CommunityFileState: t.type('A state of a workflow.', {
    key: key('state'),
    name,
    description: t.text('Meaning of the state.'),
    color,
    initial: on('Whether posts can begin in this state.', false),
    terminal: on('Whether work on a post ends in this state.', false),
    metadata: furtherProperties,
    screen: t.name('Name of the screen that can be edited in this state.'),
    edit: t.ref('CommunityFileAccess', 'People with the right to edit that screen.'),
  }),
  CommunityFileTransition: t.type('A transition of a workflow.', {
    key: key('transition'),
    name,
    from: t.requiredByRule(t.text('Key of the state it leads away from.')),
    to: t.requiredByRule(t.text('Key of the state it leads to.')),
    metadata: furtherProperties,
    screen: t.name('Name of the screen to be filled in.'),
    run: t.ref('CommunityFileAccess', 'People with the right to run it. Default: contributors and managers.'),
    conditions: t.list('CommunityFileCondition', 'Conditions under which a post offers it: all must hold.', {
      maxItems: definitionLimits.conditions,
    }),
    sets: t.list('CommunityFileSetValue', 'Values that running it sets in fields of screens.', {
      maxItems: definitionLimits.transitionValues,
    }),
  }),
  CommunityFileScreen: t.type('A form that a transition asks for, or that can be edited in a state.', {
    name: t.requiredByRule(t.name('Name of the screen, unique in the workflow.')),
    message: t.text('Instructions for the person who fills it in.'),
    fields: t.list('CommunityFileScreenField', 'Its fields, in order.', { maxItems: definitionLimits.fields }),
  }),
  CommunityFileScreenField: t.type('A field as shown on one screen.', {
    field: t.requiredByRule(t.text('Key of the field, one of `screenFields`.')),
    required: on('Whether the screen cannot be sent without a value.', false),
  }),
  CommunityFileView: t.type('A view of posts: the parts of a post that clients show.', {
    name: t.requiredByRule(t.name('Name of the view, unique in the community.')),
    titleEnabled: on('Whether it shows the title.', true),
    customIdEnabled: on('Whether it shows the number of the post.', true),
    descriptionEnabled: on('Whether it shows the text.', true),
    currentWorkflowStateEnabled: on('Whether it shows the state of the workflow.', true),
    scenarios: t.checked(t.wordList(names(PostViewScenario), 'Place of its use. Default: `LIST`.'), {
      default: ['LIST'],
    }),
    fields: t.texts('Keys of the fields of posts that it shows, in order.'),
  }),
  CommunityFileTemplate: t.type('A template for new posts of the community.', {
    name: t.requiredByRule(
      t.name('Name of the template, unique in the community.', { maxLength: definitionLimits.templateName }),
    ),
    title: t.text('Title that the post begins with.'),
    description: t.text('Initial text: plain text, or rich text as an array of operations in JSON.'),
    visibility: t.word(names(Visibility), 'Visibility of the post. Default: that of the community.'),
    values: t.list('CommunityFileTemplateValue', 'Values of fields of posts.', { maxItems: definitionLimits.fields }),
  }),
  CommunityFileTemplateValue: t.type('The value of a field in a template.', {
    field: t.requiredByRule(t.text('Key of the field, which does not hold people, groups or posts.')),
    values: t.anyList(`The value, or the values of a list: ${fieldValues}.`),
  }),
  CommunityFileRelation: t.type('A relation: posts of this community point at posts of another.', {
    name: t.requiredByRule(t.name('Name of the relation, unique in the community.')),
    to: t.requiredByRule(
      t.text('Key of the community of the related posts; it must exist, and may be this community.'),
    ),
    itemName: t.name('Name of one related post.'),
    cardinality: t.word(names(RelationCardinality), 'Maximum number of related posts.'),
    view: t.name('Display of related posts: name of a view of that community.'),
    required: on('Whether a post cannot do without a related one.', false),
  }),
};
