/** Creates posts from any iterable, in requests of limited size. */
import type { RequestOptions } from './transport.ts';
import type { BulkPostOutcome, BulkPostsResponse, CreateCustomPostRequest } from './types.generated.ts';

/** Maximum posts in a request. */
const LINES_AT_ONCE = 1_000;
/** Maximum characters in a request; a longer one is sent before it is full. */
const CHARACTERS_AT_ONCE = 4_000_000;

type Send = (
  lines: string,
  query: Readonly<Record<string, unknown>>,
  options: RequestOptions,
) => Promise<BulkPostsResponse>;

interface Waiting {
  readonly line: number;
  readonly text: string;
}

/**
 * Sends posts and yields the outcome of each, in order.
 * @throws as any request; earlier posts have then been written
 */
export async function* createAll(
  send: Send,
  posts: Iterable<CreateCustomPostRequest> | AsyncIterable<CreateCustomPostRequest>,
  { dryRun, idempotencyKey, ...options }: RequestOptions & { dryRun?: boolean | undefined },
): AsyncGenerator<BulkPostOutcome, void, undefined> {
  let waiting: Waiting[] = [];
  let characters = 0;
  let line = 0;
  let requests = 0;
  const flush = async function* (): AsyncGenerator<BulkPostOutcome, void, undefined> {
    while (waiting.length > 0) {
      const sent = waiting;
      requests += 1;
      const key = idempotencyKey === undefined ? undefined : `${idempotencyKey}-${requests}`;
      const { items = [] } = await send(
        sent.map(({ text }) => text).join('\n'),
        { ...(dryRun && { dryRun }) },
        { ...options, idempotencyKey: key },
      );
      // Posts are started in order, so the posts that were not started come last.
      const begun = items.filter(({ outcome }) => outcome !== 'NOT_RUN');
      for (const [index, outcome] of begun.entries()) yield { ...outcome, line: sent[index]?.line ?? 0 };
      waiting = sent.slice(begun.length);
      if (begun.length > 0) continue;
      for (const { line: number } of waiting) yield { line: number, outcome: 'NOT_RUN' };
      waiting = [];
    }
    characters = 0;
  };
  for await (const post of posts) {
    const text = JSON.stringify(post);
    if (characters > 0 && characters + text.length > CHARACTERS_AT_ONCE) yield* flush();
    line += 1;
    characters += text.length;
    waiting.push({ line, text });
    if (waiting.length >= LINES_AT_ONCE) yield* flush();
  }
  yield* flush();
}
