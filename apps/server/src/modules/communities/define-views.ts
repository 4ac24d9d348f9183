/** Views of posts and relations between communities, for generators, imports and files of communities. */
import { PostViewScenario, type RelationCardinality } from '@portico/contract';
import { type WriteScope, writeTransaction } from '../../kernel/access/index.ts';
import { FieldErrors, invalid, notFound } from '../../kernel/errors.ts';
import type { Scope } from '../../kernel/scope.ts';
import { requireDefinitionRight } from './communities.policy.ts';
import { checkLabel } from './definition-input.ts';
import { changeDefinitions } from './definition-versions.ts';
import { communitiesOf } from './field-rows.ts';

/** A view of posts. Omitted parts of a post are shown. */
interface PostViewInput {
  /** Id of the view to update; omitted: a new view is created. */
  id?: number;
  name: string;
  titleEnabled?: boolean;
  customIdEnabled?: boolean;
  descriptionEnabled?: boolean;
  currentWorkflowStateEnabled?: boolean;
  /** Default: lists. */
  scenarios?: readonly PostViewScenario[];
  /** Fields of the community's posts, in order. */
  fieldIds?: readonly number[];
}

const VIEW_COLUMNS =
  'name, title_enabled, custom_id_enabled, description_enabled, current_workflow_state_enabled, scenarios, field_ids';

/**
 * Creates or updates a view of a community.
 * @returns its id
 * @throws PorticoError FORBIDDEN, NOT_FOUND; ValidationError for fields of other communities
 */
export async function putPostView(scope: Scope, communityId: number, view: PostViewInput): Promise<number> {
  return writeTransaction(scope, 'definitions', async (write) => {
    requireDefinitionRight(write.actor, await communitiesOf(write, { communityId }));
    const errors = new FieldErrors();
    const name = checkLabel('name', view.name, errors);
    const fieldIds = [...new Set(view.fieldIds)];
    const fields = await write.tx.query<{ id: number }>(
      'SELECT id FROM fields WHERE tenant_id = $1 AND community_id = $2 AND id = ANY ($3::bigint[]) AND NOT deleted',
      [write.tx.tenantId, communityId, fieldIds],
    );
    if (fields.length < fieldIds.length) errors.add('fieldIds', 'UNKNOWN_REFERENCE');
    errors.throwIfAny();
    const values = [
      write.tx.tenantId,
      communityId,
      name,
      view.titleEnabled ?? true,
      view.customIdEnabled ?? true,
      view.descriptionEnabled ?? true,
      view.currentWorkflowStateEnabled ?? true,
      view.scenarios ?? [PostViewScenario.LIST],
      fieldIds,
    ];
    const [row] = await changeDefinitions(write, [communityId], () =>
      view.id === undefined
        ? write.tx.query<{ id: number }>(
            `INSERT INTO post_views (tenant_id, community_id, ${VIEW_COLUMNS})
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING id`,
            values,
          )
        : write.tx.query<{ id: number }>(
            `UPDATE post_views SET (${VIEW_COLUMNS}) = ($3, $4, $5, $6, $7, $8, $9)
              WHERE tenant_id = $1 AND community_id = $2 AND id = $10 RETURNING id`,
            [...values, view.id],
          ),
    );
    if (!row) throw notFound();
    await touchThoseThatShow(write, communityId, row.id);
    return row.id;
  });
}

/**
 * Raises the version of the communities that show related posts by the view: their definition
 * includes the view, so their clients must read it again.
 */
async function touchThoseThatShow({ tx }: WriteScope, communityId: number, viewId: number): Promise<void> {
  await tx.send(
    `UPDATE communities SET etag = etag + 1
      WHERE tenant_id = $1 AND id <> $2
        AND id IN (SELECT r.source_community_id FROM community_relations r WHERE r.tenant_id = $1 AND r.view_id = $3)`,
    [tx.tenantId, communityId, viewId],
  );
}

/**
 * Deletes views of a community.
 * @throws PorticoError FORBIDDEN, NOT_FOUND; ValidationError where a relation uses one of them
 */
export async function deletePostViews(scope: Scope, communityId: number, viewIds: readonly number[]): Promise<void> {
  await writeTransaction(scope, 'definitions', async (write) => {
    requireDefinitionRight(write.actor, await communitiesOf(write, { communityId }));
    const parameters = [write.tx.tenantId, viewIds];
    const shown = await write.tx.query<{ name: string }>(
      `SELECT v.name FROM post_views v WHERE v.tenant_id = $1 AND v.id = ANY ($2::bigint[])
          AND EXISTS (SELECT FROM community_relations r WHERE r.tenant_id = $1 AND r.view_id = v.id) ORDER BY v.id`,
      parameters,
    );
    if (shown.length > 0) throw invalid('', 'INVALID_VALUE', `A relation shows posts by the view "${shown[0]!.name}".`);
    await changeDefinitions(write, [communityId], () =>
      write.tx.execute(
        'DELETE FROM post_views WHERE tenant_id = $1 AND id = ANY ($2::bigint[]) AND community_id = $3',
        [...parameters, communityId],
      ),
    );
  });
}

