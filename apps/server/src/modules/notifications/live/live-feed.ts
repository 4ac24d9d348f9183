/**
 * Sends changes to listeners. Each tenant with listeners on this node is polled twice a second,
 * once for all of its listeners; visibility is checked in memory when a change is sent. A listener
 * that reconnects continues from its position; after missing too many changes it must start afresh.
 */
import type { StreamStatus } from '@portico/contract';
import type { TenantDb } from '@portico/platform/db/tenant-db';
import type { Log, TenantScope } from '../../../kernel/scope.ts';
import { sequenceChanges } from '../../records/index.ts';
import { notifiedAfter } from '../notifications.repository.ts';
import { type LiveListener, statusFor } from './listener.ts';
import { changesAfter, type FeedChange, readersNow, readFeedState } from './live.repository.ts';
import { type LivePosition, signLivePosition } from './live-position.ts';

/** Time between two polls of a tenant. Milliseconds. */
const INTERVAL_MS = 500;
/** Time until the next poll after a failed one. Milliseconds. */
const RETRY_MS = 2_000;
/** Changes read per query. */
const BATCH = 500;
/** Maximum of changes that a listener may have missed; beyond it, the listener starts afresh. */
const MAX_BEHIND = 5_000;
/**
 * Time between two checks of a listener's sign-in, unless something else triggers one.
 * Milliseconds.
 */
const CHECK_MS = 60_000;
/** Maximum of concurrent checks. */
const CHECKS_AT_ONCE = 8;
/**
 * Idle time after which a connection receives a comment, so that proxies keep it open.
 * Milliseconds.
 */
const KEEP_ALIVE_MS = 20_000;

interface Entry {
  listener: LiveListener;
  ended: boolean;
  /** Time of the monotonic clock, like `checkedAt`. Milliseconds. */
  sentAt: number;
  checkedAt: number;
}

