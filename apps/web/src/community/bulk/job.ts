/** What is done with many posts at once: tried, carried out, undone. */
import type {
  BulkPostOutcome,
  BulkPostsResponse,
  JsonValue,
  PostFieldDefinition,
  PostWorkflowDefinition,
  PostWorkflowDefinitionTransition,
} from '@portico/sdk';
import { portal } from '../../portal.ts';
import { inputOf, wireOf } from '../../write/values.ts';
import type { ListedPost } from '../use-posts.ts';

export type Job =
  | { readonly kind: 'delete' }
  | { readonly kind: 'edit'; readonly field: PostFieldDefinition }
  | { readonly kind: 'step'; readonly step: PostWorkflowDefinitionTransition };

/** What was filled in for a job: the value of the field, the values of the screen. */
export interface Filled {
  readonly value?: JsonValue;
  readonly screenData?: Record<string, JsonValue>;
}

/** Posts that one request takes. */
const AT_ONCE = 1000;
/** Posts that are restored at the same time. */
const TOGETHER = 4;

/** Carries a job out, or only tries it. @throws as the client library where the request as a whole is refused */
export async function runJob(job: Job, filled: Filled, posts: readonly ListedPost[], dryRun: boolean) {
  const answers: BulkPostsResponse[] = [];
  for (let from = 0; from < posts.length; from += AT_ONCE) {
    const postIds = posts.slice(from, from + AT_ONCE).map(({ id }) => id!);
    answers.push(await send(job, filled, postIds, dryRun));
  }
  return answers.flatMap(({ items = [] }) => items);
}

function send(job: Job, { value, screenData }: Filled, postIds: number[], dryRun: boolean): Promise<BulkPostsResponse> {
  const how = { postIds, ...(dryRun && { dryRun }) };
  if (job.kind === 'delete') return portal.posts.deleteMany(how);
  if (job.kind === 'edit')
    return portal.posts.patchMany({ ...how, patch: { customData: { [String(job.field.id)]: value ?? null } } });
  return portal.posts.transitionMany({
    ...how,
    workflowOperationId: job.step.id!,
    ...(screenData && { screenData }),
  });
}

/** @returns what takes a job back for the posts that were written; undefined where nothing can */
export function undoOf(
  job: Job,
  before: readonly ListedPost[],
  outcomes: readonly BulkPostOutcome[],
  workflow: PostWorkflowDefinition | undefined,
): (() => Promise<{ undone: number; failed: number }>) | undefined {
  const written = outcomes.filter(({ outcome }) => outcome === 'OK');
  const tokens = new Map(written.map(({ postId, nextOccToken }) => [postId, nextOccToken]));
  const posts = before.filter(({ id }) => tokens.has(id));
  if (posts.length === 0) return undefined;
  if (job.kind === 'delete') return () => restoreAll(posts.map(({ id }) => id!));
  if (job.kind === 'edit') {
    const id = String(job.field.id);
    return async () => {
      const { okCount = 0, unchangedCount = 0 } = await portal.posts.patchMany({
        posts: posts.map((post) => ({
          postId: post.id!,
          ...(tokens.get(post.id) !== undefined && { occToken: tokens.get(post.id)! }),
          patch: { customData: { [id]: wireOf(job.field, inputOf(job.field, post.customData?.[id])) } },
        })),
      });
      return { undone: okCount + unchangedCount, failed: posts.length - okCount - unchangedCount };
    };
  }
  const back = wayBack(job.step, posts, workflow);
  return (
    back &&
    (async () => {
      const { okCount = 0 } = await portal.posts.transitionMany({
        workflowOperationId: back.id!,
        postIds: posts.map(({ id }) => id!),
      });
      return { undone: okCount, failed: posts.length - okCount };
    })
  );
}

/** The step without a screen that leads back to where all posts came from. */
export function wayBack(
  step: PostWorkflowDefinitionTransition,
  posts: readonly ListedPost[],
  workflow: PostWorkflowDefinition | undefined,
): PostWorkflowDefinitionTransition | undefined {
  const from = new Set(posts.map(({ currentWorkflowState }) => currentWorkflowState?.id));
  if (from.size !== 1) return undefined;
  return workflow?.transitions?.find(
    ({ fromState, toState, screen }) =>
      !screen && toState?.id !== undefined && from.has(toState.id) && fromState?.id === step.toState?.id,
  );
}

async function restoreAll(ids: readonly number[]): Promise<{ undone: number; failed: number }> {
  const left = [...ids];
  let failed = 0;
  const work = async () => {
    for (let postId = left.pop(); postId !== undefined; postId = left.pop())
      await portal.posts.restore({ postId }).catch(() => {
        failed += 1;
      });
  };
  await Promise.all(Array.from({ length: TOGETHER }, work));
  return { undone: ids.length - failed, failed };
}