/** A relation from the posts of one community to the posts of another. */
interface CommunityRelationInput {
  /** Id of the relation to update; omitted: a new relation is created. */
  id?: number;
  sourceCommunityId: number;
  targetCommunityId: number;
  name: string;
  /** Name of a single related post. */
  itemName?: string;
  cardinality?: RelationCardinality;
  /** View of the target community that shows the related posts. */
  viewId?: number;
  required?: boolean;
}

const RELATION_COLUMNS = 'name, item_name, cardinality, view_id, target_community_id, required';

/**
 * Creates or updates a relation between two communities.
 * @returns its id
 * @throws PorticoError FORBIDDEN, NOT_FOUND for either community, the view or the relation;
 * ValidationError
 */
export async function putCommunityRelation(scope: Scope, relation: CommunityRelationInput): Promise<number> {
  return writeTransaction(scope, 'definitions', async (write) => {
    const { id, sourceCommunityId, targetCommunityId } = relation;
    const former = id === undefined ? [] : await targetsOf(write, sourceCommunityId, [id]);
    const communityIds = await editableOf(write, [sourceCommunityId, targetCommunityId, ...former]);
    const errors = new FieldErrors();
    const name = checkLabel('name', relation.name, errors);
    errors.throwIfAny();
    if (relation.viewId !== undefined) {
      const views = await write.tx.query(
        'SELECT FROM post_views WHERE tenant_id = $1 AND id = $2 AND community_id = $3',
        [write.tx.tenantId, relation.viewId, targetCommunityId],
      );
      if (views.length === 0) throw notFound();
    }
    const values = [
      write.tx.tenantId,
      sourceCommunityId,
      name,
      relation.itemName ?? null,
      relation.cardinality ?? null,
      relation.viewId ?? null,
      targetCommunityId,
      relation.required ?? false,
    ];
    const [row] = await changeDefinitions(write, communityIds, () =>
      id === undefined
        ? write.tx.query<{ id: number }>(
            `INSERT INTO community_relations (tenant_id, source_community_id, ${RELATION_COLUMNS})
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id`,
            values,
          )
        : write.tx.query<{ id: number }>(
            `UPDATE community_relations SET (${RELATION_COLUMNS}) = ($3, $4, $5, $6, $7, $8)
              WHERE tenant_id = $1 AND source_community_id = $2 AND id = $9 RETURNING id`,
            [...values, id],
          ),
    );
    if (!row) throw notFound();
    return row.id;
  });
}

/**
 * Deletes relations from a community to others.
 * @throws PorticoError FORBIDDEN, NOT_FOUND
 */
export async function deleteCommunityRelations(
  scope: Scope,
  sourceCommunityId: number,
  relationIds: readonly number[],
): Promise<void> {
  await writeTransaction(scope, 'definitions', async (write) => {
    const targets = await targetsOf(write, sourceCommunityId, relationIds);
    const communityIds = await editableOf(write, [sourceCommunityId, ...targets]);
    await changeDefinitions(write, communityIds, () =>
      write.tx.execute(
        'DELETE FROM community_relations WHERE tenant_id = $1 AND source_community_id = $2 AND id = ANY ($3::bigint[])',
        [write.tx.tenantId, sourceCommunityId, relationIds],
      ),
    );
  });
}

/** Returns the target communities of the given relations of a community. */
async function targetsOf({ tx }: WriteScope, communityId: number, relationIds: readonly number[]): Promise<number[]> {
  const rows = await tx.query<{ id: number }>(
    `SELECT DISTINCT target_community_id AS id FROM community_relations
      WHERE tenant_id = $1 AND source_community_id = $2 AND id = ANY ($3::bigint[])`,
    [tx.tenantId, communityId, relationIds],
  );
  return rows.map(({ id }) => id);
}

/**
 * Returns the communities at both ends, each once. @throws PorticoError FORBIDDEN where the caller
 * may not edit one; NOT_FOUND
 */
async function editableOf(write: WriteScope, ids: readonly number[]): Promise<number[]> {
  const communityIds = [...new Set(ids)];
  for (const communityId of communityIds) await communitiesOf(write, { communityId });
  requireDefinitionRight(write.actor, communityIds);
  return communityIds;
}
