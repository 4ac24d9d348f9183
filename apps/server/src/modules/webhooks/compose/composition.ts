/** The messages of some changes for some webhooks. Posts are read once for each account. */
import type { BaseListPostsElement, WebhookEvent } from '@portico/contract';
import type { TenantTx } from '@portico/platform/db/tenant-db';
import { loadActor, seesComments } from '../../../kernel/access/index.ts';
import { ValidationError } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { getDefinitions } from '../../communities/index.ts';
import { type FeedChange, type ReadersNow, statusFor } from '../../notifications/index.ts';
import { mailLanguageOf } from '../../people/index.ts';
import { hydratePosts, matchPosts } from '../../posts/index.ts';
import { ChangeKind } from '../../records/index.ts';
import { bodyOf } from '../bodies.ts';
import { chatBody, chatText } from '../chat/chat-messages.ts';
import type { ChatForm } from '../chat/escape.ts';
import { chatWords } from '../chat/wording.ts';
import type { NewBody, NewDelivery } from '../deliveries/deliveries.repository.ts';
import type { WebhookRow } from '../webhooks.repository.ts';
import { eventsOf } from './events.ts';
import { followsSight, lostPosts, reachOf, setReach } from './lost-sight.ts';
import { stopForFilter } from './positions.repository.ts';

interface CompositionOptions {
  readonly tx: TenantTx;
  readonly generation: number;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly scopeOf: (userId: number) => Promise<Scope>;
}

/** Lost posts that one transaction tells of. */
const LOST_AT_ONCE = 200;

/** Returns whether a message tells of the post. */
const needsPost = ({ contents, form }: WebhookRow, event: WebhookEvent) =>
  (contents === 'whole' || form !== 'standard') && event !== 'post.gone';

/** A message whose body is not rendered yet. */
interface Planned {
  readonly webhook: WebhookRow;
  readonly change: FeedChange;
  readonly event: WebhookEvent;
  /** Name of the change in ids of messages. */
  readonly name: string;
}

export class Composition {
  readonly #options: CompositionOptions;
  readonly #scopes = new Map<number, Scope>();
  readonly #stopped = new Set<number>();
  readonly #planned: Planned[] = [];
  /** Posts that exist. */
  readonly #existing = new Set<number>();
  /** Names of communities. */
  readonly #communities = new Map<number, string>();

  constructor(options: CompositionOptions) {
    this.#options = options;
  }

  /** Webhooks that were stopped. */
  get stopped(): ReadonlySet<number> {
    return this.#stopped;
  }

  /** Adds the messages of a webhook about changes. @param after it has received changes up to this number */
  async add(
    webhook: WebhookRow,
    changes: readonly FeedChange[],
    readers: ReadonlyMap<number, ReadersNow>,
    after: number,
  ): Promise<void> {
    for (const id of readers.keys()) this.#existing.add(id);
    const scope = await this.#scopeOf(webhook.accountId);
    const communityIds = webhook.communityIds.length > 0 ? new Set(webhook.communityIds) : undefined;
    const seen = changes.flatMap((change) => {
      if (change.seq <= after) return [];
      const status = statusFor({ actor: scope.actor, communityIds }, change, readers.get(change.postId));
      return status ? [{ change, status }] : [];
    });
    const definitions = await getDefinitions(scope, [...new Set(seen.map(({ change }) => change.communityId))]);
    const planned = seen.flatMap(({ change, status }): Planned[] => {
      const community = definitions.get(change.communityId)?.community;
      if (community) this.#communities.set(community.id, community.name);
      const open = community !== undefined && seesComments(scope.actor, community);
      return eventsOf(status, change.historyTypes ?? [], open)
        .filter((event) => webhook.events.length === 0 || webhook.events.includes(event))
        .map((event) => ({ webhook, change, event, name: String(change.seq) }));
    });
    this.#planned.push(...(await this.#filtered(webhook, scope, planned, after)));
  }

  /**
   * Adds the messages of posts that roles and groups took from the account of a webhook.
   * @param seq number of the last change that was composed
   * @returns whether more such posts may be left
   */
  async addLost(webhook: WebhookRow, seq: number): Promise<boolean> {
    const { tx, now } = this.#options;
    const { actor } = await this.#scopeOf(webhook.accountId);
    const reach = reachOf(actor);
    const asked = webhook.reach !== null && webhook.reach !== reach && followsSight(webhook);
    const lost = asked ? await lostPosts(tx, webhook, actor, LOST_AT_ONCE) : [];
    for (const { postId, communityId } of lost) {
      this.#existing.add(postId);
      const change = {
        seq,
        postId,
        communityId,
        kind: ChangeKind.DELETED,
        at: now,
        historyTypes: null,
        before: undefined,
      };
      this.#planned.push({ webhook, change, event: 'post.gone', name: `access${actor.accessVersion}_${postId}` });
    }
    const more = lost.length === LOST_AT_ONCE;
    if (!more) await setReach(tx, webhook.id, actor, reach);
    return more;
  }

