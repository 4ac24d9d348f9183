/** Operations patchPosts, deletePosts and createPosts: many posts in one request, each written by itself. */
import {
  type BulkPostOutcome,
  type BulkPostsResponse,
  type CreateCustomPostRequest,
  type CreatePostsRequest,
  type DeletePostsRequest,
  type PatchPostsRequest,
  PostType,
} from '@portico/contract';
import { writeTransaction } from '../../../kernel/access/index.ts';
import { bulkAnswer, forEachPost, inParts, outcomeOf, refusalOf } from '../../../kernel/bulk.ts';
import { invalid, PorticoError } from '../../../kernel/errors.ts';
import type { Line } from '../../../kernel/operations.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { createdOrThrow, onceByClientUid, requireCreatable } from './create-post.ts';
import { type CreateOutcome, createPosts } from './create-posts.ts';
import { deletePost } from './delete-post.ts';
import { applyPatch, type Patch } from './patch-post.ts';

/** Maximum number of new posts in one part, which share their statements. */
const CREATED_TOGETHER = 100;

/** @throws ValidationError for a body with invalid posts */
export async function patchPosts(scope: Scope, body: PatchPostsRequest): Promise<BulkPostsResponse> {
  return forEachPost(scope, body, (within, { postId, occToken, patch }) =>
    writeTransaction(within, 'none', async (write) => {
      const whole = mergePatches(body.patch ?? {}, patch ?? {}, occToken);
      const { version, unchanged } = await applyPatch(write, postId, whole, { ifChanged: true });
      return { outcome: unchanged ? 'UNCHANGED' : 'OK', nextOccToken: version };
    }),
  );
}

/** Merges the patch of one post over the patch for all; custom data is merged field by field. */
function mergePatches(common: Patch, own: Patch, occToken: number | undefined): Patch {
  const fieldwise = common.customData && own.customData;
  return {
    ...common,
    ...own,
    ...(fieldwise && { customData: { ...common.customData, ...own.customData } }),
    ...(occToken !== undefined && { occToken }),
  };
}

/** @throws ValidationError for a body with invalid posts */
export async function deletePosts(scope: Scope, body: DeletePostsRequest): Promise<BulkPostsResponse> {
  const erasable = body.erasable === true;
  return forEachPost(scope, body, async (within, { postId, occToken }) => {
    await deletePost(within, postId, { erasable, occToken });
    return { outcome: 'OK' };
  });
}

/**
 * Creates posts, {@link CREATED_TOGETHER} in each transaction.
 * @param lines the posts when they came as lines, read as they arrive
 * @throws PorticoError NOT_FOUND; FORBIDDEN for a community in which the caller may not create
 *   posts
 */
export async function createManyPosts(
  scope: Scope,
  communityId: number,
  body: CreatePostsRequest,
  lines: AsyncIterable<Line> | undefined,
): Promise<BulkPostsResponse> {
  if (!lines && !body.posts) throw invalid('posts', 'REQUIRED_FIELD', 'Send posts, or one post a line as NDJSON.');
  // Checked before the lines are read.
  await requireCreatable(scope, communityId, false);
  const given = lines ?? (body.posts ?? []).map((value, index): Line => ({ line: index + 1, value }));
  const uids = new Set<string>();
  const outcomes = await inParts(
    scope,
    unlikeByClientUid(given, uids),
    CREATED_TOGETHER,
    (within, part) => createPart(within, communityId, part),
    (line): BulkPostOutcome => ({ ...nameOf(line), outcome: 'NOT_RUN' }),
  );
  return bulkAnswer(outcomes);
}

/**
 * Yields the lines, with an error in place of a line that repeats the clientUid of an earlier one
 * in any part.
 */
async function* unlikeByClientUid(lines: Iterable<Line> | AsyncIterable<Line>, uids: Set<string>) {
  for await (const line of lines) {
    const clientUid = clientUidOf(line);
    if (clientUid !== undefined && uids.has(clientUid)) {
      yield { line: line.line, error: refusalOf(new PorticoError('DUPLICATE_CLIENT_UID', { field: 'clientUid' })) };
    } else yield line;
    if (clientUid !== undefined) uids.add(clientUid);
  }
}

/**
 * Returns the client identifier of the post of a line. @returns undefined when it is omitted or
 * empty
 */
function clientUidOf({ value }: Line): string | undefined {
  return (value as CreateCustomPostRequest | undefined)?.clientUid || undefined;
}

function nameOf(line: Line): Pick<BulkPostOutcome, 'line' | 'clientUid'> {
  const clientUid = clientUidOf(line);
  return { line: line.line, clientUid };
}

async function createPart(scope: Scope, communityId: number, part: readonly Line[]): Promise<BulkPostOutcome[]> {
  const good = part.filter(({ value }) => value !== undefined);
  const made = good.length > 0 ? await createTogether(scope, communityId, good) : new Map<Line, BulkPostOutcome>();
  return part.map((line): BulkPostOutcome => {
    return line.error ? { ...nameOf(line), outcome: 'ERROR', error: line.error } : made.get(line)!;
  });
}

/**
 * Creates posts with shared statements; when an error belongs to no single post, each by itself.
 */
async function createTogether(
  scope: Scope,
  communityId: number,
  lines: readonly Line[],
): Promise<Map<Line, BulkPostOutcome>> {
  const outcome = (created: CreateOutcome): Omit<BulkPostOutcome, 'line' | 'clientUid'> => {
    const { postId, version } = createdOrThrow(created);
    return { postId, outcome: created.created ? 'OK' : 'UNCHANGED', nextOccToken: version };
  };
  const create = (some: readonly Line[]) =>
    onceByClientUid(() =>
      writeTransaction(scope, 'none', async (write) => {
        const definition = await requireCreatable(write, communityId, false);
        const posts = some.map(({ value }) => ({ ...(value as CreateCustomPostRequest), type: PostType.CUSTOM }));
        return createPosts(write, definition, posts);
      }),
    );
  const done = new Map<Line, BulkPostOutcome>();
  try {
    const created = await create(lines);
    for (const [index, line] of lines.entries())
      done.set(line, await outcomeOf(nameOf(line), async () => outcome(created[index]!)));
  } catch (error) {
    refusalOf(error);
    for (const line of lines)
      done.set(line, await outcomeOf(nameOf(line), async () => outcome((await create([line]))[0]!)));
  }
  return done;
}
