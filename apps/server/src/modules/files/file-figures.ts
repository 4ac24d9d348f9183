/** What a tenant's files take, and what the jobs that read them could not do: for operators. */
import type { TenantDb } from '../../platform/db/tenant-db.ts';

/** What happens to files in the background. */
type FileWork = 'previews' | 'text';

interface FileFigures {
  /** Bytes of all files, each as often as it was uploaded: what the quota is compared with when a file is uploaded. */
  readonly bytes: number;
  /** Largest sum that is allowed; null: any. Bytes. */
  readonly quotaBytes: number | null;
  /** Files that have not been processed yet. */
  readonly waiting: Readonly<Record<FileWork, number>>;
  /** Files that could not be read or drawn, among those that are kept. */
  readonly failed: Readonly<Record<FileWork, number>>;
}

/** Looks at every row of the tenant's files: for once a minute. */
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
