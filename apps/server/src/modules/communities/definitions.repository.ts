/** SQL that reads community definitions: a fixed number of statements for any number of communities. */
import { FieldType } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { Turns } from '@portico/platform/turns';
import { archivedSql } from './community-rows.ts';
import type {
  CommunityDefinition,
  CommunityHead,
  CommunityRelationDefinition,
  EnumValue,
  FieldDefinition,
  FieldValidation,
  PostViewDefinition,
  WorkflowDefinition,
  WorkflowScreen,
  WorkflowState,
  WorkflowTransition,
} from './definition-types.ts';

type CommunityRow = CommunityHead & { workflowId: number | null };

const COMMUNITY_COLUMNS = `id, etag, workspace_id AS "workspaceId", workflow_id AS "workflowId", name, description,
  color_code AS "colorCode", cover_content_ref AS "coverContentRef", external_id AS "externalId",
  creator_id AS "creatorId", created_at AS "createdAt", ${archivedSql('communities')} AS "archivedAt", draft, workspace_member_role AS "workspaceMemberRole",
  comments_hidden_from_readers AS "commentsHiddenFromReaders", title_enabled AS "titleEnabled",
  description_enabled AS "descriptionEnabled", watchers_enabled AS "watchersEnabled",
  watchers_visible_in_preview AS "watchersVisibleInPreview", manual_author_enabled AS "manualAuthorEnabled",
  hashtag_enabled AS "hashtagEnabled", attachment_enabled AS "attachmentEnabled", like_enabled AS "likeEnabled",
  offline_enabled AS "offlineEnabled", custom_fields_enabled AS "customFieldsEnabled",
  acknowledge_task_enabled AS "acknowledgeTaskEnabled", events_enabled AS "eventsEnabled",
  init_state_choice_enabled AS "initStateChoiceEnabled", attachment_max_size AS "attachmentMaxSize",
  default_visibility AS "defaultVisibility", version_retention_days AS "versionRetentionDays"`;

/**
 * Reads the definition of a community as the executor sees it now, including its own uncommitted
 * changes.
 */
export async function loadDefinition(
  db: TenantExecutor,
  communityId: number,
): Promise<CommunityDefinition | undefined> {
  return (await loadDefinitions(db, [communityId])).get(communityId);
}

/**
 * Reads the definitions of some communities like {@link loadDefinition}, in at most ten statements.
 * Unknown ids are missing from the result.
 */
export async function loadDefinitions(
  db: TenantExecutor,
  communityIds: readonly number[],
): Promise<Map<number, CommunityDefinition>> {
  const rows =
    communityIds.length === 0
      ? []
      : await db.query<CommunityRow>(
          `SELECT ${COMMUNITY_COLUMNS} FROM communities WHERE tenant_id = $1 AND id = ANY ($2::bigint[])`,
          [db.tenantId, communityIds],
        );
  if (rows.length === 0) return new Map();
  const ids = rows.map((row) => row.id);
  const workflowIds = [...new Set(rows.flatMap((row) => row.workflowId ?? []))];
  const fields = await loadFields(db, ids, workflowIds);
  const workflows = await loadWorkflows(db, workflowIds, fields.byWorkflow);
  const relations = await loadRelations(db, ids);
  const views = await loadPostViews(
    db,
    ids,
    relations.flatMap((relation) => relation.viewId ?? []),
  );
  const viewById = new Map(views.map(({ view }) => [view.id, view]));
  const withViews = relations.map((relation) => ({
    ...relation,
    view: relation.viewId === null ? null : (viewById.get(relation.viewId) ?? null),
  }));
  return new Map(
    rows.map(({ workflowId, ...community }) => {
      const own = fields.byCommunity.get(community.id) ?? [];
      return [
        community.id,
        {
          id: community.id,
          community,
          fields: own,
          fieldById: byId(own),
          hidden: [],
          workflow: workflowId === null ? null : (workflows.get(workflowId) ?? null),
          postViews: views.filter(({ communityId }) => communityId === community.id).map(({ view }) => view),
          relations: withViews.filter((relation) => relation.sourceCommunityId === community.id),
          inverseRelations: withViews.filter((relation) => relation.targetCommunityId === community.id),
        },
      ];
    }),
  );
}

function byId<T extends { readonly id: number }>(items: readonly T[]): Map<number, T> {
  return new Map(items.map((item) => [item.id, item]));
}

function groupBy<T, K>(items: readonly T[], key: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(key(item));
    if (group) group.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}

type FieldRow = Omit<FieldDefinition, 'owner' | 'enumValues' | 'enumValueById' | 'validations'> & {
  communityId: number | null;
  workflowId: number | null;
};

