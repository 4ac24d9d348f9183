// Generated from the declarations in src/schemas by `npm run generate`. Do not edit.
import type { FieldConditionForm } from './extensions.generated.ts';
import type { User } from './users.generated.ts';
import type { JsonValue } from './json.ts';

/** A community: it holds posts. */
export interface Community {
  /** Id of the community. */
  id?: number;
  /** Name of the community. */
  name?: string;
  /** What the community is for. */
  description?: string;
  /** Workspace to which it belongs. */
  workspaceId?: number;
  /** Absolute, short-lived address of the cover picture; absent when there is none. */
  coverImageTemporaryContentViewLink?: string;
  /** Colour of the community, as `#` and six hexadecimal digits. */
  colorCode?: string;
  /** True while the community is being prepared and not yet open. */
  draft?: boolean;
  /** Who created the community. */
  creatorUser?: User;
  /** When the community was created. Epoch milliseconds, UTC. */
  creationTimestamp?: number;
  /** Since when the community can only be read; absent while it is in use. Epoch milliseconds, UTC. */
  archivedTimestamp?: number;
  /** Version of the community and its definition; changes with each of them. */
  etag?: number;
  /** What the caller may change about the community. */
  adminCapabilities?: GetCommunityAdminCapabilitiesResponse;
  /** What the caller may do in the community. */
  operationalCapabilities?: GetCommunityOperationalCapabilitiesResponse;
  /** How many users have a role in it. */
  membersCount?: number;
}

/** What the caller may change about a community. */
export interface GetCommunityAdminCapabilitiesResponse {
  /** May change the community itself. */
  editCommunity?: boolean;
}

/** What the caller may do in a community. */
export interface GetCommunityOperationalCapabilitiesResponse {
  /** May read its public posts. */
  viewPost?: boolean;
  /** May write posts. */
  createPost?: boolean;
  /** May write event posts. */
  createEventPost?: boolean;
  /** May pin posts. */
  pinPost?: boolean;
  /** May choose whether a post is private or public. */
  editPostVisibility?: boolean;
  /** May make a post an announcement. */
  setPostAnnouncementFlag?: boolean;
}

/** One community. */
export interface GetCommunityDetailsResponse {
  /** The community. */
  community?: Community;
}

/** Which communities are wanted. */
export interface ListCommunitiesRequest {
  /** Ids of the communities, at most 1,000. */
  communityIds?: number[];
}

/** The communities that were found. */
export interface ListCommunitiesResponse {
  /** The communities. */
  communities?: Community[];
}

/** Post definitions of several communities. */
export interface ListPostDefinitionsResponse {
  /** The definitions by community id, written as text. */
  communityPostDefinitionMap?: Record<string, GetPostDefinitionResponse>;
}

/** What the posts of a community consist of. */
export interface GetPostDefinitionResponse {
  /** Community that the definition is for. */
  communityId?: number;
  /** Workflow of the posts; `empty` when there is none. */
  workflowDefinition?: PostWorkflowDefinition;
  /** Whether posts have a title. 0 = DISABLED, 1 = OPTIONAL, 2 = REQUIRED. */
  titleEnabled?: 0 | 1 | 2;
  /** Whether posts have a text. 0 = DISABLED, 1 = OPTIONAL, 2 = REQUIRED. */
  descriptionEnabled?: 0 | 1 | 2;
  /** Whether posts have watchers. 0 = DISABLED, 1 = OPTIONAL, 2 = REQUIRED. */
  watchersEnabled?: 0 | 1 | 2;
  /** Whether lists show the watchers. */
  watchersVisibleInPreview?: boolean;
  /** Whether a post can be written in the name of another person. */
  manualAuthorEnabled?: boolean;
  /** Whether posts carry hashtags. */
  hashTagEnabled?: boolean;
  /** Whether posts carry attachments. */
  attachmentEnabled?: boolean;
  /** Whether posts can be liked. */
  likeEnabled?: boolean;
  /** Whether applications may keep posts for use without a connection. */
  offlineEnabled?: boolean;
  /** Whether posts have custom fields. */
  customFieldsEnabled?: boolean;
  /** Largest attachment, in bytes. */
  attachmentMaxSize?: number;
  /** The custom fields, in the order of the form. */
  fieldDefinitions?: PostFieldDefinition[];
  /** Hashtags of the community. */
  hashtags?: Hashtag[];
  /** Visibility of a post when its author says nothing. 1 = PRIVATE, 2 = PUBLIC. */
  defaultPostVisibility?: 1 | 2;
  /** Ways in which posts are shown. */
  postViews?: PostView[];
  /** Relations from this community to others. */
  communityRelations?: CommunityRelation[];
  /** Relations from others to this community. */
  inverseCommunityRelations?: CommunityRelation[];
  /** Whether authors can ask that a post be confirmed as read. */
  acknowledgeTaskEnabled?: boolean;
}

