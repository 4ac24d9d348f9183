/** Views of posts and relations between communities, for generators and imports (no operation of the interface). */
import { PostViewScenario, type RelationCardinality } from '@portico/contract';
import { writeTransaction } from '../../kernel/access/index.ts';
import { type FieldError, notFound, ValidationError } from '../../kernel/errors.ts';
import type { Scope } from '../../kernel/scope.ts';
import { requireDefinitionRight } from './communities.policy.ts';
import { checkLabel } from './definition-input.ts';
import { willChange } from './definition-versions.ts';
import { communitiesOf, touchCommunities } from './field-rows.ts';

/** A view of posts; omitted members are shown. */
interface NewPostView {
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

/**
 * Adds a view to a community.
 * @returns its id
 * @throws PorticoError FORBIDDEN, NOT_FOUND; ValidationError for fields that are not the community's
 */
export async function addPostView(scope: Scope, communityId: number, view: NewPostView): Promise<number> {
  return writeTransaction(scope, 'definitions', async (write) => {
    requireDefinitionRight(write.actor, await communitiesOf(write, { communityId }));
    const errors: FieldError[] = [];
    const name = checkLabel('name', view.name, errors);
    const fieldIds = [...new Set(view.fieldIds)];
    const fields = await write.tx.query<{ id: number }>(
      'SELECT id FROM fields WHERE tenant_id = $1 AND community_id = $2 AND id = ANY ($3::bigint[]) AND NOT deleted',
      [write.tx.tenantId, communityId, fieldIds],
    );
    if (fields.length < fieldIds.length) errors.push({ field: 'fieldIds', code: 'UNKNOWN_REFERENCE' });
    if (errors.length > 0) throw new ValidationError(errors);
    await willChange(write, [communityId]);
    const [row] = await write.tx.query<{ id: number }>(
      `INSERT INTO post_views (tenant_id, community_id, name, title_enabled, custom_id_enabled, description_enabled,
         current_workflow_state_enabled, scenarios, field_ids)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING id`,
      [
        write.tx.tenantId,
        communityId,
        name,
        view.titleEnabled ?? true,
        view.customIdEnabled ?? true,
        view.descriptionEnabled ?? true,
        view.currentWorkflowStateEnabled ?? true,
        view.scenarios ?? [PostViewScenario.LIST],
        fieldIds,
      ],
    );
    await touchCommunities(write, [communityId]);
    return row!.id;
  });
}

/** A relation: posts of one community point at posts of another. */
interface NewCommunityRelation {
  sourceCommunityId: number;
  targetCommunityId: number;
  name: string;
  /** What one related post is called. */
  itemName?: string;
  cardinality?: RelationCardinality;
  /** How related posts are shown: a view of the target community. */
  viewId?: number;
  required?: boolean;
}

/**
 * Adds a relation between two communities.
 * @returns its id
 * @throws PorticoError FORBIDDEN, NOT_FOUND for either community or the view; ValidationError
 */
export async function addCommunityRelation(scope: Scope, relation: NewCommunityRelation): Promise<number> {
  return writeTransaction(scope, 'definitions', async (write) => {
    const { sourceCommunityId, targetCommunityId } = relation;
    const communityIds = [
      ...(await communitiesOf(write, { communityId: sourceCommunityId })),
      ...(await communitiesOf(write, { communityId: targetCommunityId })),
    ];
    requireDefinitionRight(write.actor, communityIds);
    const errors: FieldError[] = [];
    const name = checkLabel('name', relation.name, errors);
    if (errors.length > 0) throw new ValidationError(errors);
    if (relation.viewId !== undefined) {
      const views = await write.tx.query(
        'SELECT FROM post_views WHERE tenant_id = $1 AND id = $2 AND community_id = $3',
        [write.tx.tenantId, relation.viewId, targetCommunityId],
      );
      if (views.length === 0) throw notFound();
    }
    await willChange(write, communityIds);
    const [row] = await write.tx.query<{ id: number }>(
      `INSERT INTO community_relations (tenant_id, name, item_name, cardinality, view_id, source_community_id,
         target_community_id, required)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING id`,
      [
        write.tx.tenantId,
        name,
        relation.itemName ?? null,
        relation.cardinality ?? null,
        relation.viewId ?? null,
        sourceCommunityId,
        targetCommunityId,
        relation.required ?? false,
      ],
    );
    await touchCommunities(write, communityIds);
    return row!.id;
  });
}