const FIELD_COLUMNS = `id, community_id AS "communityId", workflow_id AS "workflowId", catalog_id AS "catalogId",
  parent_id AS "parentId", position, type, label, translations, section,
  section_translations AS "sectionTranslations", default_value AS "defaultValue", description, external_id AS "externalId", required, readonly, searchable,
  sortable, visible_in_preview AS "visibleInPreview", visible_in_detail AS "visibleInDetail",
  visible_in_create AS "visibleInCreate", visible_in_edit AS "visibleInEdit", metadata, conditions,
  visible_roles AS "visibleRoles"`;

/** Returns fields by id, including deleted fields and fields not yet in use. */
export async function loadFieldsById(
  db: TenantExecutor,
  fieldIds: readonly number[],
): Promise<Map<number, FieldDefinition>> {
  const rows = await db.query<FieldRow>(
    `SELECT ${FIELD_COLUMNS} FROM fields WHERE tenant_id = $1 AND id = ANY ($2::bigint[]) ORDER BY position, id`,
    [db.tenantId, fieldIds],
  );
  const complete = await completeFields(db, rows);
  return byId(rows.map(complete));
}

async function loadFields(db: TenantExecutor, communityIds: readonly number[], workflowIds: readonly number[]) {
  const rows = await db.query<FieldRow>(
    `SELECT ${FIELD_COLUMNS} FROM fields
      WHERE tenant_id = $1 AND NOT deleted AND type = ANY ($4::smallint[])
        AND (community_id = ANY ($2::bigint[]) OR workflow_id = ANY ($3::bigint[]))
      ORDER BY position, id`,
    [db.tenantId, communityIds, workflowIds, Object.values(FieldType)],
  );
  const complete = await completeFields(db, rows);
  const grouped = (key: 'communityId' | 'workflowId') =>
    new Map([...groupBy(rows, (row) => row[key])].map(([id, group]) => [id, group.map(complete)]));
  return { byCommunity: grouped('communityId'), byWorkflow: grouped('workflowId') };
}

/** Reads values and rules of fields. @returns a function that completes a field from its row */
async function completeFields(
  db: TenantExecutor,
  rows: readonly FieldRow[],
): Promise<(row: FieldRow) => FieldDefinition> {
  const fieldIds = rows.map((row) => row.id);
  const enumRows =
    rows.length === 0
      ? []
      : await db.query<EnumValue & { fieldId: number }>(
          `SELECT field_id AS "fieldId", id, label, translations, label_key AS "labelKey", external_id AS "externalId",
                  parent_ids AS "parentIds", deleted
             FROM field_enum_values WHERE tenant_id = $1 AND field_id = ANY ($2::bigint[]) ORDER BY position, id`,
          [db.tenantId, fieldIds],
        );
  const validationRows =
    rows.length === 0
      ? []
      : await db.query<FieldValidation & { fieldId: number }>(
          `SELECT field_id AS "fieldId", id, type_id AS "typeId", parameter, position
             FROM field_validations WHERE tenant_id = $1 AND field_id = ANY ($2::bigint[]) ORDER BY position, id`,
          [db.tenantId, fieldIds],
        );
  const enums = await valuesByField(enumRows);
  const validations = groupBy(validationRows, (row) => row.fieldId);
  return ({ communityId, workflowId, ...row }) => {
    const values = enums.get(row.id);
    return {
      ...row,
      owner: communityId === null ? 'screen' : 'post',
      enumValues: values ? [...values.values()] : [],
      enumValueById: values ?? new Map(),
      validations: (validations.get(row.id) ?? []).map(({ fieldId, ...validation }) => validation),
    };
  };
}

/** Groups the values by field id, in their order. A community may have fifty thousand values. */
async function valuesByField(
  rows: readonly (EnumValue & { fieldId: number })[],
): Promise<Map<number, Map<number, EnumValue>>> {
  const byField = new Map<number, Map<number, EnumValue>>();
  const turns = new Turns();
  for (const { fieldId, ...value } of rows) {
    if (turns.isOver) await turns.next();
    const values = byField.get(fieldId);
    if (values) values.set(value.id, value);
    else byField.set(fieldId, new Map([[value.id, value]]));
  }
  return byField;
}

type OfWorkflow<T> = T & { workflowId: number };

