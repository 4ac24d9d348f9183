/** Catalogs in communities: the fields that use them, and the entries that a form may offer. */
import {
  type CatalogCommunityAssociations,
  EditContextType,
  type EditDynamicFieldContext,
  type GetCatalogForEditResponse,
  type ListPostDefinitionCatalogEntriesRequest,
  type ListPostDefinitionCatalogEntriesResponse,
} from '@portico/contract';
import { Parameters, seenPostSql } from '../../kernel/access/index.ts';
import { invalid } from '../../kernel/errors.ts';
import type { Scope } from '../../kernel/scope.ts';
import { sqlColumns } from '../columns.ts';
import { getCatalogs } from './catalogs/catalog-store.ts';
import { requireCatalogAdministrator } from './catalogs/catalogs.policy.ts';
import { presentCatalog } from './catalogs/catalogs.presenter.ts';
import { readCatalog } from './catalogs/catalogs.repository.ts';
import { listCatalogEntries } from './catalogs/list-catalogs.ts';
import { seesCommunity } from './communities.policy.ts';
import type { FieldDefinition } from './definition-types.ts';
import { getDefinition } from './definitions.ts';
import { loadCommunityViews } from './list-communities.ts';

const p = sqlColumns('posts', 'p');

/**
 * Returns the form of a catalog with all communities whose fields use it (operation
 * getCatalogForEdit). Administrators of the workplace see all communities, even without a role in
 * them (docs/decisions/people.md).
 * @throws PorticoError FORBIDDEN, NOT_FOUND
 */
export async function readCatalogForm(scope: Scope, catalogId: number): Promise<GetCatalogForEditResponse> {
  requireCatalogAdministrator(scope.actor);
  const catalog = await readCatalog(scope.db, catalogId);
  const parents = catalog.parentId === null ? undefined : await getCatalogs(scope, [catalog.parentId]);
  const parent = catalog.parentId === null ? undefined : parents?.get(catalog.parentId);
  return {
    id: catalog.id,
    contentData: {
      name: { ...catalog.name },
      parentCatalog: parent ? presentCatalog(parent, scope.settings.defaultLanguage) : undefined,
      deleted: catalog.deleted,
    },
    occToken: catalog.version,
    communityAssociations: await readAssociations(scope, catalogId),
  };
}

interface UseRow {
  communityId: number;
  fieldId: number;
  label: string;
  screen: boolean;
}

async function readAssociations(scope: Scope, catalogId: number): Promise<CatalogCommunityAssociations[]> {
  const uses = await scope.db.query<UseRow>(
    `SELECT c.id AS "communityId", f.id AS "fieldId", f.label, f.workflow_id IS NOT NULL AS screen
       FROM fields f
       JOIN communities c ON c.tenant_id = f.tenant_id AND (c.id = f.community_id OR c.workflow_id = f.workflow_id)
      WHERE f.tenant_id = $1 AND f.catalog_id = $2 AND NOT f.deleted
      ORDER BY c.name_key, c.id, f.position, f.id`,
    [scope.db.tenantId, catalogId],
  );
  const byCommunity = Map.groupBy(uses, (use) => use.communityId);
  const communities = await loadCommunityViews(scope, byCommunity.keys());
  return [...byCommunity].map(([communityId, fields]) => {
    const associated = (screen: boolean) =>
      fields.filter((field) => field.screen === screen).map(({ fieldId, label }) => ({ id: fieldId, name: label }));
    return { community: communities.get(communityId)!, postFields: associated(false), screenFields: associated(true) };
  });
}

/**
 * Returns a page of the entries that can be chosen, narrowed by the form (docs/decisions/writes.md;
 * operation listPostDefinitionCatalogEntries).
 */
export async function listEntriesForForm(
  scope: Scope,
  catalogId: number,
  request: ListPostDefinitionCatalogEntriesRequest,
): Promise<ListPostDefinitionCatalogEntriesResponse> {
  const narrowed = request.context && (await readContext(scope, catalogId, request.context));
  if (narrowed !== 'none') return listCatalogEntries(scope, catalogId, request, narrowed);
  await readCatalog(scope.db, catalogId);
  return { items: [], totalItemsCount: request.calculateTotalItemsCount ? 0 : undefined };
}

/**
 * Returns the parent entries that an entry must have to fit into a form. Nothing is narrowed
 * without a field, in forms whose fields communities do not define (acknowledgements,
 * questionnaires), or in forms that have not sent their values. No entry fits a field that uses
 * another catalog.
 * @returns ids of entries of the parent catalog; undefined for no narrowing; `none` when no entry
 * fits
 * @throws ValidationError for a field that is not in the form, or a community that is not visible
 */
async function readContext(
  scope: Scope,
  catalogId: number,
  context: EditDynamicFieldContext,
): Promise<readonly number[] | 'none' | undefined> {
  const screen = context.type === EditContextType.WORKFLOW_SCREEN;
  if (context.fieldId === undefined || (!screen && (context.type ?? EditContextType.POST) !== EditContextType.POST)) {
    return undefined;
  }
  const postId = screen ? context.screenContext?.postId : context.postContext?.post?.id;
  const communityId = context.communityId ?? (postId === undefined ? undefined : await communityOfPost(scope, postId));
  const definition =
    communityId !== undefined && seesCommunity(scope.actor, communityId)
      ? await getDefinition(scope, communityId)
      : undefined;
  if (!definition) {
    if (communityId === undefined && postId === undefined) throw invalid('context.communityId', 'REQUIRED_FIELD');
    throw invalid(context.communityId === undefined ? 'context' : 'context.communityId', 'UNKNOWN_REFERENCE');
  }
  const fields = screen ? definition.workflow?.fieldById : definition.fieldById;
  const field = fields?.get(context.fieldId);
  if (!field) throw invalid('context.fieldId', 'UNKNOWN_FIELD');
  if (field.catalogId !== catalogId) {
    return 'none';
  }
  const values = screen ? context.screenContext?.screenData : context.postContext?.post?.customData;
  return chosenAbove(field, values);
}

function chosenAbove(field: FieldDefinition, values: Record<string, unknown> | undefined): number[] | undefined {
  if (field.parentId === null || values === undefined) return undefined;
  const value = values[String(field.parentId)];
  const items = Array.isArray(value) ? value : [value];
  return items.flatMap((item) => {
    const id = typeof item === 'object' && item !== null ? (item as { id?: unknown }).id : item;
    const number = typeof id === 'string' && /^\d{1,16}$/.test(id) ? Number(id) : id;
    return Number.isSafeInteger(number) ? [number as number] : [];
  });
}

/**
 * @returns the community of a post that the caller sees, their own drafts included, else undefined
 */
async function communityOfPost(scope: Scope, postId: number): Promise<number | undefined> {
  const parameters = new Parameters([scope.db.tenantId, postId]);
  const seen = seenPostSql('p', scope.actor, parameters);
  const [row] = await scope.db.query<{ communityId: number }>(
    `SELECT ${p.community_id} AS "communityId" FROM posts p
      WHERE p.tenant_id = $1 AND ${p.id} = $2 AND ${seen}`,
    parameters.values,
  );
  return row?.communityId;
}
