/** Works on what changes of definitions leave to be done with posts. */
import { type WriteScope, writeTransaction } from '../../kernel/access/index.ts';
import { PorticoError } from '../../kernel/errors.ts';
import type { Scope } from '../../kernel/scope.ts';
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
} from '../communities/index.ts';
import { replaceField } from './change-field-type.ts';
import { abandonChange } from './list-changes.ts';
import { bringBack } from './versions.ts';
import { ValueLost, workOnPosts } from './work-on-posts.ts';

/** Posts of one transaction: it holds them for some hundred milliseconds at most. */
const BATCH = 100;

/** When a pass over what was written meanwhile had so few posts, the next one is the last, which excludes writers. */
const FEW = 100;

/**
 * Works on the next posts of the oldest change that is due.
 * @param scope of the tenant's system account
 * @returns whether there was one; call again until there is none
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
    // What it was checked against is not so any longer: the definition stays as it is.
    const { id, communityId } = due;
    await writeTransaction(scope, 'none', async (write) => {
      const change = await holdChange(write.tx, communityId, id);
      // Somebody may have cancelled it meanwhile.
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

/** Works on what was written since the posts were worked on. */
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
  // The pass has covered what was written before it began.
  await notePass(write, change, { ...details, mark, pass });
  return few;
}

/** The last pass and the edit itself, in one transaction that excludes writers. */
async function finishChange(scope: Scope, { id, communityId }: DueChange): Promise<void> {
  await writeTransaction(scope, 'definitions', async (write) => {
    const change = await holdChange(write.tx, communityId, id);
    if (!change || change.finished || !change.details.finish) return;
    carryOut(write.tx);
    const { details } = change;
    const ids = await writtenSince(write.tx, communityId, details.mark!, 0, 10 * FEW);
    // Writers were quicker: another pass.
    if (ids.length === 10 * FEW) return;
    await workOnPosts(write, workOf(change), ids);
    // Rights were those of who began it, and so is the edit.
    const actor = { ...write.actor, userId: change.startedBy };
    await takeEffect({ ...write, actor }, communityId, details.finish!);
    await noteProgress(write, change, [], true);
  });
}

async function takeEffect(write: WriteScope, communityId: number, finish: ChangeFinish): Promise<void> {
  const within: Scope = { ...write, joined: write.tx };
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