async function loadWorkflows(
  db: TenantExecutor,
  workflowIds: readonly number[],
  fieldsByWorkflow: ReadonlyMap<number | null, readonly FieldDefinition[]>,
): Promise<Map<number, WorkflowDefinition>> {
  if (workflowIds.length === 0) return new Map();
  const parameters = [db.tenantId, workflowIds];
  const workflows = await db.query<{ id: number; title: string }>(
    `SELECT id, title FROM workflows WHERE tenant_id = $1 AND id = ANY ($2::bigint[])`,
    parameters,
  );
  const states = await db.query<OfWorkflow<WorkflowState>>(
    `SELECT workflow_id AS "workflowId", id, position, name, description, color, initial, terminal, deleted,
            external_id AS "externalId", metadata, screen_id AS "screenId", edit_roles AS "editRoles",
            edit_group_ids AS "editGroupIds", edit_by_author AS "editByAuthor", edit_field_ids AS "editFieldIds"
       FROM workflow_states WHERE tenant_id = $1 AND workflow_id = ANY ($2::bigint[]) ORDER BY position, id`,
    parameters,
  );
  const transitions = await db.query<OfWorkflow<WorkflowTransition>>(
    `SELECT workflow_id AS "workflowId", id, position, from_state_id AS "fromStateId", to_state_id AS "toStateId", name,
            external_id AS "externalId", metadata, screen_id AS "screenId", roles, group_ids AS "groupIds",
            by_author AS "byAuthor", field_ids AS "fieldIds", conditions, sets, deleted
       FROM workflow_transitions WHERE tenant_id = $1 AND workflow_id = ANY ($2::bigint[]) ORDER BY position, id`,
    parameters,
  );
  const screens = await db.query<OfWorkflow<WorkflowScreen>>(
    `SELECT s.workflow_id AS "workflowId", s.id, s.name, s.message,
            coalesce(jsonb_agg(jsonb_build_object('fieldId', f.field_id, 'required', f.required) ORDER BY f.position, f.field_id)
                       FILTER (WHERE f.field_id IS NOT NULL), '[]') AS fields
       FROM workflow_screens s
       LEFT JOIN workflow_screen_fields f ON f.tenant_id = s.tenant_id AND f.screen_id = s.id
      WHERE s.tenant_id = $1 AND s.workflow_id = ANY ($2::bigint[])
      GROUP BY s.tenant_id, s.id ORDER BY s.id`,
    parameters,
  );
  return new Map(
    workflows.map(({ id, title }) => {
      const fields = fieldsByWorkflow.get(id) ?? [];
      const fieldById = byId(fields);
      const ownStates = ownOf(id, states);
      const ownTransitions = ownOf(id, transitions);
      const ownScreens = ownOf(id, screens).map((screen) => ({
        ...screen,
        fields: screen.fields.filter((field) => fieldById.has(field.fieldId)),
      }));
      return [
        id,
        {
          id,
          title,
          states: ownStates,
          transitions: ownTransitions.filter((transition) => !transition.deleted),
          screens: ownScreens,
          fields,
          stateById: byId(ownStates),
          transitionById: byId(ownTransitions),
          screenById: byId(ownScreens),
          fieldById,
        },
      ];
    }),
  );
}

/** Returns the rows of one workflow, without its id. */
function ownOf<T extends { workflowId: number }>(id: number, rows: readonly T[]): Omit<T, 'workflowId'>[] {
  return rows.filter((row) => row.workflowId === id).map(({ workflowId, ...row }) => row);
}

async function loadRelations(db: TenantExecutor, communityIds: readonly number[]) {
  return db.query<Omit<CommunityRelationDefinition, 'view'>>(
    `SELECT id, name, item_name AS "itemName", cardinality, view_id AS "viewId",
            source_community_id AS "sourceCommunityId", target_community_id AS "targetCommunityId", required
       FROM community_relations
      WHERE tenant_id = $1 AND (source_community_id = ANY ($2::bigint[]) OR target_community_id = ANY ($2::bigint[]))
      ORDER BY id`,
    [db.tenantId, communityIds],
  );
}

async function loadPostViews(db: TenantExecutor, communityIds: readonly number[], viewIds: readonly number[]) {
  const rows = await db.query<PostViewDefinition & { communityId: number }>(
    `SELECT community_id AS "communityId", id, name, title_enabled AS "titleEnabled",
            custom_id_enabled AS "customIdEnabled", description_enabled AS "descriptionEnabled",
            current_workflow_state_enabled AS "currentWorkflowStateEnabled", scenarios, field_ids AS "fieldIds"
       FROM post_views WHERE tenant_id = $1 AND (community_id = ANY ($2::bigint[]) OR id = ANY ($3::bigint[]))
      ORDER BY id`,
    [db.tenantId, communityIds, viewIds],
  );
  return rows.map(({ communityId, ...view }) => ({ communityId, view }));
}
