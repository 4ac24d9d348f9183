import type { WriteScope } from '../../../kernel/access/index.ts';
import { noteModified } from './user-state.ts';

/** The workflow columns of the post after a step or an edit of a screen. */
interface WorkflowUpdate {
  stateId: number | null;
  screenData: Readonly<Record<string, unknown>>;
}

/**
 * Writes state and screen values and raises the screen token, if it is still the expected one. The post's own token stays
 * (docs/decisions/writes.md).
 * @returns whether the token was the expected one
 */
export async function updateWorkflow(
  write: WriteScope,
  post: { id: number; communityId: number; screenVersion: number },
  update: WorkflowUpdate,
): Promise<boolean> {
  const parameters = [
    write.tx.tenantId,
    post.id,
    post.screenVersion,
    update.stateId,
    JSON.stringify(update.screenData),
    write.actor.userId,
    new Date(write.now),
  ];
  const rows = await write.tx.execute(
    `UPDATE posts SET state_id = $4, screen_data = $5, screen_version = screen_version + 1, screen_token_by = $6,
            screen_token_at = $7, modifier_id = $6, modified_at = $7, operated_at = greatest(operated_at, $7),
            recent_at = greatest(recent_at, $7), recent_by = $6, active_at = greatest(active_at, $7)
      WHERE tenant_id = $1 AND id = $2 AND screen_version = $3`,
    parameters,
  );
  if (rows !== 1) return false;
  await noteModified(write, post);
  return true;
}
