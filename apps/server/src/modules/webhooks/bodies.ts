/** Bodies of messages, as JSON text. */
import { type BaseListPostsElement, type WebhookEvent, webhookLimits } from '@portico/contract';
import { withoutText } from './chat/chat-messages.ts';

/** A change of a post, as messages tell it. */
interface ToldChange {
  readonly event: WebhookEvent;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly number: number;
  readonly generation: number;
  readonly postId: number;
  readonly communityId: number;
}

/** A body and the people whom it names. */
interface Body {
  readonly body: string;
  readonly people: readonly number[];
}

/** How much a message holds; `tooLarge`: it is thin, since the post exceeds the limit. */
type Contents = 'thin' | 'whole' | 'tooLarge';

function render({ event, at, ...data }: ToldChange, contents: Contents, post?: object): string {
  return JSON.stringify({ type: event, timestamp: new Date(at).toISOString(), data: { ...data, contents, post } });
}

/**
 * Returns the body of a change.
 * @param post of a whole message; undefined for a thin one
 */
export function bodyOf(change: ToldChange, post: BaseListPostsElement | undefined): Body {
  if (post === undefined) return { body: render(change, 'thin'), people: [] };
  const whole = render(change, 'whole', post);
  if (Buffer.byteLength(whole) > webhookLimits.bodyBytes) return { body: render(change, 'tooLarge'), people: [] };
  return { body: whole, people: [...namedPeople(post)] };
}

/** Returns the body of a test message of Standard Webhooks. @param now epoch milliseconds */
export function testBody(now: number): string {
  return JSON.stringify({ type: 'webhook.test', timestamp: new Date(now).toISOString(), data: {} });
}

/** Returns a body without the post that it holds or tells of. */
export function withoutPost(body: string): string {
  const { data, ...rest } = JSON.parse(body) as { data?: { post?: object; contents?: Contents } };
  if (data === undefined) return withoutText(rest);
  const { post: _post, ...thin } = data;
  return JSON.stringify({ ...rest, data: { ...thin, contents: 'thin' } });
}

/** Returns the ids of the people in an answer: objects with a last name. */
function namedPeople(value: unknown, found = new Set<number>()): Set<number> {
  if (typeof value !== 'object' || value === null) return found;
  const { id } = value as { id?: unknown };
  if ('lastName' in value && typeof id === 'number') found.add(id);
  for (const member of Object.values(value)) namedPeople(member, found);
  return found;
}
