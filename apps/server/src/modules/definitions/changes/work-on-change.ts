/** Runs the background work of definition changes on posts. */
import { joining, type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { PorticoError } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import {
  type ChangeFinish,
  carryOut,
  type DueChange,
  editCommunityWorkflow,
  editField,
  holdChange,
  holdDueChange,
  holdNextPosts,
  notePass,
  noteProgress,
  type PostWork,
  presentMark,
  readCommunityHead,
  startChanges,
  writtenSince,
} from '../../communities/index.ts';
import { replaceField } from './change-field-type.ts';
import { abandonChange } from './list-changes.ts';
import { bringBack } from './versions.ts';
import { ValueLost, workOnPosts } from './work-on-posts.ts';

/** Posts per transaction, which locks them for some hundred milliseconds at most. */
const BATCH = 100;

/**
 * Maximum number of posts in a pass after which the next pass is the last one, which excludes
 * writers.
 */
const FEW = 100;

/**
 * Processes the next posts of the oldest due change.
 * @param scope of the tenant's system account
 * @returns whether there was a due change; call again until there is none
 */
export async function workOnChange(scope: Scope): Promise<boolean> {
  let due: DueChange | undefined;
  try {
    const finish = await writeTransaction(scope, 'none', async (write) => {
      due = await holdDueChange(write.tx);
      return due !== undefined && (await workOnBatch(write, due));
    });
    if (finish && due) await finishChange(scope, due);
  } catch (error) {
    if (!due || !(error instanceof PorticoError || error instanceof ValueLost)) throw error;
    // The state that was checked has changed meanwhile: abandon the change, and keep the
    // definition.
    const { id, communityId } = due;
    await writeTransaction(scope, 'none', async (write) => {
      const change = await holdChange(write.tx, communityId, id);
      // It may have been cancelled meanwhile.
      if (change && !change.finished) await abandonChange(write, change, error.message);
    });
  }
  return due !== undefined;
}

const workOf = ({ details }: DueChange): readonly PostWork[] => details.work ?? [{ do: 'refreshTexts' }];

/** @returns whether only the end of the change is left */
async function workOnBatch(write: WriteScope, change: DueChange): Promise<boolean> {
  const { details } = change;
  if (details.pass) return workOnPass(write, change);
  const posts = await holdNextPosts(write.tx, change, BATCH);
  await workOnPosts(
    write,
    workOf(change),
    posts.map(({ id }) => id),
  );
  const last = posts.length < BATCH;
  await noteProgress(write, change, posts, last && !details.finish);
  if (last && details.finish)
    await notePass(write, change, { ...details, pass: { mark: await presentMark(write), after: 0, posts: 0 } });
  return false;
}

/** Processes the posts that were written since the first pass. */
async function workOnPass(write: WriteScope, change: DueChange): Promise<boolean> {
  const { details } = change;
  const { mark, after, posts } = details.pass!;
  const ids = await writtenSince(write.tx, change.communityId, details.mark!, after, BATCH);
  await workOnPosts(write, workOf(change), ids);
  if (ids.length === BATCH) {
    await notePass(write, change, { ...details, pass: { mark, after: ids.at(-1)!, posts: posts + ids.length } });
    return false;
  }
  const few = posts + ids.length <= FEW;
  const pass = { mark: await presentMark(write), after: 0, posts: 0 };
  // The pass has covered all writes from before it began.
  await notePass(write, change, { ...details, mark, pass });
  return few;
}

/** Runs the last pass and the edit itself, in one transaction that excludes writers. */
async function finishChange(scope: Scope, { id, communityId }: DueChange): Promise<void> {
  await writeTransaction(scope, 'definitions', async (write) => {
    const change = await holdChange(write.tx, communityId, id);
    if (!change || change.finished || !change.details.finish) return;
    carryOut(write.tx);
    const { details } = change;
    const ids = await writtenSince(write.tx, communityId, details.mark!, 0, 10 * FEW);
    // Too many posts were written meanwhile: make another pass.
    if (ids.length === 10 * FEW) return;
    await workOnPosts(write, workOf(change), ids);
    // The account that started the change had the rights, so it is the author of the edit.
    const actor = { ...write.actor, userId: change.startedBy };
    await takeEffect({ ...write, actor }, communityId, details.finish!);
    await noteProgress(write, change, [], true);
  });
}

async function takeEffect(write: WriteScope, communityId: number, finish: ChangeFinish): Promise<void> {
  const within: Scope = joining(write);
  const occToken = (await readCommunityHead(write.tx, communityId))?.etag;
  const token = occToken !== undefined && { occToken };
  switch (finish.do) {
    case 'editField':
      await editField(within, finish.place, communityId, finish.fieldId, { ...finish.form, ...token });
      break;
    case 'editWorkflow':
      await editCommunityWorkflow(within, communityId, { ...finish.form, ...token });
      break;
    case 'replaceField':
      return replaceField(write, communityId, finish);
    case 'restoreVersion':
      return bringBack(write, communityId, finish.version);
  }
  await startChanges(write, [communityId], 'announce', { work: [{ do: 'announce' }] });
}
