/** Communities, post definitions and workflows. */
import { PartUse, PostViewScenario, RelationCardinality, Visibility } from '../codes/codes.ts';
import { ValidationType } from '../codes/defined-codes.ts';
import { FieldType, fieldTypes } from '../codes/field-types.ts';
import { listLimits } from '../limits.ts';
import {
  bigCount,
  code,
  codeList,
  count,
  type Fields,
  flag,
  ids,
  int32,
  int64,
  jsonValue,
  list,
  nullableText,
  ref,
  refMap,
  text,
  textMap,
  time,
  type,
  uri,
} from './fields.ts';

const enumValueFields: Fields = {
  id: int64('Id of the value; writes and filters take it.'),
  label: text('What people see.'),
  externalId: text('Identifier of the value in another system.'),
  parentIds: ids('In hierarchical fields: the values of the parent field to which this one belongs.'),
  deleted: flag('True when the value can no longer be chosen; posts that hold it keep it.'),
  translations: textMap('The label by language code, in other languages than `label`; absent where there are none.'),
};

const validationFields: Fields = {
  id: int64('Id of the rule; errors name it.'),
  fieldId: int64('Field that the rule is for.'),
  validationTypeId: code(ValidationType, 'What the rule asks; see the published table of validation rules.'),
  parameter: nullableText('Parameter of the rule as text, for example a limit; null for rules that take none.'),
  order: int32('Place of the rule among those of the field, from 0.'),
};

const metadataKeys = new Map(Object.values(fieldTypes).flatMap((facts) => Object.entries(facts.metadataKeys ?? {})));
const metadata = textMap(
  `Further properties, text to text. Known keys: ${[...metadataKeys]
    .map(([key, meaning]) => (meaning === '' ? key : `${key} (${meaning})`))
    .join(
      ', ',
    )}, generate_post_comment, inverse_relation_order_by, inverse_relation_order_desc, inverse_relation_include_terminal_states.`,
);

const fieldType = code(FieldType, 'Data type of the field.');
const conditions = list(
  'FieldConditionForm',
  'The form shows the field, and demands a value where it is required, while all of these hold; a field that is not shown counts as empty in them. Absent: always, or under a condition that is not known where the rules say so.',
);
/** What Portico adds to fields wherever they are described. */
const additions: Fields = {
  translations: textMap('The label by language code, in other languages than `label`; absent where there are none.'),
  section: text('Name of the section of the form that holds the field; absent outside of sections.'),
  sectionTranslations: textMap(
    'The name of the section by language code, in other languages than `section`; absent where there are none. Of fields in the same section, those of the first one count.',
  ),
  defaultValue: jsonValue(
    'The value that forms begin with, as it is written into the field; absent where there is none, or where it cannot be written any more.',
  ),
};
export const fieldAdditions = Object.keys(additions);
const searchable = flag('True when lists can be filtered by the field.');
const sortable = flag('True when lists can be ordered by the field.');
const enumValues = (name: string) =>
  list(
    name,
    'Values to choose from; empty for fields that are not lists of values, and for fields on a catalog with more than 500 entries: page those with listPostDefinitionCatalogEntries, whose path `metadata.catalog_entries_path` names.',
  );

/** What the posts of a community have beside a workflow, in the definition and in the form of the community. */
export const postSwitches: Fields = {
  titleEnabled: code(PartUse, 'Whether posts have a title.'),
  descriptionEnabled: code(PartUse, 'Whether posts have a text.'),
  watchersEnabled: code(PartUse, 'Whether posts have watchers.'),
  watchersVisibleInPreview: flag('Whether lists show the watchers.'),
  manualAuthorEnabled: flag('Whether a post can be written in the name of another person.'),
  hashTagEnabled: flag('Whether posts carry hashtags.'),
  attachmentEnabled: flag('Whether posts carry attachments.'),
  likeEnabled: flag('Whether posts can be liked.'),
  offlineEnabled: flag('Whether applications may keep posts for use without a connection.'),
  customFieldsEnabled: flag('Whether posts have custom fields.'),
};
export const acknowledgeTaskEnabled = flag('Whether authors can ask that a post be confirmed as read.');
export const defaultPostVisibility = code(Visibility, 'Visibility of a post when its author says nothing.');

