/**
 * Templates in responses (operation listPostTemplates), and the values that a new post gets from
 * them.
 */
import { type ListPostTemplatesResponse, type PostTemplate, TextFormat } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { notFound } from '../../../kernel/errors.ts';
import type { Actor, Context, Scope } from '../../../kernel/scope.ts';
import { type CommunityDefinition, getDefinition, mayEditCommunity, seesCommunity } from '../../communities/index.ts';
import { usersOf } from '../../people/index.ts';
import { findTemplate, type TemplateRow, templatesOf } from './templates.repository.ts';

/** Returns a template of a community that the actor sees. @throws PorticoError NOT_FOUND */
export async function requireTemplate(
  db: TenantExecutor,
  actor: Actor,
  id: number,
  lock = false,
): Promise<TemplateRow> {
  const found = await findTemplate(db, id, lock);
  if (!found || !(seesCommunity(actor, found.communityId) || mayEditCommunity(actor, found.communityId))) {
    throw notFound();
  }
  return found;
}

/** Returns the values of a template in existing fields that the actor sees. */
export function valuesFor({ fields }: CommunityDefinition, { customData }: TemplateRow): Record<string, unknown> {
  const known = new Set(fields.map(({ id }) => String(id)));
  return Object.fromEntries(Object.entries(customData).filter(([id]) => known.has(id)));
}

/** Presents templates; reads their last editors in one statement. */
export async function presentTemplates(
  scope: Context,
  db: TenantExecutor,
  definition: CommunityDefinition,
  rows: readonly TemplateRow[],
): Promise<PostTemplate[]> {
  const users = await usersOf(
    scope,
    db,
    rows.map(({ modifierId }) => modifierId),
  );
  return rows.map((row) => ({
    id: row.id,
    communityId: row.communityId,
    name: row.name,
    title: row.title ?? undefined,
    ...(row.description !== null && { description: row.description, descriptionFormat: TextFormat.DELTA }),
    visibility: row.visibility !== null ? (row.visibility as NonNullable<PostTemplate['visibility']>) : undefined,
    customData: valuesFor(definition, row) as NonNullable<PostTemplate['customData']>,
    lastModifyUser: users.get(row.modifierId),
    lastModifyTimestamp: row.modifiedAt,
    occToken: row.version,
  }));
}

/** @throws PorticoError NOT_FOUND for a community that the actor does not see */
export async function listPostTemplates(scope: Scope, communityId: number): Promise<ListPostTemplatesResponse> {
  const definition = seesCommunity(scope.actor, communityId) ? await getDefinition(scope, communityId) : undefined;
  if (!definition) throw notFound();
  const rows = await templatesOf(scope.db, communityId);
  return { templates: await presentTemplates(scope, scope.db, definition, rows) };
}