/** Listeners of this node. */
export class LiveFeed {
  readonly #tenants = new Map<number, TenantFeed>();
  readonly #log: Log;
  #closed = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Number of listeners. */
  get size(): number {
    return [...this.#tenants.values()].reduce((sum, feed) => sum + feed.size, 0);
  }

  /**
   * Adds a listener. It first receives `ready`, or the changes that it has missed.
   * @param scope of the tenant, without a caller: it outlives the request
   * @returns a function that removes the listener
   */
  listen(scope: TenantScope, listener: LiveListener): () => void {
    if (this.#closed) {
      listener.end();
      return () => undefined;
    }
    const { id } = scope.tenant;
    const feed = this.#tenants.get(id) ?? new TenantFeed(scope, this.#log, () => this.#tenants.delete(id));
    this.#tenants.set(id, feed);
    return feed.add(listener);
  }

  /** Closes all connections. */
  close(): void {
    this.#closed = true;
    for (const feed of this.#tenants.values()) feed.close();
  }
}

/** Listeners of one tenant. */
class TenantFeed {
  readonly #scope: TenantScope;
  readonly #db: TenantDb;
  readonly #log: Log;
  readonly #onEmpty: () => void;
  readonly #entries = new Set<Entry>();
  /** Listeners that have received nothing yet. */
  readonly #new = new Set<Entry>();
  /** Position up to which all listeners except the new ones have received the changes. */
  #position: LivePosition | undefined;
  #accessVersion = 0;
  #lastNotification: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(scope: TenantScope, log: Log, empty: () => void) {
    this.#scope = scope;
    this.#db = scope.db;
    this.#log = log;
    this.#onEmpty = empty;
    this.#next(0);
  }

  get size(): number {
    return this.#entries.size;
  }

  add(listener: LiveListener): () => void {
    const now = performance.now();
    // Spreads the checks of listeners that connected at the same moment.
    const entry: Entry = { listener, ended: false, sentAt: now, checkedAt: now - Math.random() * (CHECK_MS / 2) };
    this.#entries.add(entry);
    this.#new.add(entry);
    return () => this.#remove(entry);
  }

  close(): void {
    for (const entry of [...this.#entries]) this.#end(entry);
  }

  /**
   * A connection that the feed closed calls this again on its close event; another feed may have
   * taken its place by then.
   */
  #remove(entry: Entry): void {
    if (entry.ended) return;
    entry.ended = true;
    this.#entries.delete(entry);
    this.#new.delete(entry);
    if (this.#entries.size > 0) return;
    clearTimeout(this.#timer);
    this.#onEmpty();
  }

  #end(entry: Entry): void {
    this.#remove(entry);
    entry.listener.end();
  }

  #next(milliseconds: number): void {
    this.#timer = setTimeout(() => void this.#poll(), milliseconds);
    this.#timer.unref();
  }

  async #poll(): Promise<void> {
    let pause = INTERVAL_MS;
    try {
      await this.#round();
    } catch (error) {
      // The database does not respond. Nothing is lost: the position stays.
      this.#log.warn({ tenant: this.#scope.tenant.name, reason: (error as Error).message }, 'live changes are delayed');
      pause = RETRY_MS;
    }
    if (this.#entries.size > 0) this.#next(pause);
  }

  async #round(): Promise<void> {
    await sequenceChanges(this.#db);
    const state = await readFeedState(this.#db);
    if (!state) return this.close();
    const { generation, lastSeq, accessVersion } = state;
    const first = this.#position === undefined;
    if (!first && this.#position!.generation !== generation) {
      // Positions from before the restore, move or failover are invalid.
      for (const entry of this.#entries) this.#send(entry, this.#event('reset', { generation, seq: lastSeq }));
      this.#new.clear();
      this.#position = undefined;
    }
    this.#position ??= { generation, seq: lastSeq };
    await this.#check(!first && accessVersion !== this.#accessVersion);
    this.#accessVersion = accessVersion;
    await this.#sendChanges({ generation, seq: lastSeq });
    await this.#catchUp();
    await this.#sendNotificationHints();
    this.#keepAlive();
  }

  /** Sends the changes since the last round to all listeners except the new ones. */
  async #sendChanges(until: LivePosition): Promise<void> {
    const old = [...this.#entries].filter((entry) => !this.#new.has(entry));
    while (this.#position!.seq < until.seq) {
      const changes = await changesAfter(this.#db, this.#position!.seq, until.seq, BATCH);
      const seq = changes.at(-1)?.seq ?? until.seq;
      await this.#deliver(old, changes, { ...until, seq });
      this.#position = { ...until, seq };
    }
  }

  /** Brings new listeners to the position of the others. */
  async #catchUp(): Promise<void> {
    const position = this.#position!;
    for (const entry of [...this.#new]) {
      const { from } = entry.listener;
      const behind = from === undefined ? 0 : position.seq - from.seq;
      if (from && (from.generation !== position.generation || behind < 0 || behind > MAX_BEHIND)) {
        this.#send(entry, this.#event('reset', position));
      } else {
        for (let seq = from?.seq ?? position.seq; seq < position.seq && !entry.ended; ) {
          const changes = await changesAfter(this.#db, seq, position.seq, BATCH);
          seq = changes.at(-1)?.seq ?? position.seq;
          await this.#deliver([entry], changes, { ...position, seq });
        }
        this.#send(entry, this.#event('ready', position));
      }
      this.#new.delete(entry);
    }
  }

  /**
   * Tells listeners that they have new notifications. The hint holds no content; clients read the
   * list.
   */
  async #sendNotificationHints(): Promise<void> {
    const { last, userIds } = await notifiedAfter(this.#db, this.#lastNotification);
    this.#lastNotification = last;
    if (userIds.length === 0) return;
    const told = new Set(userIds);
    for (const entry of this.#entries) {
      if (told.has(entry.listener.actor.userId)) this.#send(entry, 'event: notifications\ndata: {}\n\n');
    }
  }

  async #deliver(entries: readonly Entry[], changes: readonly FeedChange[], until: LivePosition): Promise<void> {
    if (changes.length === 0 || entries.length === 0) return;
    const now = await readersNow(this.#db, [...new Set(changes.map(({ postId }) => postId))]);
    // Reads the rights again: changes since the round began apply to the changes sent now.
    const state = await readFeedState(this.#db);
    if (state && state.accessVersion !== this.#accessVersion) {
      await this.#check(true);
      this.#accessVersion = state.accessVersion;
    }
    const id = signLivePosition(this.#scope, until);
    // Most listeners receive the same text, which is built once.
    const texts = new Map<string, string>();
    for (const entry of entries) {
      const statuses = changes.map((change) => statusFor(entry.listener, change, now.get(change.postId)));
      if (statuses.every((status) => status === undefined)) continue;
      const key = statuses.map((status) => (status === undefined ? '-' : status[0])).join('');
      let text = texts.get(key);
      if (text === undefined) {
        text = textOf(changes, statuses, id);
        texts.set(key, text);
      }
      this.#send(entry, text);
    }
  }

  /**
   * Reads the rights of listeners again and closes the connections whose sign-in has ended.
   * @param all true after a change of rights: checks all listeners; otherwise only listeners whose
   * last check is {@link CHECK_MS} ago
   */
  async #check(all: boolean): Promise<void> {
    const now = performance.now();
    const due = [...this.#entries].filter((entry) => all || now - entry.checkedAt > CHECK_MS);
    const work = due.values();
    const one = async () => {
      for (const entry of work) {
        const { listener } = entry;
        const before = rolesOf(listener);
        const actor = await listener.check();
        entry.checkedAt = now;
        if (!actor) this.#end(entry);
        else if (rolesOf(listener) !== before) this.#send(entry, 'event: access\ndata: {}\n\n');
      }
    };
    await Promise.all(Array.from({ length: CHECKS_AT_ONCE }, one));
  }

  #keepAlive(): void {
    const now = performance.now();
    for (const entry of this.#entries) if (now - entry.sentAt > KEEP_ALIVE_MS) this.#send(entry, ':\n\n');
  }

  #event(name: 'reset' | 'ready', position: LivePosition): string {
    return `event: ${name}\nid: ${signLivePosition(this.#scope, position)}\ndata: {}\n\n`;
  }

  #send(entry: Entry, text: string): void {
    if (entry.ended) return;
    entry.sentAt = performance.now();
    entry.listener.send(text);
  }
}

/** Returns the roles of a listener as text, to detect changes. */
function rolesOf({ actor }: LiveListener): string {
  return JSON.stringify([[...actor.roles], [...(actor.permissions ?? [])], actor.principals]);
}

/**
 * Returns the changes for a listener as one text. Only the last change has the id, since after a
 * break the others are sent again.
 */
function textOf(changes: readonly FeedChange[], statuses: readonly (StreamStatus | undefined)[], id: string): string {
  const events = changes.flatMap(({ postId, communityId }, index) => {
    const status = statuses[index];
    return status === undefined ? [] : [`data: ${JSON.stringify({ postId, communityId, status })}\n\n`];
  });
  return events
    .map((event, index) => `event: post\n${index === events.length - 1 ? `id: ${id}\n` : ''}${event}`)
    .join('');
}