  /** Leaves out posts that the filter does not match after the change. */
  async #filtered(
    webhook: WebhookRow,
    scope: Scope,
    planned: readonly Planned[],
    after: number,
  ): Promise<readonly Planned[]> {
    const [communityId] = webhook.communityIds;
    if (webhook.filter === null || communityId === undefined) return planned;
    const ids = planned.flatMap(({ event, change }) => (event === 'post.gone' ? [] : [change.postId]));
    if (ids.length === 0) return planned;
    try {
      const matching = await matchPosts(scope, communityId, webhook.filter, [...new Set(ids)]);
      return planned.filter(({ event, change }) => event === 'post.gone' || matching?.has(change.postId));
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      await stopForFilter(this.#options.tx, webhook.id, after, this.#options.now);
      this.#stopped.add(webhook.id);
      return [];
    }
  }

  async #scopeOf(accountId: number): Promise<Scope> {
    const known = this.#scopes.get(accountId);
    if (known) return known;
    const { tx: db, scopeOf } = this.#options;
    const scope = await scopeOf(accountId);
    // Its rights on the snapshot of the posts.
    const actor = (await loadActor(db, accountId)) ?? scope.actor;
    const own = { ...scope, db, actor, baseUrl: scope.ownAddress ?? scope.baseUrl };
    this.#scopes.set(accountId, own);
    return own;
  }

  /** Returns the messages and their bodies: one body for the same event, account and contents. */
  async render(): Promise<{ bodies: NewBody[]; deliveries: NewDelivery[] }> {
    const posts = await this.#posts();
    const bodies: NewBody[] = [];
    const places = new Map<string, number>();
    const { generation } = this.#options;
    const deliveries = this.#planned.map((planned): NewDelivery => {
      const { webhook, change, event, name } = planned;
      const post = needsPost(webhook, event) ? posts.get(webhook.accountId)?.get(change.postId) : undefined;
      const { form } = webhook;
      const owner = post ? webhook.accountId : '';
      const key = `${name}:${event}:${form === 'standard' ? owner : `${form}${webhook.id}`}`;
      let place = places.get(key);
      if (place === undefined) {
        const { postId, communityId, seq: number, at } = change;
        const told = { event, at, number, generation, postId, communityId };
        const body = form === 'standard' ? bodyOf(told, post) : this.#chatBody(form, planned, post);
        place = bodies.push({ ...body, postId: this.#existing.has(postId) ? postId : null }) - 1;
        places.set(key, place);
      }
      const messageId = `msg_${webhook.uid}_${generation}_${name}_${event}`;
      return { webhookId: webhook.id, body: place, messageId, event, seq: change.seq };
    });
    return { bodies, deliveries };
  }

  /** Returns the body of a message to a chat, and the people whom it names. */
  #chatBody(form: ChatForm, { webhook, change, event }: Planned, post: BaseListPostsElement | undefined) {
    const { settings, baseUrl } = this.#scopes.get(webhook.accountId)!;
    const author = post?.creatorUser;
    const values = {
      event: chatWords[mailLanguageOf(settings.defaultLanguage)][event],
      title: post?.title ?? '',
      link: `${baseUrl}/portal/post/${change.postId}`,
      number: post?.customId ?? String(change.postId),
      community: this.#communities.get(change.communityId) ?? '',
      state: post?.workflowStateDescription ?? '',
      author: [author?.firstName, author?.lastName].filter(Boolean).join(' '),
    };
    const people = author?.id === undefined ? [] : [author.id];
    return { body: chatBody(form, chatText(form, webhook.template, values)), people };
  }

  /** Reads the posts that messages tell of, by account. */
  async #posts(): Promise<Map<number, Map<number, BaseListPostsElement>>> {
    const wanted = new Map<number, Set<number>>();
    for (const { webhook, change, event } of this.#planned) {
      if (!needsPost(webhook, event)) continue;
      const ids = wanted.get(webhook.accountId) ?? new Set<number>();
      wanted.set(webhook.accountId, ids.add(change.postId));
    }
    const found = new Map<number, Map<number, BaseListPostsElement>>();
    for (const [accountId, ids] of wanted) {
      const posts = await hydratePosts(await this.#scopeOf(accountId), [...ids]);
      found.set(accountId, new Map(posts.map((post) => [post.id!, post])));
    }
    return found;
  }
}
