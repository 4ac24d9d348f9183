/** An action on many posts in portions, which can be stopped and goes on after a failure. */
import type { BulkPostOutcome } from '@portico/sdk';
import { newUid } from '../../write/post-draft.ts';
import type { ListedPost, ListQuery } from '../use-posts.ts';
import { type BulkAction, type BulkInput, sendBulkAction } from './bulk-action.ts';
import { readPosts } from './read-posts.ts';

/** Number of posts in one request: so many are written before the action can be stopped. */
export const PORTION = 200;

interface Portion {
  readonly posts: readonly ListedPost[];
  /** Sent as `Idempotency-Key`: a portion whose answer was lost is not written twice. */
  readonly key: string;
  /** The posts with the values that the action changes; read before it is sent for the first time. */
  before?: readonly ListedPost[];
}

export class BulkRun {
  readonly #action: BulkAction;
  readonly #input: BulkInput;
  readonly #list: ListQuery;
  readonly #outcomes: BulkPostOutcome[] = [];
  readonly #before: ListedPost[] = [];
  #left: readonly ListedPost[];
  #portion: Portion | undefined;
  #stopped = false;

  /** @param list the query of the list in which the posts were selected */
  constructor(action: BulkAction, input: BulkInput, posts: readonly ListedPost[], list: ListQuery) {
    this.#action = action;
    this.#input = input;
    this.#left = posts;
    this.#list = list;
  }

  /** Number of posts that have an outcome. */
  get done(): number {
    return this.#outcomes.length;
  }

  /** Outcomes of all posts; `NOT_RUN` for posts that were not reached. */
  get outcomes(): readonly BulkPostOutcome[] {
    return [...this.#outcomes, ...this.#left.map(({ id }) => ({ postId: id!, outcome: 'NOT_RUN' as const }))];
  }

  /** The posts as they were before, as far as their change can be undone. */
  get before(): readonly ListedPost[] {
    return this.#before;
  }

  /** Ends the run after the portion that is being written. */
  stop(): void {
    this.#stopped = true;
  }

  /**
   * Writes portions until none is left or the run is stopped.
   * @param onProgress called after each portion
   * @throws the error of the client library for a portion; the next call sends that portion again
   */
  async run(onProgress: () => void): Promise<void> {
    this.#stopped = false;
    while (this.#left.length > 0 && !this.#stopped) {
      this.#portion ??= { posts: this.#left.slice(0, PORTION), key: newUid() };
      await this.#write(this.#portion);
      this.#portion = undefined;
      onProgress();
    }
  }

  async #write(portion: Portion): Promise<void> {
    const { posts, key } = portion;
    portion.before ??=
      this.#action.kind === 'edit' ? await this.#readBefore(this.#action.field.id!, posts) : portion.posts;
    const ids = posts.map(({ id }) => id!);
    const { items = [] } = await sendBulkAction(this.#action, this.#input, ids, { idempotencyKey: key });
    // The server did not begin with some where the time of the request was over.
    const reached = items.filter(({ outcome }) => outcome !== 'NOT_RUN');
    const known = new Set(reached.map(({ postId }) => postId));
    this.#outcomes.push(...reached);
    this.#before.push(...portion.before.filter(({ id }) => known.has(id)));
    this.#left = this.#left.filter(({ id }) => !known.has(id));
    if (reached.length === 0) this.#stopped = true;
  }

  /** The posts with their present values of a field. */
  async #readBefore(fieldId: number, posts: readonly ListedPost[]): Promise<readonly ListedPost[]> {
    const { communityId, draft } = this.#list;
    const query = {
      communityId,
      postIds: posts.map(({ id }) => id!),
      fields: `id,customData.${fieldId}`,
      ...(draft && { draft }),
    };
    return (await readPosts(query, PORTION)).posts;
  }
}
