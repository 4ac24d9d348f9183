/** SQL of templates for new posts. */

import type { TenantExecutor, TenantTx } from '@portico/platform/db/tenant-db';
import type { WriteScope } from '../../../kernel/access/index.ts';

/** Content that a template gives to a new post; null: not set. */
export interface TemplateContent {
  name: string;
  title: string | null;
  /** Delta as JSON text. */
  description: string | null;
  visibility: number | null;
  /** Values by field id as text, as in posts. */
  customData: Readonly<Record<string, unknown>>;
}

/** A template. Times are epoch milliseconds. */
export interface TemplateRow extends TemplateContent {
  id: number;
  communityId: number;
  version: number;
  creatorId: number;
  createdAt: number;
  modifierId: number;
  modifiedAt: number;
}

const COLUMNS = `id, community_id AS "communityId", name, title, description, visibility, custom_data AS "customData", version,
  creator_id AS "creatorId", created_at AS "createdAt", modifier_id AS "modifierId", modified_at AS "modifiedAt"`;

/** @param lock locks the template until the write ends @returns undefined for an unknown id */
export async function findTemplate(db: TenantExecutor, id: number, lock = false): Promise<TemplateRow | undefined> {
  const [row] = await db.query<TemplateRow>(
    `SELECT ${COLUMNS} FROM post_templates WHERE tenant_id = $1 AND id = $2${lock ? ' FOR UPDATE' : ''}`,
    [db.tenantId, id],
  );
  return row;
}

/** Returns the templates of a community, in the order of creation. */
export async function templatesOf(db: TenantExecutor, communityId: number): Promise<TemplateRow[]> {
  return db.query<TemplateRow>(
    `SELECT ${COLUMNS} FROM post_templates WHERE tenant_id = $1 AND community_id = $2 ORDER BY id`,
    [db.tenantId, communityId],
  );
}

/**
 * Counts the templates of a community, and the bytes of their texts and values. Writes of templates wait for each other.
 * @param exceptId a template that does not count
 */
export async function measureTemplates(
  tx: TenantTx,
  communityId: number,
  exceptId?: number,
): Promise<{ count: number; bytes: number }> {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('portico.templates.' || $1 || '.' || $2, 0))`, [
    tx.tenantId,
    communityId,
  ]);
  const [found] = await tx.query<{ count: number; bytes: number }>(
    `SELECT count(*) AS count,
            coalesce(sum(octet_length(coalesce(title, '')) + octet_length(coalesce(description, ''))
              + octet_length(custom_data::text)), 0)::bigint AS bytes
       FROM post_templates WHERE tenant_id = $1 AND community_id = $2 AND id IS DISTINCT FROM $3`,
    [tx.tenantId, communityId, exceptId ?? null],
  );
  return found!;
}

/** Returns the bytes of the texts and values of a template, as stored. */
export const templateBytes = ({ title, description, customData }: Omit<TemplateContent, 'name' | 'visibility'>) =>
  Buffer.byteLength(title ?? '') + Buffer.byteLength(description ?? '') + Buffer.byteLength(JSON.stringify(customData));

const valuesOf = ({ name, title, description, visibility, customData }: TemplateContent) => [
  name,
  title,
  description,
  visibility,
  JSON.stringify(customData),
];

export async function insertTemplate(
  { tx, actor, now }: WriteScope,
  communityId: number,
  content: TemplateContent,
): Promise<number> {
  const [row] = await tx.create<{ id: number }>(
    'post_templates',
    `INSERT INTO post_templates (tenant_id, community_id, creator_id, created_at, modifier_id, modified_at, name, title,
        description, visibility, custom_data)
     VALUES ($1, $2, $3, $4, $3, $4, $5, $6, $7, $8, $9) RETURNING id`,
    [tx.tenantId, communityId, actor.userId, new Date(now), ...valuesOf(content)],
  );
  return row!.id;
}

/** Replaces the content of a template. */
export async function updateTemplate(
  { tx, actor, now }: WriteScope,
  id: number,
  content: TemplateContent,
): Promise<void> {
  await tx.sendChange(
    'post_templates',
    [id],
    `UPDATE post_templates SET version = version + 1, modifier_id = $3, modified_at = $4, name = $5, title = $6,
        description = $7, visibility = $8, custom_data = $9 WHERE tenant_id = $1 AND id = $2`,
    [tx.tenantId, id, actor.userId, new Date(now), ...valuesOf(content)],
  );
}

export async function deleteTemplate(tx: TenantTx, id: number): Promise<void> {
  await tx.sendChange('post_templates', [id], 'DELETE FROM post_templates WHERE tenant_id = $1 AND id = $2', [
    tx.tenantId,
    id,
  ]);
}