/** A custom field of posts. */
export interface PostFieldDefinition {
  /** Id of the field; the key in custom data, and `columnId` in filters. */
  id?: number;
  /** Internal name: `column_` and the id. */
  name?: string;
  /** What people see. */
  label?: string;
  /** How to fill the field in, as rich text in the form of a bare array of operations. */
  description?: string;
  /** Data type of the field. 1 = INT, 2 = BIGINT, 3 = DECIMAL, 4 = DATE, 5 = DATETIME, 6 = STRING, 7 = ENUM, 8 = ENUM_LIST, 9 = TEXT_AREA, 10 = FLAG, 11 = DELTA_AREA, 12 = FEEDBACK, 13 = HIERARCHICAL_ENUM, 14 = LINK, 15 = GENERIC_ENTITY_LIST. */
  type?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15;
  /** In hierarchical fields: the field whose value decides which values can be chosen. */
  parentId?: number;
  /** True when leaving the value out of a new post is always refused: false on fields that are shown under a condition, that cannot be written, or that the form does not show. */
  required?: boolean;
  /** True when requests cannot write the field. */
  readonly?: boolean;
  /** True when lists can be filtered by the field. */
  searchable?: boolean;
  /** True when lists can be ordered by the field. */
  sortable?: boolean;
  /** Whether lists show the field. */
  visibleInPreview?: boolean;
  /** Whether the page of a post shows the field. */
  visibleInDetail?: boolean;
  /** Whether the form of a new post shows the field. */
  visibleInCreate?: boolean;
  /** Whether the edit form shows the field. */
  visibleInEdit?: boolean;
  /** Identifier of the field in another system. */
  externalId?: string;
  /** Values to choose from; empty for fields that are not lists of values, and for fields on a catalog with more than 500 entries: page those with listPostDefinitionCatalogEntries, whose path `metadata.catalog_entries_path` names. */
  enumValues?: PostFieldConfigEnumValue[];
  /** Further properties, text to text. Known keys: decimal_digits, catalog_id (left out while the catalog is out of use), catalog_entries_path (where the entries of a catalog with more than 500 of them are listed by pages: listPostDefinitionCatalogEntries), feedback_min_value, feedback_max_value, feedback_step, feedback_icon_type, generic_entity_list_config_id (core.user or communication.post), user_picker_from_group, community_id, extends_post_visibility, generate_post_comment, inverse_relation_order_by, inverse_relation_order_desc, inverse_relation_include_terminal_states. */
  metadata?: Record<string, string>;
  /** Rules that values must keep. */
  validations?: PostFieldValidation[];
  /** The form shows the field, and demands a value where it is required, while all of these hold; a field that is not shown counts as empty in them. Absent: always, or under a condition that is not known where the rules say so. */
  conditions?: FieldConditionForm[];
  /** The label by language code, in other languages than `label`; absent where there are none. */
  translations?: Record<string, string>;
  /** Name of the section of the form that holds the field; absent outside of sections. */
  section?: string;
  /** The name of the section by language code, in other languages than `section`; absent where there are none. Of fields in the same section, those of the first one count. */
  sectionTranslations?: Record<string, string>;
  /** The value that forms begin with, as it is written into the field; absent where there is none, or where it cannot be written any more. */
  defaultValue?: JsonValue;
}

