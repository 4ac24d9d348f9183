/** SQL of the drafts of communities (table community_drafts). */
import type { CommunityFile } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import type { WriteScope } from '../../../kernel/access/index.ts';
import { fullNameSql } from '../../../kernel/full-name.ts';
import { sqlColumns } from '../../columns.ts';

/** A draft, with its last author and time in epoch milliseconds. */
export interface DraftRow {
  readonly file: CommunityFile;
  readonly version: number;
  readonly savedById: number;
  readonly savedByName: string;
  readonly savedAt: number;
}

/** Returns the draft of a community. */
export async function readDraft(db: TenantExecutor, communityId: number): Promise<DraftRow | undefined> {
  const u = sqlColumns('users', 'u');
  const [row] = await db.query<DraftRow>(
    `SELECT d.file, d.version, d.saved_by AS "savedById", ${fullNameSql('u')} AS "savedByName", d.saved_at AS "savedAt"
       FROM community_drafts d JOIN users u ON u.tenant_id = d.tenant_id AND ${u.id} = d.saved_by
      WHERE d.tenant_id = $1 AND d.community_id = $2`,
    [db.tenantId, communityId],
  );
  return row;
}

/**
 * Stores a draft in place of the one with the given version.
 * @param version 0: there is no draft yet; undefined: whatever there is @returns whether it was stored
 */
export async function writeDraftRow(
  { tx, actor, now }: WriteScope,
  communityId: number,
  version: number | undefined,
  file: CommunityFile,
): Promise<boolean> {
  const values = [tx.tenantId, communityId, JSON.stringify(file), actor.userId, new Date(now)];
  const written = !version
    ? await tx.change(
        'communities',
        [communityId],
        `INSERT INTO community_drafts (tenant_id, community_id, version, file, saved_by, saved_at)
           VALUES ($1, $2, 1, $3::jsonb, $4, $5) ON CONFLICT ${version === 0 ? 'DO NOTHING' : OVERWRITE}`,
        values,
      )
    : await tx.change(
        'communities',
        [communityId],
        `UPDATE community_drafts SET version = version + 1, file = $3::jsonb, saved_by = $4, saved_at = $5
            WHERE tenant_id = $1 AND community_id = $2 AND version = $6`,
        [...values, version],
      );
  return written > 0;
}

/** Replaces the present draft. */
const OVERWRITE = `(tenant_id, community_id) DO UPDATE
  SET version = community_drafts.version + 1, file = EXCLUDED.file, saved_by = EXCLUDED.saved_by, saved_at = EXCLUDED.saved_at`;

/** Deletes the draft of a community. @returns whether there was one */
export async function deleteDraftRow({ tx }: WriteScope, communityId: number): Promise<boolean> {
  const deleted = await tx.change(
    'communities',
    [communityId],
    'DELETE FROM community_drafts WHERE tenant_id = $1 AND community_id = $2',
    [tx.tenantId, communityId],
  );
  return deleted > 0;
}
