/**
 * Background job that writes the text of attached documents into the search rows of their posts.
 */
import { writeTransaction } from '../../../kernel/access/index.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { findOutdatedSearch, markSearched } from '../../files/index.ts';
import { notePendingSearch } from '../values/pending-search.ts';
import { refreshPostSearch } from '../values/store.ts';

/** Attachments of one run; the next run takes the next ones. */
const BATCH = 500;

/**
 * Updates the search rows of the tenant's next posts whose documents changed. Documents without
 * extracted text are processed once it exists.
 * @param scope of the tenant's system account
 * @returns number of attachments processed; call again until it is 0
 */
export async function indexDocuments(scope: Scope): Promise<number> {
  const outdated = await findOutdatedSearch(scope.db, BATCH);
  const silent = outdated.filter((attachment) => !attachment.textual);
  if (silent.length > 0) {
    await scope.db.transaction(async (tx) => {
      await markSearched(tx, silent);
      await notePendingSearch(
        tx,
        silent.map(({ postId }) => postId),
      );
    });
  }
  const byPost = Map.groupBy(
    outdated.filter((attachment) => attachment.textual),
    (attachment) => attachment.postId,
  );
  for (const [postId, ofPost] of byPost) {
    await writeTransaction(scope, 'none', async (write) => {
      // The lock makes edits of the post wait, or be read here: neither side overwrites the other's
      // result.
      await write.tx.query('SELECT FROM posts WHERE tenant_id = $1 AND id = $2 FOR NO KEY UPDATE', [
        write.tx.tenantId,
        postId,
      ]);
      await refreshPostSearch(write, postId);
      await markSearched(write.tx, ofPost);
      await notePendingSearch(write.tx, [postId]);
    });
  }
  return outdated.length;
}
