/** Writes of many objects: the parts in which they run, and the outcome of each object. */
import { type BulkPostError, type BulkPostOutcome, type BulkPostsResponse, bulkLimits } from '@portico/contract';
import { isRetryable } from '@portico/platform/db/pg-errors';
import { fromPostgresError } from './database-errors.ts';
import { FieldErrors, listedErrors, PorticoError } from './errors.ts';
import { runPartOf } from './run-bulk.ts';
import type { Scope } from './scope.ts';

/** Size of the items at which a part ends: its items are in memory together. Bytes as sent. */
const PART_BYTES = 2 * 1024 * 1024;

/** An item with its size as sent. */
interface SizedItem {
  readonly bytes?: number;
}

const bytesOf = (item: unknown) => (typeof item === 'object' ? ((item as SizedItem).bytes ?? 0) : 0);
/** The same object may be written in more or fewer bytes: a repeated request is compared without them. */
const withoutBytes = (item: unknown) => (bytesOf(item) > 0 ? { ...(item as SizedItem), bytes: undefined } : item);

/**
 * Runs a write of many objects part by part, one after another, so that other requests get connections between two parts. No part begins
 * after {@link bulkLimits}.seconds.
 * @param items read one by one; large ones ({@link SizedItem}) make a part shorter
 * @param size items of a part  @param work gives an outcome for each item of its part
 * @returns the outcomes, in the order of the items
 */
export async function inParts<I, O extends Outcome = BulkPostOutcome>(
  scope: Scope,
  items: Iterable<I> | AsyncIterable<I>,
  size: number,
  work: (scope: Scope, part: readonly I[]) => Promise<O[]>,
  notRun: (item: I) => O,
): Promise<O[]> {
  const runPart = runPartOf(scope);
  const end = performance.now() + bulkLimits.seconds * 1000;
  const outcomes: O[] = [];
  let index = 0;
  let part: I[] = [];
  let bytes = 0;
  const shorten = errorShortener<O>();
  const run = async () => {
    if (part.length === 0) return;
    const asked = part;
    part = [];
    bytes = 0;
    if (performance.now() > end) outcomes.push(...asked.map(notRun));
    else {
      const made = await runPart(index, asked.map(withoutBytes), (within) => work(within, asked));
      outcomes.push(...made.map(shorten));
    }
    index += 1;
  };
  for await (const item of items) {
    part.push(item);
    bytes += bytesOf(item);
    if (part.length >= size || bytes >= PART_BYTES) await run();
  }
  await run();
  return outcomes;
}

interface Outcome {
  readonly error?: BulkPostError;
}

/** Makes a function that shortens errors beyond {@link bulkLimits}.errors: ten thousand items could have a hundred each. */
function errorShortener<O extends Outcome>(): (outcome: O) => O {
  let listed = 0;
  return (outcome) => {
    const list = outcome.error?.validationErrors?.list ?? [];
    listed += list.length;
    const [first] = list;
    if (listed <= bulkLimits.errors || !first) return outcome;
    const message = list.length > 1 ? `${first.defaultMessage} And ${list.length - 1} more.` : first.defaultMessage;
    const error = { ...outcome.error, message, validationErrors: { list: [{ ...first, args: [] }] } };
    return { ...outcome, error };
  };
}

/** A post of a request for many. */
interface NamedPost {
  postId?: number;
}

/** Posts or tasks in one part. */
export const PART = 25;

/**
 * Runs a write on each of the posts that a body names, in the order of their ids, so that two such writes do not wait for one
 * another's posts.
 * @throws ValidationError for none, too many, and a post that is named twice
 */
export async function forEachPost<P extends NamedPost>(
  scope: Scope,
  body: { readonly postIds?: readonly number[]; readonly posts?: readonly P[] },
  write: (scope: Scope, post: P & { postId: number }) => Promise<Pick<BulkPostOutcome, 'outcome' | 'nextOccToken'>>,
): Promise<BulkPostsResponse> {
  const { postIds = [], posts = [] } = body;
  const named = [...postIds.map((postId) => ({ postId }) as P & { postId: number }), ...posts];
  const errors = new FieldErrors();
  const seen = new Set<number>();
  for (const [index, { postId }] of named.entries()) {
    const own = index - postIds.length;
    const field = own < 0 ? `postIds[${index}]` : `posts[${own}].postId`;
    if (postId === undefined) errors.add(field, 'REQUIRED_FIELD');
    else if (seen.has(postId)) errors.add(field, 'DUPLICATE_VALUE', `Post ${postId} is named twice.`);
    else seen.add(postId);
  }
  if (named.length === 0) errors.add('postIds', 'REQUIRED_FIELD', 'Send postIds or posts.');
  if (named.length > bulkLimits.posts)
    errors.add('posts', 'TOO_MANY_ITEMS', `postIds and posts may name at most ${bulkLimits.posts} posts together.`, [
      bulkLimits.posts,
    ]);
  errors.throwIfAny();
  const known = named as (P & { postId: number })[];
  const outcomes = await inParts(
    scope,
    known.toSorted((one, other) => one.postId - other.postId),
    PART,
    async (within, part) => {
      const done: BulkPostOutcome[] = [];
      for (const post of part) done.push(await outcomeOf({ postId: post.postId }, () => write(within, post)));
      return done;
    },
    ({ postId }): BulkPostOutcome => ({ postId, outcome: 'NOT_RUN' }),
  );
  const byId = new Map(outcomes.map((outcome) => [outcome.postId, outcome]));
  return bulkAnswer(known.map(({ postId }) => byId.get(postId)!));
}

/** The outcome of one object: that of its write, or why it was refused. @throws other errors: of a database that does not answer, of a transaction that is to be retried */
export async function outcomeOf<N extends object>(
  named: N,
  write: () => Promise<Omit<BulkPostOutcome, 'line' | 'clientUid'>>,
): Promise<N & BulkPostOutcome> {
  try {
    return { ...named, ...(await write()) };
  } catch (error) {
    return { ...named, outcome: 'ERROR', error: refusalOf(error) };
  }
}

function porticoErrorOf(error: unknown): PorticoError | undefined {
  if (error instanceof PorticoError) return error;
  return isRetryable(error) ? undefined : fromPostgresError(error);
}

/** An error as part of an outcome. @throws the error itself, where it is no refusal of this one object */
export function refusalOf(error: unknown): BulkPostError {
  const refusal = porticoErrorOf(error);
  if (!refusal || refusal.status >= 500 || refusal.status === 401) throw error;
  const list = listedErrors(refusal);
  const token: unknown = refusal.details['currentOccToken'];
  return {
    code: refusal.code,
    status: refusal.status,
    message: refusal.message,
    field: list?.[0] ? list[0].field : undefined,
    currentOccToken: typeof token === 'number' ? token : undefined,
    validationErrors: list ? { list } : undefined,
  };
}

/** The outcomes with their counts, as the operation answers. */
export function bulkAnswer<O extends Pick<BulkPostOutcome, 'outcome'>>(
  items: O[],
): Omit<BulkPostsResponse, 'items'> & { items: O[] } {
  const count = (outcome: BulkPostOutcome['outcome']) => items.filter((item) => item.outcome === outcome).length;
  return {
    items,
    okCount: count('OK'),
    unchangedCount: count('UNCHANGED'),
    errorCount: count('ERROR'),
    notRunCount: count('NOT_RUN'),
  };
}
