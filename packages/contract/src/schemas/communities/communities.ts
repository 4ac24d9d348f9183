/** Communities, post definitions and workflows. */
import { PartUse, PostViewScenario, RelationCardinality, Visibility } from '../../codes/codes.ts';
import { ValidationType } from '../../codes/defined-codes.ts';
import { FieldType, fieldTypes, generalMetadataKeys } from '../../codes/field-types.ts';
import { listLimits } from '../../limits.ts';
import * as t from '../fields.ts';

const enumValueFields: t.Fields = {
  id: t.int64('Id of the value; writes and filters take it.'),
  label: t.text('The displayed text.'),
  externalId: t.text('Identifier of the value in another system.'),
  parentIds: t.ids('In hierarchical fields: the values of the parent field to which this one belongs.'),
  deleted: t.flag('True when the value can no longer be chosen; posts that hold it keep it.'),
  translations: t.textMap('The label by language code, in other languages than `label`; absent if there are none.'),
};

const validationFields: t.Fields = {
  id: t.int64('Id of the rule; errors name it.'),
  fieldId: t.int64('Field that the rule is for.'),
  validationTypeId: t.code(ValidationType, 'Kind of rule; see the published table of validation rules.'),
  parameter: t.nullableText('Parameter of the rule as text, for example a limit; null for rules that take none.'),
  order: t.int32('Position of the rule among the rules of the field, from 0.'),
};

const metadataKeys = new Map(Object.values(fieldTypes).flatMap((facts) => Object.entries(facts.metadataKeys ?? {})));
const metadata = t.textMap(
  `Further properties, text to text. Known keys: ${[...metadataKeys]
    .map(([key, meaning]) => (meaning === '' ? key : `${key} (${meaning})`))
    .join(', ')}, ${generalMetadataKeys.join(', ')}.`,
);

const fieldType = t.code(FieldType, 'Data type of the field.');
const conditions = t.list(
  'FieldConditionForm',
  'Conditions under which the form shows the field, and requires its value if it is required: ' +
    'all must hold. A field that is not shown counts as empty in them. Absent: always, or under ' +
    'an unknown condition if the rules say so.',
);
/** Additions of Portico to the descriptions of fields. */
const additions: t.Fields = {
  translations: t.textMap('The label by language code, in other languages than `label`; absent if there are none.'),
  section: t.text('Name of the section of the form that holds the field; absent outside of sections.'),
  sectionTranslations: t.textMap(
    'The name of the section by language code, in other languages than `section`; absent if ' +
      'there are none. For fields in the same section, the names of the first field apply.',
  ),
  defaultValue: t.jsonValue(
    'Initial value in forms, as it is written into the field; absent if there is none, or if ' +
      'it can no longer be written.',
  ),
};
export const fieldAdditions = Object.keys(additions);
const searchable = t.flag('True when lists can be filtered by the field.');
const sortable = t.flag('True when lists can be ordered by the field.');
const enumValues = (name: string) =>
  t.list(
    name,
    'Values to choose from; empty for fields that are not lists of values, and for fields on a ' +
      'catalog with more than 500 entries: list these with listPostDefinitionCatalogEntries; ' +
      '`metadata.catalog_entries_path` has its path.',
  );

/**
 * Settings of a community's posts other than the workflow, in the definition and in the form of the
 * community.
 */
export const postSwitches: t.Fields = {
  titleEnabled: t.code(PartUse, 'Whether posts have a title.'),
  descriptionEnabled: t.code(PartUse, 'Whether posts have a text.'),
  watchersEnabled: t.code(PartUse, 'Whether posts have watchers.'),
  watchersVisibleInPreview: t.flag('Whether lists show the watchers.'),
  manualAuthorEnabled: t.flag('Whether a post can be written in the name of another person.'),
  hashTagEnabled: t.flag('Whether posts carry hashtags.'),
  attachmentEnabled: t.flag('Whether posts carry attachments.'),
  likeEnabled: t.flag('Whether posts can be liked.'),
  offlineEnabled: t.flag('Whether applications may keep posts for use without a connection.'),
  customFieldsEnabled: t.flag('Whether posts have custom fields.'),
};
export const acknowledgeTaskEnabled = t.flag('Whether authors can ask that a post be confirmed as read.');
export const defaultPostVisibility = t.code(Visibility, 'Visibility of a post when its author says nothing.');

