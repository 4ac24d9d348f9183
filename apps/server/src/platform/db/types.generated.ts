/** Made by `npm run generate` from the migrated database: do not edit. */
import type { ColumnType, Generated } from 'kysely';

/** Epoch milliseconds when read, Date when written. */
export type Timestamp = ColumnType<number, Date, Date>;
/** Parsed when read, JSON text when written. */
export type Json = ColumnType<unknown, string, string>;

export interface AccessSnapshotsTable {
  tenant_id: number;
  id: Generated<number>;
  user_id: number;
  digest: string;
  community_ids: number[];
  role_ids: number[];
  group_ids: number[];
  created_at: Timestamp;
  used_at: Timestamp;
}

export interface AreasTable {
  tenant_id: number;
  id: Generated<number>;
  name: string;
  external_id: string | null;
  description: string | null;
}

export interface AttachmentHashtagsTable {
  tenant_id: number;
  attachment_id: number;
  hashtag_id: number;
}

export interface AttachmentVersionsTable {
  tenant_id: number;
  attachment_id: number;
  version_number: number;
  name: string;
  mime_type: string;
  size: Generated<number>;
  content_ref: string | null;
  drive: ColumnType<unknown, string | null | undefined, string | null>;
  creator_id: number;
  created_at: Timestamp;
}

export interface AttachmentsTable {
  tenant_id: number;
  id: Generated<number>;
  post_id: number;
  community_id: number;
  entity_type: number;
  comment_id: number | null;
  task_id: number | null;
  field_id: number | null;
  type: Generated<number>;
  kind: Generated<number>;
  name: string;
  name_key: string;
  mime_type: string;
  size: Generated<number>;
  content_ref: string | null;
  version_number: Generated<number>;
  drive: ColumnType<unknown, string | null | undefined, string | null>;
  referenced_id: number | null;
  creator_id: number;
  created_at: Timestamp;
  modifier_id: number;
  modified_at: Timestamp;
  deleted_at: ColumnType<number | null, Date | null | undefined, Date | null>;
}

export interface BusinessUnitsTable {
  tenant_id: number;
  id: Generated<number>;
  name: string;
  external_id: string | null;
  description: string | null;
}

export interface CatalogEntriesTable {
  tenant_id: number;
  id: Generated<number>;
  version: Generated<number>;
  catalog_id: number;
  label: Json;
  label_key: string;
  external_id: string | null;
  parent_ids: Generated<number[]>;
  deleted: Generated<boolean>;
  modified_at: ColumnType<number, Date | undefined, Date>;
  modified_by: number | null;
}

export interface CatalogsTable {
  tenant_id: number;
  id: Generated<number>;
  version: Generated<number>;
  name: Json;
  parent_id: number | null;
  external_id: string | null;
  deleted: Generated<boolean>;
  modified_at: ColumnType<number, Date | undefined, Date>;
  modified_by: number | null;
}

export interface ChangesTable {
  tenant_id: number;
  id: Generated<number>;
  xid: string;
  seq: number | null;
  at: Timestamp;
  post_id: number;
  community_id: number;
  kind: number;
  acl_changed: Generated<boolean>;
  before_live: boolean | null;
  before_visibility: number | null;
  before_principals: number[] | null;
}

export interface CommentLikesTable {
  tenant_id: number;
  comment_id: number;
  user_id: number;
  created_at: Timestamp;
}

export interface CommentsTable {
  tenant_id: number;
  id: Generated<number>;
  post_id: number;
  parent_id: number | null;
  client_uid: string | null;
  delta: string;
  plain: string;
  creator_id: number;
  created_at: Timestamp;
  modified_at: Timestamp;
  deleted_at: ColumnType<number | null, Date | null | undefined, Date | null>;
  likes_count: Generated<number>;
  field_info: ColumnType<unknown, string | null | undefined, string | null>;
}

