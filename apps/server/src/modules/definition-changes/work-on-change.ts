/** Works on what changes of definitions leave to be done with posts. */
import { type WriteScope, writeTransaction } from '../../kernel/access/index.ts';
import type { Scope } from '../../kernel/scope.ts';
import { type DueChange, holdDueChange, holdNextPosts, noteProgress } from '../communities/index.ts';
import { refreshTexts } from '../posts/writing/index.ts';

/** Posts of one transaction: it holds them for some hundred milliseconds at most. */
const BATCH = 100;

/**
 * Works on the next posts of the oldest change that is due.
 * @param scope of the tenant's system account
 * @returns whether there was one; call again until there is none
 */
export async function workOnChange(scope: Scope): Promise<boolean> {
  return writeTransaction(scope, 'none', async (write) => {
    const change = await holdDueChange(write.tx);
    if (!change) return false;
    const posts = await holdNextPosts(write.tx, change, BATCH);
    for (const { id } of posts) await changePost(write, change, id);
    await noteProgress(write, change, posts, posts.length < BATCH);
    return true;
  });
}

async function changePost(write: WriteScope, change: DueChange, postId: number): Promise<void> {
  switch (change.kind) {
    case 'refreshTexts':
      return refreshTexts(write, postId);
  }
}
