/** Storage use and failed background work of a tenant's files, for operators. */
import type { TenantDb } from '@portico/platform/db/tenant-db';

/** Kinds of background work. */
type FileWork = 'previews' | 'text';

interface FileFigures {
  /**
   * Bytes of all files, counting a file once per upload. The upload checks compare this sum with
   * the quota.
   */
  readonly bytes: number;
  /** Maximum sum of the bytes; null: no limit. */
  readonly quotaBytes: number | null;
  /** Files that have not been processed yet. */
  readonly waiting: Readonly<Record<FileWork, number>>;
  /** Kept files that could not be read or drawn. */
  readonly failed: Readonly<Record<FileWork, number>>;
}

/** Returns the figures. Reads every row of the tenant's files; call it at most once a minute. */
export async function readFileFigures(db: TenantDb): Promise<FileFigures> {
  const [row] = await db.query<{
    bytes: number;
    quotaBytes: number | null;
    previewsWaiting: number;
    textWaiting: number;
    previewsFailed: number;
    textFailed: number;
  }>(
    `SELECT coalesce(sum(size), 0)::bigint AS bytes,
            (SELECT attachment_quota_bytes FROM tenant_settings WHERE tenant_id = $1) AS "quotaBytes",
            count(*) FILTER (WHERE previews IS NULL AND state = 1) AS "previewsWaiting",
            count(*) FILTER (WHERE text_state IS NULL AND state = 1) AS "textWaiting",
            count(previews_error) AS "previewsFailed", count(text_error) AS "textFailed"
       FROM file_contents WHERE tenant_id = $1`,
    [db.tenantId],
  );
  return {
    bytes: row?.bytes ?? 0,
    quotaBytes: row?.quotaBytes ?? null,
    waiting: { previews: row?.previewsWaiting ?? 0, text: row?.textWaiting ?? 0 },
    failed: { previews: row?.previewsFailed ?? 0, text: row?.textFailed ?? 0 },
  };
}