export const communityTypes = {
  Community: type('A community: it holds posts.', {
    id: int64('Id of the community.'),
    name: text('Name of the community.'),
    description: text('What the community is for.'),
    workspaceId: int64('Workspace to which it belongs.'),
    coverImageTemporaryContentViewLink: uri(
      'Absolute, short-lived address of the cover picture; absent when there is none.',
    ),
    colorCode: text('Colour of the community, as `#` and six hexadecimal digits.'),
    draft: flag('True while the community is being prepared and not yet open.'),
    creatorUser: ref('User', 'Who created the community.'),
    creationTimestamp: time('When the community was created.'),
    archivedTimestamp: time('Since when the community can only be read; absent while it is in use.'),
    etag: int64('Version of the community and its definition; changes with each of them.'),
    adminCapabilities: ref('GetCommunityAdminCapabilitiesResponse', 'What the caller may change about the community.'),
    operationalCapabilities: ref(
      'GetCommunityOperationalCapabilitiesResponse',
      'What the caller may do in the community.',
    ),
    membersCount: count('How many users have a role in it.'),
  }),
  GetCommunityAdminCapabilitiesResponse: type('What the caller may change about a community.', {
    editCommunity: flag('May change the community itself.'),
  }),
  GetCommunityOperationalCapabilitiesResponse: type('What the caller may do in a community.', {
    viewPost: flag('May read its public posts.'),
    createPost: flag('May write posts.'),
    createEventPost: flag('May write event posts.'),
    pinPost: flag('May pin posts.'),
    editPostVisibility: flag('May choose whether a post is private or public.'),
    setPostAnnouncementFlag: flag('May make a post an announcement.'),
  }),
  GetCommunityDetailsResponse: type('One community.', { community: ref('Community', 'The community.') }),
  ListCommunitiesRequest: type('Which communities are wanted.', {
    communityIds: ids('Ids of the communities, at most 1,000.', { maxItems: listLimits.items }),
  }),
  ListCommunitiesResponse: type('The communities that were found.', {
    communities: list('Community', 'The communities.'),
  }),
  ListPostDefinitionsResponse: type('Post definitions of several communities.', {
    communityPostDefinitionMap: refMap(
      'GetPostDefinitionResponse',
      'The definitions by community id, written as text.',
    ),
  }),
  GetPostDefinitionResponse: type('What the posts of a community consist of.', {
    communityId: int64('Community that the definition is for.'),
    workflowDefinition: ref('PostWorkflowDefinition', 'Workflow of the posts; `empty` when there is none.'),
    ...postSwitches,
    attachmentMaxSize: bigCount('Largest attachment, in bytes.'),
    fieldDefinitions: list('PostFieldDefinition', 'The custom fields, in the order of the form.'),
    hashtags: list('Hashtag', 'Hashtags of the community.'),
    defaultPostVisibility,
    postViews: list('PostView', 'Ways in which posts are shown.'),
    communityRelations: list('CommunityRelation', 'Relations from this community to others.'),
    inverseCommunityRelations: list('CommunityRelation', 'Relations from others to this community.'),
    acknowledgeTaskEnabled,
  }),
  PostFieldDefinition: type('A custom field of posts.', {
    id: int64('Id of the field; the key in custom data, and `columnId` in filters.'),
    name: text('Internal name: `column_` and the id.'),
    label: text('What people see.'),
    description: text('How to fill the field in, as rich text in the form of a bare array of operations.'),
    type: fieldType,
    parentId: int64('In hierarchical fields: the field whose value decides which values can be chosen.'),
    required: flag(
      'True when leaving the value out of a new post is always refused: false on fields that are shown under a condition, that cannot be written, or that the form does not show.',
    ),
    readonly: flag('True when requests cannot write the field.'),
    searchable,
    sortable,
    visibleInPreview: flag('Whether lists show the field.'),
    visibleInDetail: flag('Whether the page of a post shows the field.'),
    visibleInCreate: flag('Whether the form of a new post shows the field.'),
    visibleInEdit: flag('Whether the edit form shows the field.'),
    externalId: text('Identifier of the field in another system.'),
    enumValues: enumValues('PostFieldConfigEnumValue'),
    metadata,
    validations: list('PostFieldValidation', 'Rules that values must keep.'),
    conditions,
    ...additions,
  }),
  PostFieldConfigEnumValue: type('A value of a custom field.', enumValueFields),
  PostFieldValidation: type('A rule of a custom field.', validationFields),
  PostView: type('A way in which posts are shown.', {
    id: int64('Id of the view.'),
    name: text('Name of the view.'),
    titleEnabled: flag('Whether it shows the title.'),
    customIdEnabled: flag('Whether it shows the number of the post.'),
    descriptionEnabled: flag('Whether it shows the text.'),
    currentWorkflowStateEnabled: flag('Whether it shows the workflow state.'),
    scenarios: codeList(PostViewScenario, 'Where it is used.'),
    postFieldIds: ids('Custom fields it shows, in order.'),
  }),
  CommunityRelation: type('A relation between the posts of two communities.', {
    id: int64('Id of the relation.'),
    name: text('Name of the relation.'),
    itemName: text('What one related post is called.'),
    cardinality: code(RelationCardinality, 'How many posts may be related.'),
    view: ref('PostView', 'How related posts are shown.'),
    targetCommunity: ref('Community', 'Community of the related posts.'),
    sourceCommunity: ref('Community', 'Community whose posts hold the relation.'),
    required: flag('True when a post cannot do without a related one.'),
  }),
  Hashtag: type('A hashtag.', {
    id: int64('Id of the hashtag.'),
    name: text('The word, without the sign.'),
    externalId: text('Identifier of the hashtag in another system.'),
    deleted: flag('True when it can no longer be given.'),
  }),
  PostWorkflowDefinition: type('The workflow of the posts of a community.', {
    id: int64('Id of the workflow.'),
    title: text('Name of the workflow.'),
    states: list('PostWorkflowDefinitionState', 'The states.'),
    transitions: list('PostWorkflowDefinitionTransition', 'The transitions between them.'),
    screenFieldMetadatas: list('PostWorkflowDefinitionScreenField', 'Fields of all screens of the workflow.'),
    empty: flag('True when the community has no workflow.'),
  }),
  PostWorkflowDefinitionState: type('A state of a workflow.', {
    id: int64('Id of the state.'),
    initState: flag('Whether posts can begin in this state.'),
    name: text('Name of the state.'),
    metadata: textMap('Further properties, text to text, such as `color`.'),
    terminal: flag('Whether work on a post ends in this state.'),
    deleted: flag('True when the state is out of use; posts that are in it stay there.'),
    externalId: text('Identifier of the state in another system.'),
  }),
  PostWorkflowDefinitionTransition: type('A transition of a workflow, also called an operation.', {
    id: int64('Id of the transition, by which it is run.'),
    fromState: ref('PostWorkflowDefinitionState', 'State it leads away from; absent when it starts from any.'),
    toState: ref('PostWorkflowDefinitionState', 'State it leads to.'),
    name: text('Name of the transition, as on a button.'),
    metadata: textMap('Further properties, text to text.'),
    screen: ref('WorkflowDefinitionScreen', 'Form to be filled in; absent when there is none.'),
    externalId: text('Identifier of the transition in another system.'),
  }),
  WorkflowDefinitionScreen: type('A form that belongs to a transition or a state.', {
    id: int64('Id of the screen.'),
    name: text('Name of the screen.'),
    message: text('What to tell the person who fills it in.'),
    fieldMetadatas: list('PostWorkflowDefinitionScreenFieldAssociation', 'Its fields, in order.'),
  }),
  PostWorkflowDefinitionScreenField: type('A field of the screens of a workflow.', {
    id: int64('Id of the field; the key in screen data.'),
    label: text('What people see.'),
    type: fieldType,
    parentId: int64('In hierarchical fields: the field whose value decides which values can be chosen.'),
    readonly: flag('True when requests cannot write the field.'),
    searchable,
    sortable,
    visibleInDetail: flag('Whether the page of a post shows the field.'),
    visibleInEdit: flag('Whether the form of the screen shows the field.'),
    externalId: text('Identifier of the field in another system, unique.'),
    enumValues: enumValues('PostWorkflowDefinitionScreenFielEnumValue'),
    metadata,
    ...additions,
  }),
  PostWorkflowDefinitionScreenFieldAssociation: type('A field as shown on one screen.', {
    id: int64('Id of the field; the key in screen data.'),
    label: text('What people see.'),
    type: fieldType,
    searchable,
    sortable,
    enumValues: enumValues('PostWorkflowDefinitionScreenFielEnumValue'),
    metadata,
    required: flag(
      'True when the screen cannot be sent without a value; false on fields that are shown under a condition.',
    ),
    validations: list('PostWorkflowDefinitionScreenFieldValidation', 'Rules that values must keep.'),
    conditions,
    ...additions,
  }),
  PostWorkflowDefinitionScreenFieldValidation: type('A rule of a screen field.', validationFields),
  PostWorkflowDefinitionScreenFielEnumValue: type('A value of a screen field.', enumValueFields),
};
