/**
 * Records what a write did to a post, once: the counts and times of its row, its history, and the
 * change row for followers. Dry runs report the post.
 */
import type { PostReaders, WriteScope } from '../../../kernel/access/index.ts';
import { ChangeKind, readAcl, recordChange, sameAcl } from './changes.ts';
import { type HistoryEvent, recordHistory } from './history.ts';

/** An event of a post that the call names. */
export type PostEvent = Omit<HistoryEvent, 'postId' | 'communityId'>;

/** Changes to the row of a post by a write around it. */
interface PostTouch {
  comments?: number;
  tasks?: number;
  standardTasks?: number;
  likes?: number;
  /** The post moves up in the order by last modification and comment. */
  active?: boolean;
  /** False: people who have seen the post before do not see it as new. Default true. */
  news?: boolean;
}

/** Adds to the counts of a post and sets the time of its last operation to now. */
export async function touchPost(write: WriteScope, postId: number, touch: PostTouch): Promise<void> {
  await write.tx.send(
    `UPDATE posts SET comments_count = comments_count + $4, tasks_count = tasks_count + $5,
            standard_tasks_count = standard_tasks_count + $6, likes_count = likes_count + $7,
            operated_at = greatest(operated_at, $3), recent_at = CASE WHEN $9 THEN greatest(recent_at, $3) ELSE recent_at END,
            recent_by = CASE WHEN $9 THEN $10 ELSE recent_by END,
            active_at = CASE WHEN $8 THEN greatest(active_at, $3) ELSE active_at END
      WHERE tenant_id = $1 AND id = $2`,
    [
      write.tx.tenantId,
      postId,
      new Date(write.now),
      touch.comments ?? 0,
      touch.tasks ?? 0,
      touch.standardTasks ?? 0,
      touch.likes ?? 0,
      touch.active ?? false,
      touch.news ?? true,
      write.actor.userId,
    ],
  );
}

/** What a write did to a post. */
interface PostRecord {
  /** Default: {@link ChangeKind.TOUCHED}. */
  readonly kind?: ChangeKind;
  /** Changes to counts and times of the post; omitted by a write that updates the row itself. */
  readonly touch?: PostTouch;
  readonly events?: PostEvent | readonly PostEvent[];
  /** Readers before a write that changed them. */
  readonly readers?: PostReaders | undefined;
  /** Whether the readers may be the same as before: they are read again and compared. */
  readonly compare?: boolean;
}

/**
 * Records what a write did to a post that it has locked.
 * @returns whether its readers are others than before
 */
export async function recordPost(
  write: WriteScope,
  { id: postId, communityId }: { id: number; communityId: number },
  { kind = ChangeKind.TOUCHED, touch, events = [], readers, compare = false }: PostRecord,
): Promise<boolean> {
  if (touch) await touchPost(write, postId, touch);
  const list: readonly PostEvent[] = Array.isArray(events) ? events : [events as PostEvent];
  await recordHistory(
    write,
    list.map((event) => ({ ...event, postId, communityId })),
  );
  const same = readers === undefined || (compare && sameAcl(readers, await readAcl(write, postId)));
  await recordChange(write, postId, kind, same ? undefined : readers);
  return !same;
}