/** A value of a custom field. */
export interface PostFieldConfigEnumValue {
  /** Id of the value; writes and filters take it. */
  id?: number;
  /** What people see. */
  label?: string;
  /** Identifier of the value in another system. */
  externalId?: string;
  /** In hierarchical fields: the values of the parent field to which this one belongs. */
  parentIds?: number[];
  /** True when the value can no longer be chosen; posts that hold it keep it. */
  deleted?: boolean;
  /** The label by language code, in other languages than `label`; absent where there are none. */
  translations?: Record<string, string>;
}

/** A rule of a custom field. */
export interface PostFieldValidation {
  /** Id of the rule; errors name it. */
  id?: number;
  /** Field that the rule is for. */
  fieldId?: number;
  /** What the rule asks; see the published table of validation rules. 1 = REQUIRED, 5 = MAX_COUNT, 10 = CONDITIONAL, 1002 = MIN_VALUE, 1003 = MAX_VALUE, 1004 = MIN_COUNT, 1006 = MIN_LENGTH, 1007 = MAX_LENGTH, 1008 = PATTERN, 1009 = DATE_MIN, 1010 = UNIQUE_ITEMS, 1011 = DATE_MAX, 1012 = MAX_DECIMALS, 1013 = NOT_IN_THE_PAST, 1014 = NOT_IN_THE_FUTURE, 1015 = EMAIL, 1016 = URL. */
  validationTypeId?: 1 | 5 | 10 | 1002 | 1003 | 1004 | 1006 | 1007 | 1008 | 1009 | 1010 | 1011 | 1012 | 1013 | 1014 | 1015 | 1016;
  /** Parameter of the rule as text, for example a limit; null for rules that take none. */
  parameter?: string | null;
  /** Place of the rule among those of the field, from 0. */
  order?: number;
}

/** A way in which posts are shown. */
export interface PostView {
  /** Id of the view. */
  id?: number;
  /** Name of the view. */
  name?: string;
  /** Whether it shows the title. */
  titleEnabled?: boolean;
  /** Whether it shows the number of the post. */
  customIdEnabled?: boolean;
  /** Whether it shows the text. */
  descriptionEnabled?: boolean;
  /** Whether it shows the workflow state. */
  currentWorkflowStateEnabled?: boolean;
  /** Where it is used. 1 = LIST, 2 = DETAIL, 3 = RELATION. */
  scenarios?: (1 | 2 | 3)[];
  /** Custom fields it shows, in order. */
  postFieldIds?: number[];
}

/** A relation between the posts of two communities. */
export interface CommunityRelation {
  /** Id of the relation. */
  id?: number;
  /** Name of the relation. */
  name?: string;
  /** What one related post is called. */
  itemName?: string;
  /** How many posts may be related. 1 = ONE, 2 = MANY. */
  cardinality?: 1 | 2;
  /** How related posts are shown. */
  view?: PostView;
  /** Community of the related posts. */
  targetCommunity?: Community;
  /** Community whose posts hold the relation. */
  sourceCommunity?: Community;
  /** True when a post cannot do without a related one. */
  required?: boolean;
}

/** A hashtag. */
export interface Hashtag {
  /** Id of the hashtag. */
  id?: number;
  /** The word, without the sign. */
  name?: string;
  /** Identifier of the hashtag in another system. */
  externalId?: string;
  /** True when it can no longer be given. */
  deleted?: boolean;
}

/** The workflow of the posts of a community. */
export interface PostWorkflowDefinition {
  /** Id of the workflow. */
  id?: number;
  /** Name of the workflow. */
  title?: string;
  /** The states. */
  states?: PostWorkflowDefinitionState[];
  /** The transitions between them. */
  transitions?: PostWorkflowDefinitionTransition[];
  /** Fields of all screens of the workflow. */
  screenFieldMetadatas?: PostWorkflowDefinitionScreenField[];
  /** True when the community has no workflow. */
  empty?: boolean;
}

/** A state of a workflow. */
export interface PostWorkflowDefinitionState {
  /** Id of the state. */
  id?: number;
  /** Whether posts can begin in this state. */
  initState?: boolean;
  /** Name of the state. */
  name?: string;
  /** Further properties, text to text, such as `color`. */
  metadata?: Record<string, string>;
  /** Whether work on a post ends in this state. */
  terminal?: boolean;
  /** True when the state is out of use; posts that are in it stay there. */
  deleted?: boolean;
  /** Identifier of the state in another system. */
  externalId?: string;
}

