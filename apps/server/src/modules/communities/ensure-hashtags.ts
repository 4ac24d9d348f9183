/**
 * Hashtags of a community, for generators and imports (not an operation of the interface). Safe to
 * repeat.
 */

import { takeIds } from '@portico/platform/db/take-ids';
import { sortKey } from '@portico/platform/text';
import { type WriteScope, writeTransaction } from '../../kernel/access/index.ts';
import { FieldErrors } from '../../kernel/errors.ts';
import type { Scope } from '../../kernel/scope.ts';
import { checkLength } from '../../kernel/text-input.ts';
import { requireDefinitionRight } from './communities.policy.ts';
import { checkLabel } from './definition-input.ts';
import { communitiesOf } from './field-rows.ts';

/** Rows per transaction: write transactions change at most 500 rows. */
const BATCH = 400;

/** Maximum length of the external id of a hashtag, in code points. */
const MAX_EXTERNAL_ID = 255;

const withoutSign = (name: string) => name.replace(/^\s*[#＃]+/, '');

/** Key that identifies a hashtag: ignores case, accents and the leading sign. */
export const hashtagKey = (name: string) => sortKey(withoutSign(name));

/** A hashtag to find or create; the leading sign is optional. */
type NewHashtag = string | { name: string; externalId?: string; deleted?: boolean };

/**
 * Finds or creates hashtags by name. Case and accents are ignored: "Café" and "cafe" are the same
 * hashtag. Existing hashtags are not changed. Hashtags are not part of the definition, so no
 * version is raised.
 * @returns their ids in the order of `hashtags`
 * @throws PorticoError FORBIDDEN, NOT_FOUND for the community; ValidationError for empty or too
 * long names
 */
export async function ensureHashtags(
  scope: Scope,
  communityId: number,
  hashtags: readonly NewHashtag[],
): Promise<number[]> {
  const errors = new FieldErrors();
  const rows = hashtags.map((given, index) => {
    const hashtag = typeof given === 'string' ? { name: given } : given;
    const name = checkLabel(`[${index}].name`, withoutSign(hashtag.name), errors);
    const key = sortKey(name);
    if (name !== '' && key === '') errors.add(`[${index}].name`, 'INVALID_VALUE');
    return { name, name_key: key, external_id: hashtag.externalId ?? null, deleted: hashtag.deleted ?? false };
  });
  errors.throwIfAny();
  // The first spelling of a name wins.
  const unique = [...new Map(rows.toReversed().map((row) => [row.name_key, row])).values()];
  const ids = new Map<string, number>();
  await inBatches(scope, communityId, unique, async ({ tx }, batch) => {
    const newIds = await takeIds(tx, 'hashtags', batch.length);
    await tx.send(
      `INSERT INTO hashtags (tenant_id, id, community_id, name, name_key, external_id, deleted)
       SELECT a.tenant_id, h.id, $2, h.name, h.name_key, h.external_id, h.deleted
         FROM tenant_versions a,
              jsonb_to_recordset($3::jsonb) AS h (id bigint, name text, name_key text, external_id text, deleted boolean)
        WHERE a.tenant_id = $1
        ORDER BY h.name_key
       ON CONFLICT (tenant_id, community_id, name_key) DO NOTHING`,
      [tx.tenantId, communityId, JSON.stringify(batch.map((row, index) => ({ ...row, id: newIds[index] })))],
    );
    const found = await tx.query<{ id: number; nameKey: string }>(
      `SELECT id, name_key AS "nameKey" FROM hashtags
        WHERE tenant_id = $1 AND community_id = $2 AND name_key = ANY ($3::text[])`,
      [tx.tenantId, communityId, batch.map((row) => row.name_key)],
    );
    for (const row of found) ids.set(row.nameKey, row.id);
  });
  return rows.map((row) => ids.get(row.name_key)!);
}

/**
 * Replaces the external ids of hashtags of a community; ignores unknown names.
 * @param externalIds by name, ignoring case, accents and the leading sign
 * @throws PorticoError FORBIDDEN, NOT_FOUND for the community; ValidationError for external ids
 * that are too long
 */
export async function setHashtagExternalIds(
  scope: Scope,
  communityId: number,
  externalIds: ReadonlyMap<string, string>,
): Promise<void> {
  const errors = new FieldErrors();
  for (const [name, externalId] of externalIds) checkLength(name, externalId, MAX_EXTERNAL_ID, errors);
  errors.throwIfAny();
  const rows = [...externalIds].map(([name, externalId]) => ({ key: hashtagKey(name), externalId }));
  await inBatches(scope, communityId, rows, async ({ tx }, batch) => {
    await tx.send(
      `UPDATE hashtags h SET external_id = n.external_id FROM unnest($3::text[], $4::text[]) AS n (name_key, external_id)
        WHERE h.tenant_id = $1 AND h.community_id = $2 AND h.name_key = n.name_key AND NOT h.deleted`,
      [tx.tenantId, communityId, batch.map(({ key }) => key), batch.map(({ externalId }) => externalId)],
    );
  });
}

/**
 * Restores hashtags of a community; ignores unknown names.
 * @param names case, accents and the leading sign are ignored
 * @throws PorticoError FORBIDDEN, NOT_FOUND for the community
 */
export async function restoreHashtags(scope: Scope, communityId: number, names: readonly string[]): Promise<void> {
  await inBatches(scope, communityId, names.map(hashtagKey), async ({ tx }, batch) => {
    await tx.send(
      `UPDATE hashtags SET deleted = false
        WHERE tenant_id = $1 AND community_id = $2 AND name_key = ANY ($3::text[]) AND deleted`,
      [tx.tenantId, communityId, batch],
    );
  });
}

/** Writes rows of hashtags of a community in batches that fit into a transaction. */
async function inBatches<Row>(
  scope: Scope,
  communityId: number,
  rows: readonly Row[],
  run: (write: WriteScope, batch: readonly Row[]) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < rows.length; start += BATCH) {
    await writeTransaction(scope, 'none', async (write) => {
      requireDefinitionRight(write.actor, [communityId]);
      await communitiesOf(write, { communityId });
      await run(write, rows.slice(start, start + BATCH));
    });
  }
}