export const communityTypes = {
  Community: t.type('A community: it holds posts.', {
    id: t.int64('Id of the community.'),
    name: t.text('Name of the community.'),
    description: t.text('Purpose of the community.'),
    workspaceId: t.int64('Workspace to which it belongs.'),
    coverImageTemporaryContentViewLink: t.uri(
      'Absolute, short-lived address of the cover picture; absent when there is none.',
    ),
    colorCode: t.text('Colour of the community, as `#` and six hexadecimal digits.'),
    draft: t.flag('True while the community is being prepared and not yet open.'),
    creatorUser: t.ref('User', 'User who created the community.'),
    creationTimestamp: t.time('Time at which the community was created.'),
    archivedTimestamp: t.time('Time since which the community is read-only; absent while it is in use.'),
    postsCount: t.bigCount('Number of its published posts; present only with `includeActivity`.'),
    lastActivityTimestamp: t.time(
      'Time of the last change or comment in its posts; present only with `includeActivity`.',
    ),
    etag: t.int64('Version of the community and its definition; changes with each of them.'),
    adminCapabilities: t.ref(
      'GetCommunityAdminCapabilitiesResponse',
      'Administrative capabilities of the caller in the community.',
    ),
    operationalCapabilities: t.ref(
      'GetCommunityOperationalCapabilitiesResponse',
      'Capabilities of the caller in the community.',
    ),
    membersCount: t.count('Number of users with a role in it.'),
  }),
  GetCommunityAdminCapabilitiesResponse: t.type('Administrative capabilities of the caller in a community.', {
    editCommunity: t.flag('May change the community itself.'),
  }),
  GetCommunityOperationalCapabilitiesResponse: t.type('Capabilities of the caller in a community.', {
    viewPost: t.flag('May read its public posts.'),
    createPost: t.flag('May write posts.'),
    createEventPost: t.flag('May write event posts.'),
    pinPost: t.flag('May pin posts.'),
    editPostVisibility: t.flag('May choose whether a post is private or public.'),
    setPostAnnouncementFlag: t.flag('May announce a post.'),
  }),
  GetCommunityDetailsResponse: t.type('One community.', { community: t.ref('Community', 'The community.') }),
  ListCommunitiesRequest: t.type('Communities to return.', {
    communityIds: t.ids('Ids of the communities, at most 1,000.', { maxItems: listLimits.items }),
  }),
  ListCommunitiesResponse: t.type('The communities that were found.', {
    communities: t.list('Community', 'The communities.'),
  }),
  ListPostDefinitionsResponse: t.type('Post definitions of several communities.', {
    communityPostDefinitionMap: t.refMap(
      'GetPostDefinitionResponse',
      'The definitions by community id, written as text.',
    ),
  }),
  GetPostDefinitionResponse: t.type('Structure of the posts of a community.', {
    communityId: t.int64('Community that the definition is for.'),
    workflowDefinition: t.ref('PostWorkflowDefinition', 'Workflow of the posts; `empty` if there is none.'),
    ...postSwitches,
    attachmentMaxSize: t.bigCount('Largest attachment, in bytes.'),
    fieldDefinitions: t.list('PostFieldDefinition', 'The custom fields, in the order of the form.'),
    hashtags: t.list('Hashtag', 'Hashtags of the community.'),
    defaultPostVisibility,
    postViews: t.list('PostView', 'Ways in which posts are shown.'),
    communityRelations: t.list('CommunityRelation', 'Relations from this community to others.'),
    inverseCommunityRelations: t.list('CommunityRelation', 'Relations from others to this community.'),
    acknowledgeTaskEnabled,
  }),
  PostFieldDefinition: t.type('A custom field of posts.', {
    id: t.int64('Id of the field; the key in custom data, and `columnId` in filters.'),
    name: t.text('Internal name: `column_` and the id.'),
    label: t.text('The displayed text.'),
    description: t.text('Instructions for the field, as rich text in the form of a bare array of operations.'),
    type: fieldType,
    parentId: t.int64('In hierarchical fields: the field whose value determines the values that can be chosen.'),
    required: t.flag(
      'True when leaving the value out of a new post is always refused: false on fields that are shown under a condition, that cannot be written, or that the form does not show.',
    ),
    readonly: t.flag('True when requests cannot write the field.'),
    searchable,
    sortable,
    visibleInPreview: t.flag('Whether lists show the field.'),
    visibleInDetail: t.flag('Whether the page of a post shows the field.'),
    visibleInCreate: t.flag('Whether the form of a new post shows the field.'),
    visibleInEdit: t.flag('Whether the edit form shows the field.'),
    externalId: t.text('Identifier of the field in another system.'),
    enumValues: enumValues('PostFieldConfigEnumValue'),
    metadata,
    validations: t.list('PostFieldValidation', 'Rules that values must keep.'),
    conditions,
    ...additions,
  }),
  PostFieldConfigEnumValue: t.type('A value of a custom field.', enumValueFields),
  PostFieldValidation: t.type('A rule of a custom field.', validationFields),
  PostView: t.type('A way in which posts are shown.', {
    id: t.int64('Id of the view.'),
    name: t.text('Name of the view.'),
    titleEnabled: t.flag('Whether it shows the title.'),
    customIdEnabled: t.flag('Whether it shows the number of the post.'),
    descriptionEnabled: t.flag('Whether it shows the text.'),
    currentWorkflowStateEnabled: t.flag('Whether it shows the workflow state.'),
    scenarios: t.codeList(PostViewScenario, 'Place of its use.'),
    postFieldIds: t.ids('Custom fields it shows, in order.'),
  }),
  CommunityRelation: t.type('A relation between the posts of two communities.', {
    id: t.int64('Id of the relation.'),
    name: t.text('Name of the relation.'),
    itemName: t.text('Name of one related post.'),
    cardinality: t.code(RelationCardinality, 'Maximum number of related posts.'),
    view: t.ref('PostView', 'Display of related posts.'),
    targetCommunity: t.ref('Community', 'Community of the related posts.'),
    sourceCommunity: t.ref('Community', 'Community of the posts that hold the relation.'),
    required: t.flag('True when a post cannot do without a related one.'),
  }),
  Hashtag: t.type('A hashtag.', {
    id: t.int64('Id of the hashtag.'),
    name: t.text('The word, without the sign.'),
    externalId: t.text('Identifier of the hashtag in another system.'),
    deleted: t.flag('True when it can no longer be given.'),
  }),
  PostWorkflowDefinition: t.type('The workflow of the posts of a community.', {
    id: t.int64('Id of the workflow.'),
    title: t.text('Name of the workflow.'),
    states: t.list('PostWorkflowDefinitionState', 'The states.'),
    transitions: t.list('PostWorkflowDefinitionTransition', 'The transitions between them.'),
    screenFieldMetadatas: t.list('PostWorkflowDefinitionScreenField', 'Fields of all screens of the workflow.'),
    empty: t.flag('True when the community has no workflow.'),
  }),
  PostWorkflowDefinitionState: t.type('A state of a workflow.', {
    id: t.int64('Id of the state.'),
    initState: t.flag('Whether posts can begin in this state.'),
    name: t.text('Name of the state.'),
    metadata: t.textMap('Further properties, text to text, such as `color`.'),
    terminal: t.flag('Whether work on a post ends in this state.'),
    deleted: t.flag('True when the state is out of use; posts that are in it stay there.'),
    externalId: t.text('Identifier of the state in another system.'),
  }),
  PostWorkflowDefinitionTransition: t.type('A transition of a workflow, also called an operation.', {
    id: t.int64('Id of the transition, by which it is run.'),
    fromState: t.ref('PostWorkflowDefinitionState', 'State it leads away from; absent when it starts from any.'),
    toState: t.ref('PostWorkflowDefinitionState', 'State it leads to.'),
    name: t.text('Name of the transition, as on a button.'),
    metadata: t.textMap('Further properties, text to text.'),
    screen: t.ref('WorkflowDefinitionScreen', 'Form to be filled in; absent when there is none.'),
    externalId: t.text('Identifier of the transition in another system.'),
  }),
  WorkflowDefinitionScreen: t.type('A form that belongs to a transition or a state.', {
    id: t.int64('Id of the screen.'),
    name: t.text('Name of the screen.'),
    message: t.text('Instructions for the person who fills it in.'),
    fieldMetadatas: t.list('PostWorkflowDefinitionScreenFieldAssociation', 'Its fields, in order.'),
  }),
  PostWorkflowDefinitionScreenField: t.type('A field of the screens of a workflow.', {
    id: t.int64('Id of the field; the key in screen data.'),
    label: t.text('The displayed text.'),
    type: fieldType,
    parentId: t.int64('In hierarchical fields: the field whose value determines the values that can be chosen.'),
    readonly: t.flag('True when requests cannot write the field.'),
    searchable,
    sortable,
    visibleInDetail: t.flag('Whether the page of a post shows the field.'),
    visibleInEdit: t.flag('Whether the form of the screen shows the field.'),
    externalId: t.text('Identifier of the field in another system, unique.'),
    enumValues: enumValues('PostWorkflowDefinitionScreenFielEnumValue'),
    metadata,
    ...additions,
  }),
  PostWorkflowDefinitionScreenFieldAssociation: t.type('A field as shown on one screen.', {
    id: t.int64('Id of the field; the key in screen data.'),
    label: t.text('The displayed text.'),
    type: fieldType,
    searchable,
    sortable,
    enumValues: enumValues('PostWorkflowDefinitionScreenFielEnumValue'),
    metadata,
    required: t.flag(
      'True when the screen cannot be sent without a value; false on fields that are shown under a condition.',
    ),
    validations: t.list('PostWorkflowDefinitionScreenFieldValidation', 'Rules that values must keep.'),
    conditions,
    ...additions,
  }),
  PostWorkflowDefinitionScreenFieldValidation: t.type('A rule of a screen field.', validationFields),
  PostWorkflowDefinitionScreenFielEnumValue: t.type('A value of a screen field.', enumValueFields),
};