export interface CommunitiesTable {
  tenant_id: number;
  id: Generated<number>;
  etag: Generated<number>;
  workspace_id: number;
  workflow_id: number | null;
  name: string;
  name_key: string;
  description: string | null;
  color_code: string | null;
  cover_content_ref: string | null;
  external_id: string | null;
  draft: Generated<boolean>;
  workspace_member_role: number | null;
  comments_hidden_from_readers: Generated<boolean>;
  title_enabled: Generated<number>;
  description_enabled: Generated<number>;
  watchers_enabled: Generated<number>;
  watchers_visible_in_preview: Generated<boolean>;
  manual_author_enabled: Generated<boolean>;
  hashtag_enabled: Generated<boolean>;
  attachment_enabled: Generated<boolean>;
  like_enabled: Generated<boolean>;
  offline_enabled: Generated<boolean>;
  custom_fields_enabled: Generated<boolean>;
  acknowledge_task_enabled: Generated<boolean>;
  events_enabled: Generated<boolean>;
  init_state_choice_enabled: Generated<boolean>;
  attachment_max_size: number | null;
  default_visibility: Generated<number>;
  creator_id: number;
  created_at: ColumnType<number, Date | undefined, Date>;
}

export interface CommunityCountersTable {
  tenant_id: number;
  community_id: number;
  last_custom_no: Generated<number>;
}

export interface CommunityRelationsTable {
  tenant_id: number;
  id: Generated<number>;
  name: string;
  item_name: string | null;
  cardinality: number | null;
  view_id: number | null;
  source_community_id: number;
  target_community_id: number;
  required: Generated<boolean>;
}

export interface CommunityRolesTable {
  tenant_id: number;
  community_id: number;
  principal: number;
  role_id: number;
}

export interface EventAnswersTable {
  tenant_id: number;
  post_id: number;
  user_id: number;
  type_id: number;
  notes: string | null;
  answered_at: Timestamp;
}

export interface EventInvitationsTable {
  tenant_id: number;
  post_id: number;
  principal: number;
  type_id: Generated<number>;
}

export interface FieldEnumValuesTable {
  tenant_id: number;
  id: Generated<number>;
  field_id: number;
  position: Generated<number>;
  label: string;
  label_key: string;
  external_id: string | null;
  parent_ids: Generated<number[]>;
  deleted: Generated<boolean>;
}

export interface FieldValidationsTable {
  tenant_id: number;
  id: Generated<number>;
  field_id: number;
  type_id: number;
  parameter: string | null;
  position: Generated<number>;
}

export interface FieldsTable {
  tenant_id: number;
  id: Generated<number>;
  community_id: number | null;
  workflow_id: number | null;
  catalog_id: number | null;
  parent_id: number | null;
  position: Generated<number>;
  type: number;
  label: string;
  description: string | null;
  external_id: string | null;
  required: Generated<boolean>;
  readonly: Generated<boolean>;
  searchable: Generated<boolean>;
  sortable: Generated<boolean>;
  visible_in_preview: Generated<boolean>;
  visible_in_detail: Generated<boolean>;
  visible_in_create: Generated<boolean>;
  visible_in_edit: Generated<boolean>;
  metadata: ColumnType<unknown, string | undefined, string>;
  deleted: Generated<boolean>;
}

export interface FileContentsTable {
  tenant_id: number;
  content_ref: string;
  storage_key: string | null;
  mime_type: string | null;
  size: number | null;
  md5: string | null;
  sha256: string | null;
  state: Generated<number>;
  creator_id: number;
  created_at: Timestamp;
  uploaded_at: ColumnType<number | null, Date | null | undefined, Date | null>;
  attached_at: ColumnType<number | null, Date | null | undefined, Date | null>;
}

export interface GroupMembersTable {
  tenant_id: number;
  group_id: number;
  user_id: number;
}

export interface GroupTagsTable {
  tenant_id: number;
  id: Generated<number>;
  group_id: number;
  name: string;
  visible: Generated<boolean>;
  deleted: Generated<boolean>;
}

export interface GroupsTable {
  tenant_id: number;
  id: Generated<number>;
  version: Generated<number>;
  name: string;
  name_key: string;
  email: string | null;
  email_key: string | null;
  description: string | null;
  visible: Generated<boolean>;
  system_account: Generated<boolean>;
  external_id: string | null;
  members_count: Generated<number>;
  deleted_at: ColumnType<number | null, Date | null | undefined, Date | null>;
  created_at: ColumnType<number, Date | undefined, Date>;
  modified_at: ColumnType<number, Date | undefined, Date>;
  modified_by: number | null;
}

export interface HashtagsTable {
  tenant_id: number;
  id: Generated<number>;
  community_id: number;
  name: string;
  name_key: string;
  external_id: string | null;
  deleted: Generated<boolean>;
}