/** A transition of a workflow, also called an operation. */
export interface PostWorkflowDefinitionTransition {
  /** Id of the transition, by which it is run. */
  id?: number;
  /** State it leads away from; absent when it starts from any. */
  fromState?: PostWorkflowDefinitionState;
  /** State it leads to. */
  toState?: PostWorkflowDefinitionState;
  /** Name of the transition, as on a button. */
  name?: string;
  /** Further properties, text to text. */
  metadata?: Record<string, string>;
  /** Form to be filled in; absent when there is none. */
  screen?: WorkflowDefinitionScreen;
  /** Identifier of the transition in another system. */
  externalId?: string;
}

/** A form that belongs to a transition or a state. */
export interface WorkflowDefinitionScreen {
  /** Id of the screen. */
  id?: number;
  /** Name of the screen. */
  name?: string;
  /** What to tell the person who fills it in. */
  message?: string;
  /** Its fields, in order. */
  fieldMetadatas?: PostWorkflowDefinitionScreenFieldAssociation[];
}

/** A field of the screens of a workflow. */
export interface PostWorkflowDefinitionScreenField {
  /** Id of the field; the key in screen data. */
  id?: number;
  /** What people see. */
  label?: string;
  /** Data type of the field. 1 = INT, 2 = BIGINT, 3 = DECIMAL, 4 = DATE, 5 = DATETIME, 6 = STRING, 7 = ENUM, 8 = ENUM_LIST, 9 = TEXT_AREA, 10 = FLAG, 11 = DELTA_AREA, 12 = FEEDBACK, 13 = HIERARCHICAL_ENUM, 14 = LINK, 15 = GENERIC_ENTITY_LIST. */
  type?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15;
  /** In hierarchical fields: the field whose value decides which values can be chosen. */
  parentId?: number;
  /** True when requests cannot write the field. */
  readonly?: boolean;
  /** True when lists can be filtered by the field. */
  searchable?: boolean;
  /** True when lists can be ordered by the field. */
  sortable?: boolean;
  /** Whether the page of a post shows the field. */
  visibleInDetail?: boolean;
  /** Whether the form of the screen shows the field. */
  visibleInEdit?: boolean;
  /** Identifier of the field in another system, unique. */
  externalId?: string;
  /** Values to choose from; empty for fields that are not lists of values, and for fields on a catalog with more than 500 entries: page those with listPostDefinitionCatalogEntries, whose path `metadata.catalog_entries_path` names. */
  enumValues?: PostWorkflowDefinitionScreenFielEnumValue[];
  /** Further properties, text to text. Known keys: decimal_digits, catalog_id (left out while the catalog is out of use), catalog_entries_path (where the entries of a catalog with more than 500 of them are listed by pages: listPostDefinitionCatalogEntries), feedback_min_value, feedback_max_value, feedback_step, feedback_icon_type, generic_entity_list_config_id (core.user or communication.post), user_picker_from_group, community_id, extends_post_visibility, generate_post_comment, inverse_relation_order_by, inverse_relation_order_desc, inverse_relation_include_terminal_states. */
  metadata?: Record<string, string>;
  /** The label by language code, in other languages than `label`; absent where there are none. */
  translations?: Record<string, string>;
  /** Name of the section of the form that holds the field; absent outside of sections. */
  section?: string;
  /** The name of the section by language code, in other languages than `section`; absent where there are none. Of fields in the same section, those of the first one count. */
  sectionTranslations?: Record<string, string>;
  /** The value that forms begin with, as it is written into the field; absent where there is none, or where it cannot be written any more. */
  defaultValue?: JsonValue;
}

