/** Actions on many posts at once: dry run, execution, undo. */
import type {
  BulkPostOutcome,
  BulkPostsResponse,
  JsonValue,
  PostWorkflowDefinition,
  PostWorkflowDefinitionTransition,
} from '@portico/sdk';
import type { ShownField } from '../../content/shown-field.ts';
import { portal } from '../../portal.ts';
import { inputOf, wireOf } from '../../write/input-values.ts';
import type { ListedPost } from '../use-posts.ts';

export type BulkAction =
  | { readonly kind: 'delete' }
  | { readonly kind: 'edit'; readonly field: ShownField }
  | { readonly kind: 'step'; readonly step: PostWorkflowDefinitionTransition };

/** Input of an action: the value of the field, the values of the screen. */
export interface BulkInput {
  readonly value?: JsonValue;
  readonly screenData?: Record<string, JsonValue>;
}

/** Maximum number of posts in one request. */
const AT_ONCE = 1000;
/** Number of posts restored in parallel. */
const TOGETHER = 4;

function* portionsOf<T>(items: readonly T[]) {
  for (let from = 0; from < items.length; from += AT_ONCE) yield items.slice(from, from + AT_ONCE);
}

/**
 * Tries an action without writing.
 * @throws the error of the client library if the whole request is refused
 */
export async function tryBulkAction(action: BulkAction, input: BulkInput, posts: readonly ListedPost[]) {
  const outcomes: BulkPostOutcome[] = [];
  for (const portion of portionsOf(posts)) {
    const ids = portion.map(({ id }) => id!);
    outcomes.push(...((await sendBulkAction(action, input, ids, { dryRun: true })).items ?? []));
  }
  return outcomes;
}

/** Carries an action out by one request, or only tries it. */
export function sendBulkAction(
  action: BulkAction,
  { value, screenData }: BulkInput,
  postIds: number[],
  { dryRun, ...options }: { dryRun?: true; idempotencyKey?: string },
): Promise<BulkPostsResponse> {
  const how = { postIds, ...(dryRun && { dryRun }) };
  if (action.kind === 'delete') return portal.posts.deleteMany(how, options);
  if (action.kind === 'edit')
    return portal.posts.updateMany(
      { ...how, patch: { customData: { [String(action.field.id)]: value ?? null } } },
      options,
    );
  return portal.posts.transitionMany(
    { ...how, workflowOperationId: action.step.id!, ...(screenData && { screenData }) },
    options,
  );
}

/**
 * @returns a function that undoes the action for the posts that were written; undefined if nothing
 *   can be undone
 */
export function undoOf(
  action: BulkAction,
  before: readonly ListedPost[],
  outcomes: readonly BulkPostOutcome[],
  workflow: PostWorkflowDefinition | undefined,
): (() => Promise<{ undone: number; failed: number }>) | undefined {
  const written = outcomes.filter(({ outcome }) => outcome === 'OK');
  const tokens = new Map(written.map(({ postId, nextOccToken }) => [postId, nextOccToken]));
  const posts = before.filter(({ id }) => tokens.has(id));
  if (posts.length === 0) return undefined;
  if (action.kind === 'delete') return () => restoreAll(posts.map(({ id }) => id!));
  if (action.kind === 'edit') {
    const id = String(action.field.id);
    const field = action.field;
    return () =>
      inPortions(posts, async (portion) => {
        const { okCount = 0, unchangedCount = 0 } = await portal.posts.updateMany({
          posts: portion.map((post) => ({
            postId: post.id!,
            ...(tokens.get(post.id) !== undefined && { occToken: tokens.get(post.id)! }),
            patch: { customData: { [id]: wireOf(field, inputOf(field, post.customData?.[id])) } },
          })),
        });
        return okCount + unchangedCount;
      });
  }
  const back = reverseStep(action.step, posts, workflow);
  return (
    back &&
    (() =>
      inPortions(posts, async (portion) => {
        const postIds = portion.map(({ id }) => id!);
        return (await portal.posts.transitionMany({ workflowOperationId: back.id!, postIds })).okCount ?? 0;
      }))
  );
}

/** @param undo undoes the change of some posts; returns their number */
async function inPortions(posts: readonly ListedPost[], undo: (portion: readonly ListedPost[]) => Promise<number>) {
  let undone = 0;
  for (const portion of portionsOf(posts)) undone += await undo(portion).catch(() => 0);
  return { undone, failed: posts.length - undone };
}

/** The step without a screen that leads back to the common earlier state of all posts. */
export function reverseStep(
  step: PostWorkflowDefinitionTransition,
  posts: readonly ListedPost[],
  workflow: Partial<PostWorkflowDefinition> | undefined,
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