export interface HistoryEventsTable {
  tenant_id: number;
  id: Generated<number>;
  post_id: number | null;
  community_id: number | null;
  workspace_id: number | null;
  type_id: number;
  at: Timestamp;
  author_id: number;
  target_user_id: number | null;
  transition_id: number | null;
  comment_id: number | null;
  attachment_id: number | null;
  attachment_version: number | null;
  task_ids: number[] | null;
  details: ColumnType<unknown, string | undefined, string>;
}

export interface IdempotencyKeysTable {
  tenant_id: number;
  user_id: number;
  key: string;
  request_hash: string;
  status: number | null;
  response: ColumnType<unknown, string | null | undefined, string | null>;
  created_at: Timestamp;
}

export interface ImportRecordsTable {
  tenant_id: number;
  source: string;
  external_id: string;
  fingerprint: string;
  post_id: number;
}

export interface PostGrantsTable {
  tenant_id: number;
  post_id: number;
  principal: number;
  source: number;
  source_id: Generated<number>;
}

export interface PostHashtagsTable {
  tenant_id: number;
  post_id: number;
  hashtag_id: number;
}

export interface PostLikesTable {
  tenant_id: number;
  post_id: number;
  user_id: number;
  created_at: Timestamp;
}

export interface PostMentionsTable {
  tenant_id: number;
  post_id: number;
  comment_id: Generated<number>;
  user_id: number;
}

export interface PostSearchTable {
  tenant_id: number;
  post_id: number;
  community_id: number;
  title: string;
  description: string;
  doc: string;
}

export interface PostSearchViewTable {
  tenant_id: number | null;
  post_id: number | null;
  community_id: number | null;
  title: string | null;
  description: string | null;
  doc: string | null;
}

export interface PostTextsTable {
  tenant_id: number;
  field_id: number;
  post_id: number;
  norm: string;
}

export interface PostTextsViewTable {
  tenant_id: number | null;
  field_id: number | null;
  post_id: number | null;
  norm: string | null;
}

export interface PostUserStateTable {
  tenant_id: number;
  user_id: number;
  post_id: number;
  community_id: number;
  viewed_at: ColumnType<number | null, Date | null | undefined, Date | null>;
  views_count: Generated<number>;
  modified_at: ColumnType<number | null, Date | null | undefined, Date | null>;
  commented_at: ColumnType<number | null, Date | null | undefined, Date | null>;
}

export interface PostValuesTable {
  tenant_id: number;
  field_id: number;
  post_id: number;
  ord: Generated<number>;
  empty: Generated<boolean>;
  big: number | null;
  num: number | null;
  txt: string | null;
  ref: number | null;
}

export interface PostViewCountsTable {
  tenant_id: number;
  post_id: number;
  views_count: Generated<number>;
  viewers_count: Generated<number>;
}

export interface PostViewsTable {
  tenant_id: number;
  id: Generated<number>;
  community_id: number;
  name: string;
  title_enabled: Generated<boolean>;
  custom_id_enabled: Generated<boolean>;
  description_enabled: Generated<boolean>;
  current_workflow_state_enabled: Generated<boolean>;
  scenarios: Generated<number[]>;
  field_ids: Generated<number[]>;
}

export interface PostWatchersTable {
  tenant_id: number;
  post_id: number;
  principal: number;
}

