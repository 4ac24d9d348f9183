/** Users by parts of the words in their names, addresses and captions, for words with a wrong letter. */
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { likePattern } from '@portico/platform/text';

/** Most users that are compared. */
const MOST = 500;

/**
 * Returns users of whom each pair of parts has one in a name, the address or the caption, with
 * these in normal form.
 * The caller decides which of them are shown.
 * @param pairs in normal form
 */
export function findSearchedUsers(
  db: TenantExecutor,
  pairs: readonly (readonly [string, string])[],
): Promise<{ id: number; doc: string }[]> {
  const tests = pairs.map((_, at) => {
    const like = ['doc', 'caption_doc'].flatMap((column) =>
      [2, 3].map((number) => `s.${column} LIKE $${2 * at + number} ESCAPE '\\'`),
    );
    return `(${like.join(' OR ')})`;
  });
  return db.query(
    `SELECT s.user_id AS id, concat_ws(E'\\n', s.doc, s.caption_doc) AS doc FROM user_search_view s WHERE s.tenant_id = $1 AND ${tests.join(' AND ')}
      ORDER BY s.user_id LIMIT ${MOST}`,
    [db.tenantId, ...pairs.flat().map((part) => likePattern(part))],
    { planned: true },
  );
}