/** A field as shown on one screen. */
export interface PostWorkflowDefinitionScreenFieldAssociation {
  /** Id of the field; the key in screen data. */
  id?: number;
  /** What people see. */
  label?: string;
  /** Data type of the field. 1 = INT, 2 = BIGINT, 3 = DECIMAL, 4 = DATE, 5 = DATETIME, 6 = STRING, 7 = ENUM, 8 = ENUM_LIST, 9 = TEXT_AREA, 10 = FLAG, 11 = DELTA_AREA, 12 = FEEDBACK, 13 = HIERARCHICAL_ENUM, 14 = LINK, 15 = GENERIC_ENTITY_LIST. */
  type?: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12 | 13 | 14 | 15;
  /** True when lists can be filtered by the field. */
  searchable?: boolean;
  /** True when lists can be ordered by the field. */
  sortable?: boolean;
  /** Values to choose from; empty for fields that are not lists of values, and for fields on a catalog with more than 500 entries: page those with listPostDefinitionCatalogEntries, whose path `metadata.catalog_entries_path` names. */
  enumValues?: PostWorkflowDefinitionScreenFielEnumValue[];
  /** Further properties, text to text. Known keys: decimal_digits, catalog_id (left out while the catalog is out of use), catalog_entries_path (where the entries of a catalog with more than 500 of them are listed by pages: listPostDefinitionCatalogEntries), feedback_min_value, feedback_max_value, feedback_step, feedback_icon_type, generic_entity_list_config_id (core.user or communication.post), user_picker_from_group, community_id, extends_post_visibility, generate_post_comment, inverse_relation_order_by, inverse_relation_order_desc, inverse_relation_include_terminal_states. */
  metadata?: Record<string, string>;
  /** True when the screen cannot be sent without a value; false on fields that are shown under a condition. */
  required?: boolean;
  /** Rules that values must keep. */
  validations?: PostWorkflowDefinitionScreenFieldValidation[];
  /** The form shows the field, and demands a value where it is required, while all of these hold; a field that is not shown counts as empty in them. Absent: always, or under a condition that is not known where the rules say so. */
  conditions?: FieldConditionForm[];
  /** The label by language code, in other languages than `label`; absent where there are none. */
  translations?: Record<string, string>;
  /** Name of the section of the form that holds the field; absent outside of sections. */
  section?: string;
  /** The name of the section by language code, in other languages than `section`; absent where there are none. Of fields in the same section, those of the first one count. */
  sectionTranslations?: Record<string, string>;
  /** The value that forms begin with, as it is written into the field; absent where there is none, or where it cannot be written any more. */
  defaultValue?: JsonValue;
}

/** A rule of a screen field. */
export interface PostWorkflowDefinitionScreenFieldValidation {
  /** Id of the rule; errors name it. */
  id?: number;
  /** Field that the rule is for. */
  fieldId?: number;
  /** What the rule asks; see the published table of validation rules. 1 = REQUIRED, 5 = MAX_COUNT, 10 = CONDITIONAL, 1002 = MIN_VALUE, 1003 = MAX_VALUE, 1004 = MIN_COUNT, 1006 = MIN_LENGTH, 1007 = MAX_LENGTH, 1008 = PATTERN, 1009 = DATE_MIN, 1010 = UNIQUE_ITEMS, 1011 = DATE_MAX, 1012 = MAX_DECIMALS, 1013 = NOT_IN_THE_PAST, 1014 = NOT_IN_THE_FUTURE, 1015 = EMAIL, 1016 = URL. */
  validationTypeId?: 1 | 5 | 10 | 1002 | 1003 | 1004 | 1006 | 1007 | 1008 | 1009 | 1010 | 1011 | 1012 | 1013 | 1014 | 1015 | 1016;
  /** Parameter of the rule as text, for example a limit; null for rules that take none. */
  parameter?: string | null;
  /** Place of the rule among those of the field, from 0. */
  order?: number;
}

/** A value of a screen field. */
export interface PostWorkflowDefinitionScreenFielEnumValue {
  /** Id of the value; writes and filters take it. */
  id?: number;
  /** What people see. */
  label?: string;
  /** Identifier of the value in another system. */
  externalId?: string;
  /** In hierarchical fields: the values of the parent field to which this one belongs. */
  parentIds?: number[];
  /** True when the value can no longer be chosen; posts that hold it keep it. */
  deleted?: boolean;
  /** The label by language code, in other languages than `label`; absent where there are none. */
  translations?: Record<string, string>;
}
