/** The successor of a person takes over tasks and fields of posts. */
import type { WriteScope } from '../../../kernel/access/index.ts';
import { PART } from '../../../kernel/bulk.ts';
import { type FieldDefinition, getWholeDefinition, isInUse } from '../../communities/index.ts';
import { handOverTasks } from '../../post-parts/index.ts';
import { holdPostData, replacePerson } from '../../posts/index.ts';
import { ChangeKind, readAcl, recordPost } from '../../records/index.ts';
import { type HandOver, nextPosts, postsAmong } from './leaving.repository.ts';

/** Posts found per query. */
const FOUND = 20 * PART;

/** Result of one part. */
export interface PartResult {
  tasks: number;
  fieldPosts: number;
  /** Id of the last post of the part. */
  last: number;
  /** Posts found with it that come next. */
  queue: number[];
  /** Whether there are no further posts. */
  done: boolean;
}

/**
 * Hands over the next posts, in the order of their ids, so that two such writes do not wait for one
 * another's posts.
 * @param before the previous part
 */
export async function handOverPart(
  write: WriteScope,
  plan: HandOver,
  before: Pick<PartResult, 'last' | 'queue'>,
): Promise<PartResult> {
  const { tx, actor } = write;
  const found = before.queue.length > 0 ? before.queue : await nextPosts(tx, actor, plan, before.last, FOUND);
  const [ids, queue] = [found.slice(0, PART), found.slice(PART)];
  const result = { tasks: 0, fieldPosts: 0, last: ids.at(-1) ?? before.last, queue, done: ids.length === 0 };
  // Locked first and then queried again, so that changes of other writes count.
  const held = new Map((await holdPostData(write, ids)).map((post) => [post.id, post]));
  for (const id of await postsAmong(tx, actor, plan, ids)) {
    const { tasks, fields } = await handOverPost(write, plan, held.get(id)!);
    result.tasks += tasks;
    result.fieldPosts += fields > 0 ? 1 : 0;
  }
  return result;
}

/** Hands over one post, which the write holds, with one change row. */
async function handOverPost(
  write: WriteScope,
  plan: HandOver,
  post: { id: number; communityId: number },
): Promise<{ tasks: number; fields: number }> {
  const definition = await getWholeDefinition(write, post.communityId);
  if (!definition || !isInUse.holds(definition)) return { tasks: 0, fields: 0 };
  const fields = plan.fields.flatMap(({ fieldId, communityId }): FieldDefinition[] => {
    const field = definition.fieldById.get(fieldId) ?? definition.workflow?.fieldById.get(fieldId);
    return communityId === post.communityId && field ? [field] : [];
  });
  const acl = await readAcl(write, post.id);
  const tasks = plan.tasks ? await handOverTasks(write, post, plan) : 0;
  const replaced = await replacePerson(write, post.id, fields, plan);
  if (tasks + replaced.length > 0) {
    const kind = replaced.some(({ owner }) => owner === 'post') ? ChangeKind.MODIFIED : ChangeKind.TOUCHED;
    await recordPost(write, post, { kind, readers: acl, compare: true });
  }
  return { tasks, fields: replaced.length };
}