export interface PostsTable {
  tenant_id: number;
  id: Generated<number>;
  community_id: number;
  version: Generated<number>;
  screen_version: Generated<number>;
  custom_no: number;
  client_uid: string | null;
  type: Generated<number>;
  survey_type: number | null;
  visibility: number;
  announcement: Generated<boolean>;
  pinned: Generated<boolean>;
  draft: Generated<boolean>;
  deleted_at: ColumnType<number | null, Date | null | undefined, Date | null>;
  deleted_by: number | null;
  erasable_at: ColumnType<number | null, Date | null | undefined, Date | null>;
  live: ColumnType<boolean, never, never>;
  title: string | null;
  title_key: Generated<string>;
  description_delta: string | null;
  description_text: string | null;
  custom_data: ColumnType<unknown, string | undefined, string>;
  screen_data: ColumnType<unknown, string | undefined, string>;
  state_id: number | null;
  init_state_id: number | null;
  creator_id: number;
  created_at: Timestamp;
  modifier_id: number;
  modified_at: Timestamp;
  token_by: number;
  token_at: Timestamp;
  screen_token_by: number | null;
  screen_token_at: ColumnType<number | null, Date | null | undefined, Date | null>;
  operated_at: Timestamp;
  active_at: Timestamp;
  published_at: ColumnType<number | null, Date | null | undefined, Date | null>;
  recent_at: Timestamp;
  scheduled_at: ColumnType<number | null, Date | null | undefined, Date | null>;
  scheduled_local: string | null;
  scheduled_timezone: string | null;
  scheduled_result: number | null;
  comments_count: Generated<number>;
  attachments_count: Generated<number>;
  image_attachments_count: Generated<number>;
  video_attachments_count: Generated<number>;
  audio_attachments_count: Generated<number>;
  document_attachments_count: Generated<number>;
  tasks_count: Generated<number>;
  standard_tasks_count: Generated<number>;
  likes_count: Generated<number>;
  watchers_count: Generated<number>;
  main_attachment_id: number | null;
  cover_content_ref: string | null;
  link_preview: ColumnType<unknown, string | null | undefined, string | null>;
  event_start_at: ColumnType<number | null, Date | null | undefined, Date | null>;
  event_end_at: ColumnType<number | null, Date | null | undefined, Date | null>;
  event_timezone: string | null;
  event_all_day: boolean | null;
  event_location: string | null;
  event_notify_invited: boolean | null;
  participants_count: Generated<number>;
}

export interface ServiceAccountKeysTable {
  tenant_id: number;
  id: Generated<number>;
  user_id: number;
  public_key: string;
  created_at: ColumnType<number, Date | undefined, Date>;
  revoked_at: ColumnType<number | null, Date | null | undefined, Date | null>;
}

export interface SigningKeysTable {
  tenant_id: number;
  kid: string;
  algorithm: string;
  private_jwk: Json;
  public_jwk: Json;
  created_at: ColumnType<number, Date | undefined, Date>;
  retired_at: ColumnType<number | null, Date | null | undefined, Date | null>;
}

export interface StreamStateTable {
  tenant_id: number;
  generation: Generated<number>;
  last_seq: Generated<number>;
}

export interface SubTasksTable {
  tenant_id: number;
  id: Generated<number>;
  task_id: number;
  position: Generated<number>;
  description: string | null;
  state: number;
}

export interface TaskHashtagsTable {
  tenant_id: number;
  task_id: number;
  hashtag_id: number;
}

export interface TaskMentionsTable {
  tenant_id: number;
  task_id: number;
  user_id: number;
}

export interface TaskRemindersTable {
  tenant_id: number;
  id: Generated<number>;
  task_id: number;
  value: number;
  range: number;
  types: Generated<number[]>;
}

export interface TaskWatchersTable {
  tenant_id: number;
  task_id: number;
  principal: number;
}

export interface TasksTable {
  tenant_id: number;
  id: Generated<number>;
  post_id: number;
  version: Generated<number>;
  client_uid: string | null;
  type: Generated<number>;
  state: Generated<number>;
  priority: number | null;
  title: string | null;
  description_delta: string | null;
  description_text: string | null;
  expires_at: ColumnType<number | null, Date | null | undefined, Date | null>;
  expires_local: string | null;
  expires_timezone: string | null;
  assignee: number;
  creator_id: number;
  created_at: Timestamp;
  modifier_id: number;
  modified_at: Timestamp;
  first_review_at: ColumnType<number | null, Date | null | undefined, Date | null>;
  last_review_at: ColumnType<number | null, Date | null | undefined, Date | null>;
  last_reviewer_id: number | null;
  closed_at: ColumnType<number | null, Date | null | undefined, Date | null>;
  closed_by: number | null;
  survey_data: ColumnType<unknown, string | null | undefined, string | null>;
  survey_comments: ColumnType<unknown, string | null | undefined, string | null>;
  attachments_count: Generated<number>;
  deleted_at: ColumnType<number | null, Date | null | undefined, Date | null>;
}

export interface TenantHostsTable {
  host: string;
  tenant_id: number;
  is_primary: Generated<boolean>;
}

