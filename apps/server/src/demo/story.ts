/** Writes the story of the demo: posts, tasks, comments and all else that happens to them. */

import type { TenantTx } from '@portico/platform/db/tenant-db';
import { writeTransaction } from '../kernel/access/index.ts';
import type { Scope } from '../kernel/scope.ts';
import { getDefinition } from '../modules/communities/index.ts';
import { attachFiles } from '../modules/files/index.ts';
import {
  acknowledgePost,
  createPostComment,
  createTask,
  deleteComment,
  likeComment,
  likePost,
  requestAcknowledgements,
  setTaskState,
  storeSurveyAnswers,
  unlikePost,
} from '../modules/post-parts/index.ts';
import {
  copyCustomPost,
  createPosts,
  deletePost,
  editCustomPost,
  editPostAttachments,
  editPostEventPartecipate,
  editScreenData,
  executeOperation,
  publishScheduledPost,
  type TrustedPost,
  writeViews,
} from '../modules/posts/index.ts';
import { recordHistory } from '../modules/records/index.ts';
import type { Step } from './data.ts';
import type { DemoContext } from './demo-context.ts';

/** Steps of one transaction. */
const BATCH = 30;

/**
 * A step with ids in place of references. The verbs check the bodies: their types are not repeated
 * here.
 */
interface ResolvedStep {
  post: number;
  comment: number;
  task: number;
  transition: number;
  field: number;
  community: number;
  occToken: number;
  body: never;
  extra: never;
}

/** Runs a step. @returns ids of created objects, in the order of their names */
type Action = (scope: Scope, step: ResolvedStep) => Promise<unknown>;

/** The verbs return created objects, which nothing reads here. */
const nothing = async () => undefined;

const actions: Readonly<Record<string, Action>> = {
  edit: (scope, { post, occToken, body }) => editCustomPost(scope, post, occToken, body, nothing),
  copy: (scope, { post, occToken, body }) => copyCustomPost(scope, post, occToken, body, nothing),
  deletePost: (scope, { post, body }) => deletePost(scope, post, body),
  answer: (scope, { post, body }) => editPostEventPartecipate(scope, post, body),
  attach: (scope, { post, body }) => editPostAttachments(scope, post, body, async (_, { addedIds }) => addedIds),
  comment: async (scope, { post, body }) => [(await createPostComment(scope, post, body)).comment.id],
  deleteComment: (scope, { comment }) => deleteComment(scope, comment),
  likeComment: (scope, { comment }) => likeComment(scope, comment),
  like: (scope, { post }) => likePost(scope, post),
  unlike: (scope, { post }) => unlikePost(scope, post),
  move: (scope, { post, transition, body }) => executeOperation(scope, post, transition, body),
  screen: (scope, { post, occToken, body }) => editScreenData(scope, post, occToken, body),
  askToAcknowledge: (scope, { post, body }) => requestAcknowledgements(scope, post, body),
  acknowledge: (scope, { post }) => acknowledgePost(scope, post),
  task: async (scope, { post, body, extra }) => [(await createTask(scope, post, body, extra)).taskId],
  setTaskState: (scope, { task, body }) => setTaskState(scope, task, body),
  // Version 2 has no verb for answers to a questionnaire.
  answerSurvey: (scope, { task, body }) =>
    writeTransaction(scope, 'none', ({ tx }) => storeSurveyAnswers(tx, task, body)),
  pick: (scope, { post, community, field, extra, body }) =>
    writeTransaction(scope, 'none', (write) =>
      attachFiles(
        write,
        { communityId: community, postId: post, fieldId: field, entityType: extra },
        body,
        { attachmentEnabled: true, attachmentMaxSize: null },
        { add: 'attachments' },
      ),
    ),
  // Reads record views after the response, and no verb writes the history of workspaces.
  views: (scope, { body }) => writeViews(scope.db, body),
  history: (scope, { body }) => writeTransaction(scope, 'none', (write) => recordHistory(write, body)),
  publish: (scope, { post }) => publishScheduledPost(scope, post),
};
/** Steps with transactions of their own. */
const ALONE = new Set(['planPost', 'publish', 'views']);

/** Runs all steps in their order. */
export async function tellStory(context: DemoContext, steps: readonly Step[]): Promise<void> {
  for (const batch of batchesOf(steps)) {
    const [first] = batch;
    if (first!.do === 'createPost') await createBatch(context, batch, context.now);
    // The planned time is later than the post, not later than now.
    else if (first!.do === 'planPost') await createBatch(context, batch, context.names.resolve(first!.at));
    else if (ALONE.has(first!.do)) await run(context, first!);
    else
      await context.db.transaction(async (tx) => {
        for (const step of batch) await run(context, step, tx);
      });
  }
}

/** Joins neighbours that one transaction writes: posts of one community, or other steps. */
function* batchesOf(steps: readonly Step[]): Generator<readonly Step[]> {
  const kindOf = (step: Step | undefined) =>
    step && (step.do === 'createPost' ? step['community'] : String(ALONE.has(step.do)));
  let start = 0;
  for (let end = 1; end <= steps.length; end++) {
    const first = steps[start]!;
    const full = end - start === (ALONE.has(first.do) ? 1 : BATCH);
    if (!full && kindOf(steps[end]) === kindOf(first)) continue;
    yield steps.slice(start, end);
    start = end;
  }
}

/** Creates posts of a community by the verb of imports. @param now time of the write */
async function createBatch(context: DemoContext, steps: readonly Step[], now: number): Promise<void> {
  const { names } = context;
  const communityId = names.resolve<number>(steps[0]!['community']);
  // The service account, which creates posts of others, uploads their covers.
  const scope = await context.as(names.get('user:SVC-1'), now);
  const posts: TrustedPost[] = [];
  for (const step of steps) {
    await storeFiles(context, scope, step);
    posts.push({
      ...names.resolve<TrustedPost>(step['body']),
      creatorId: names.resolve(step.by),
      at: names.resolve(step.at),
    });
  }
  const outcomes = await writeTransaction(scope, 'none', async (write) =>
    createPosts(write, (await getDefinition(write, communityId))!, posts, { trusted: true }),
  );
  for (const [index, { postId, errors }] of outcomes.entries()) {
    if (postId === undefined)
      throw new Error(`a post of the demo was refused: ${JSON.stringify([steps[index], errors])}`);
    names.set(steps[index]!.names![0]!, postId);
  }
}

async function run(context: DemoContext, step: Step, tx?: TenantTx): Promise<void> {
  const { names } = context;
  const scope = await context.as(names.resolve(step.by), names.resolve(step.at), tx);
  await storeFiles(context, scope, step);
  const created = await actions[step.do]!(scope, names.resolve<ResolvedStep>(step));
  for (const [index, name] of (step.names ?? []).entries()) names.set(name, (created as number[])[index]!);
}

/** Stores the files that a step refers to (`$file:…`) as its user. */
async function storeFiles(context: DemoContext, scope: Scope, step: Step): Promise<void> {
  for (const [, name] of JSON.stringify(step).matchAll(/"\$file:([^"]+)"/g))
    context.names.set(`file:${name}`, await context.store(scope, name!));
}