export interface TenantSettingsTable {
  tenant_id: number;
  opaque_secret: Buffer;
  link_secret: Buffer;
  audiences: Generated<string[]>;
  access_token_seconds: number | null;
  provider_client_ids: Generated<string[]>;
  login_domains: Generated<string[]>;
  cors_origins: Generated<string[]>;
  default_language: Generated<string>;
  default_timezone: Generated<string>;
  attachment_quota_bytes: number | null;
}

export interface TenantVersionsTable {
  tenant_id: number;
  access_version: Generated<number>;
  definitions_version: Generated<number>;
}

export interface TenantsTable {
  id: Generated<number>;
  name: string;
  display_name: string;
  created_at: ColumnType<number, Date | undefined, Date>;
  disabled_at: ColumnType<number | null, Date | null | undefined, Date | null>;
}

export interface UsedAssertionsTable {
  tenant_id: number;
  key_id: number;
  jti: string;
  expires_at: Timestamp;
}

export interface UserSearchTable {
  tenant_id: number;
  user_id: number;
  doc: string;
}

export interface UserSearchViewTable {
  tenant_id: number | null;
  user_id: number | null;
  doc: string | null;
}

export interface UsersTable {
  tenant_id: number;
  id: Generated<number>;
  version: Generated<number>;
  credentials_version: Generated<number>;
  first_name: string;
  last_name: string;
  last_key: string;
  first_key: string;
  caption: string | null;
  contact_email: string | null;
  private_email: string | null;
  private_email_verified: Generated<boolean>;
  private_email_verification_required: Generated<boolean>;
  external_id: string | null;
  service_account: Generated<boolean>;
  system_account: Generated<boolean>;
  manages_users: Generated<boolean>;
  manages_workplace: Generated<boolean>;
  blocked: Generated<boolean>;
  deleted_at: ColumnType<number | null, Date | null | undefined, Date | null>;
  private_profile: Generated<boolean>;
  licence_types: Generated<number[]>;
  language: string | null;
  timezone: string | null;
  email_notifications: Generated<boolean>;
  terms_accepted_at: ColumnType<number | null, Date | null | undefined, Date | null>;
  people_section_enabled: Generated<boolean>;
  visible_in_people_section: Generated<boolean>;
  reduced_profile: Generated<boolean>;
  view_user_profiles: Generated<boolean>;
  edit_private_email_enabled: Generated<boolean>;
  area_id: number | null;
  business_unit_id: number | null;
  manager_id: number | null;
  role_title: string | null;
  phone: string | null;
  internal_phone: string | null;
  mobile_phone: string | null;
  place: string | null;
  biography: string | null;
  photo_content_ref: string | null;
  google_account_id: string | null;
  google_enabled: Generated<boolean>;
  google_photo_url: string | null;
  microsoft_account_id: string | null;
  microsoft_enabled: Generated<boolean>;
  microsoft_photo_url: string | null;
  spid_account_id: string | null;
  openid_account_id: string | null;
  saml_account_id: string | null;
  custom_username: string | null;
  custom_active: Generated<boolean>;
  custom_can_manage: Generated<boolean>;
  custom_can_manage_photo: Generated<boolean>;
  password_hash: string | null;
  password_expired: Generated<boolean>;
  created_at: ColumnType<number, Date | undefined, Date>;
  modified_at: ColumnType<number, Date | undefined, Date>;
  modified_by: number | null;
  credentials_modified_at: ColumnType<number, Date | undefined, Date>;
  credentials_modified_by: number | null;
  last_access_at: ColumnType<number | null, Date | null | undefined, Date | null>;
}

export interface WorkflowScreenFieldsTable {
  tenant_id: number;
  screen_id: number;
  field_id: number;
  position: Generated<number>;
  required: Generated<boolean>;
}

export interface WorkflowScreensTable {
  tenant_id: number;
  id: Generated<number>;
  workflow_id: number;
  name: string;
  message: string | null;
}

export interface WorkflowStatesTable {
  tenant_id: number;
  id: Generated<number>;
  workflow_id: number;
  position: Generated<number>;
  name: string;
  description: string | null;
  color: string | null;
  initial: Generated<boolean>;
  terminal: Generated<boolean>;
  deleted: Generated<boolean>;
  external_id: string | null;
  metadata: ColumnType<unknown, string | undefined, string>;
  screen_id: number | null;
  edit_roles: Generated<number[]>;
  edit_group_ids: Generated<number[]>;
  edit_by_author: Generated<boolean>;
}

export interface WorkflowTransitionsTable {
  tenant_id: number;
  id: Generated<number>;
  workflow_id: number;
  position: Generated<number>;
  from_state_id: number;
  to_state_id: number;
  name: string;
  external_id: string | null;
  metadata: ColumnType<unknown, string | undefined, string>;
  screen_id: number | null;
  roles: Generated<number[]>;
  group_ids: Generated<number[]>;
  by_author: Generated<boolean>;
  deleted: Generated<boolean>;
}

export interface WorkflowsTable {
  tenant_id: number;
  id: Generated<number>;
  title: string;
}

export interface WorkspaceMembersTable {
  tenant_id: number;
  id: Generated<number>;
  workspace_id: number;
  principal: number;
  role_id: number | null;
}

export interface WorkspacesTable {
  tenant_id: number;
  id: Generated<number>;
  version: Generated<number>;
  name: string;
  translations: ColumnType<unknown, string | undefined, string>;
  description: ColumnType<unknown, string | undefined, string>;
  cover_content_ref: string | null;
  logo_content_ref: string | null;
  external_id: string | null;
  creator_id: number;
  created_at: ColumnType<number, Date | undefined, Date>;
  modifier_id: number;
  modified_at: ColumnType<number, Date | undefined, Date>;
}

export interface Database {
  access_snapshots: AccessSnapshotsTable;
  areas: AreasTable;
  attachment_hashtags: AttachmentHashtagsTable;
  attachment_versions: AttachmentVersionsTable;
  attachments: AttachmentsTable;
  business_units: BusinessUnitsTable;
  catalog_entries: CatalogEntriesTable;
  catalogs: CatalogsTable;
  changes: ChangesTable;
  comment_likes: CommentLikesTable;
  comments: CommentsTable;
  communities: CommunitiesTable;
  community_counters: CommunityCountersTable;
  community_relations: CommunityRelationsTable;
  community_roles: CommunityRolesTable;
  event_answers: EventAnswersTable;
  event_invitations: EventInvitationsTable;
  field_enum_values: FieldEnumValuesTable;
  field_validations: FieldValidationsTable;
  fields: FieldsTable;
  file_contents: FileContentsTable;
  group_members: GroupMembersTable;
  group_tags: GroupTagsTable;
  groups: GroupsTable;
  hashtags: HashtagsTable;
  history_events: HistoryEventsTable;
  idempotency_keys: IdempotencyKeysTable;
  import_records: ImportRecordsTable;
  post_grants: PostGrantsTable;
  post_hashtags: PostHashtagsTable;
  post_likes: PostLikesTable;
  post_mentions: PostMentionsTable;
  post_search: PostSearchTable;
  post_search_view: PostSearchViewTable;
  post_texts: PostTextsTable;
  post_texts_view: PostTextsViewTable;
  post_user_state: PostUserStateTable;
  post_values: PostValuesTable;
  post_view_counts: PostViewCountsTable;
  post_views: PostViewsTable;
  post_watchers: PostWatchersTable;
  posts: PostsTable;
  service_account_keys: ServiceAccountKeysTable;
  signing_keys: SigningKeysTable;
  stream_state: StreamStateTable;
  sub_tasks: SubTasksTable;
  task_hashtags: TaskHashtagsTable;
  task_mentions: TaskMentionsTable;
  task_reminders: TaskRemindersTable;
  task_watchers: TaskWatchersTable;
  tasks: TasksTable;
  tenant_hosts: TenantHostsTable;
  tenant_settings: TenantSettingsTable;
  tenant_versions: TenantVersionsTable;
  tenants: TenantsTable;
  used_assertions: UsedAssertionsTable;
  user_search: UserSearchTable;
  user_search_view: UserSearchViewTable;
  users: UsersTable;
  workflow_screen_fields: WorkflowScreenFieldsTable;
  workflow_screens: WorkflowScreensTable;
  workflow_states: WorkflowStatesTable;
  workflow_transitions: WorkflowTransitionsTable;
  workflows: WorkflowsTable;
  workspace_members: WorkspaceMembersTable;
  workspaces: WorkspacesTable;
}
