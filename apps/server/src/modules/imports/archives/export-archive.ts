/** Exports a community as an archive (ZIP), which is created while it is sent. */
import { Readable } from 'node:stream';
import { archiveLimits, communityArchiveLimits } from '@portico/contract';
import type { TenantDb } from '@portico/platform/db/tenant-db';
import { FileNotStoredError, type FileStorage } from '@portico/platform/files';
import { Turns } from '@portico/platform/turns';
import { ZipFile } from 'yazl';
import { holds, seesComments, writeTransaction } from '../../../kernel/access/index.ts';
import { insertEntries } from '../../../kernel/audit/index.ts';
import { endAfter } from '../../../kernel/end-after.ts';
import { notFound, PorticoError } from '../../../kernel/errors.ts';
import type { Actor, Scope } from '../../../kernel/scope.ts';
import { Slots } from '../../../kernel/slots.ts';
import { type CommunityDefinition, getDefinition, requireCommunityEditor } from '../../communities/index.ts';
import { type DescribedCommunity, describeWhole } from '../../definitions/index.ts';
import { loadGroupViews } from '../../people/index.ts';
import { fieldKindOf } from './archived-fields.ts';
import {
  commentsOf,
  countPosts,
  eventsOf,
  filesOf,
  hasMoreComments,
  numbersOf,
  type PostRow,
  pageOfPosts,
  peopleOf,
} from './archived-rows.repository.ts';
import { type ArchiveKeys, describePost } from './describe-post.ts';
import { ARCHIVE_FORMAT, type ArchivedPerson, type ArchiveHead, ENTRIES, fileEntry } from './format.ts';
import { linesOf } from './post-lines.ts';

const slots = new Slots(archiveLimits, 'archives');
const LONGEST_MS = archiveLimits.minutes * 60_000;

/** Posts of a page, comments whose posts are read together, and people read together. */
const POSTS_AT_ONCE = 50;
const COMMENTS_AT_ONCE = 1_000;
const PEOPLE_AT_ONCE = 1_000;

/** Sources of an archive's content. */
interface ArchiveSources {
  readonly storage: FileStorage;
  /** The tenant's database without the time limits of a request. */
  readonly db: TenantDb;
  /** Returns the caller as they are now; undefined once their sign-in has ended. */
  actorNow(): Promise<Actor | undefined>;
  /** How long the archive may take. Milliseconds; default that of the contract. */
  readonly longestMs?: number | undefined;
}

/**
 * Creates the archive of a community as far as the caller sees it, and records it in the audit log.
 * The caller must read it to its end, or destroy it.
 * @throws PorticoError NOT_FOUND, FORBIDDEN as `exportCommunity`; CONFLICT for more posts, or
 * comments of one post, than an archive holds; TOO_MANY_AT_ONCE
 */
export async function exportCommunityArchive(
  scope: Scope,
  communityId: number,
  sources: ArchiveSources,
): Promise<Readable> {
  requireCommunityEditor(scope.actor, communityId);
  const release = await slots.take(scope.limits, scope.tenant.id, scope.actor.userId);
  try {
    const described = await describeWhole(scope, scope.db, communityId);
    if (!described) throw notFound();
    const most = communityArchiveLimits.posts;
    if ((await countPosts(scope.db, scope.actor, communityId, most + 1)) > most)
      throw new PorticoError('CONFLICT', { message: `The community has more than ${most} posts.` });
    if (await hasMoreComments(scope.db, scope.actor, communityId, communityArchiveLimits.comments))
      throw tooMany('comments of one post', communityArchiveLimits.comments);
    await writeTransaction(scope, 'none', ({ tx }) =>
      insertEntries(tx, tx.caller, [{ action: 'exported', object: 'community', objectId: communityId }]),
    );
    const archive = new ArchiveWriter(scope, described, sources).write();
    archive.once('close', release);
    endAfter(archive, sources.longestMs ?? LONGEST_MS, 'The archive took too long.');
    return archive;
  } catch (error) {
    release();
    throw error;
  }
}

class ArchiveWriter {
  readonly #scope: Scope;
  readonly #described: DescribedCommunity;
  readonly #sources: ArchiveSources;
  readonly #zip = new ZipFile();
  readonly #output = this.#zip.outputStream as unknown as Readable;
  /** The stream that is being read; it ends with the archive. */
  #current: Readable | undefined;
  /** Keys of people by id, and places in the storage of the files, in the order of their numbers. */
  readonly #people = new Map<number, string>();
  readonly #files: string[] = [];
  #postsBytes = 0;

  constructor(scope: Scope, described: DescribedCommunity, sources: ArchiveSources) {
    this.#scope = scope;
    this.#described = described;
    this.#sources = sources;
  }

  write(): Readable {
    this.#output.once('close', () => this.#current?.destroy());
    this.#zip.once('error', (error) => this.#output.destroy(error as Error));
    const { tenant, settings, clock } = this.#scope;
    const head: ArchiveHead = {
      kind: 'community',
      format: ARCHIVE_FORMAT,
      portal: settings.name ?? tenant.displayName,
      madeAt: clock.now(),
    };
    const text = (name: string, value: object) =>
      this.#zip.addBuffer(Buffer.from(`${JSON.stringify(value, null, 2)}\n`), name, {});
    text(ENTRIES.head, head);
    text(ENTRIES.definition, this.#described.file);
    this.#add(ENTRIES.posts, () => Readable.from(this.#posts()));
    // People and files are known once all posts have been written.
    this.#add(ENTRIES.people, () => {
      for (const [index, key] of this.#files.entries())
        this.#add(fileEntry(index + 1), () => openFile(this.#sources.storage, key), false);
      this.#zip.end();
      return Readable.from(this.#persons());
    });
    return this.#output;
  }

  #add(name: string, open: () => Promise<Readable> | Readable, compress = true): void {
    this.#zip.addReadStreamLazy(name, { compress }, async (take) => {
      try {
        const source = await open();
        source.once('error', (error) => this.#output.destroy(error));
        this.#current = source;
        if (this.#output.destroyed) source.destroy();
        else take(null, source);
      } catch (error) {
        this.#output.destroy(error as Error);
      }
    });
  }

  async *#posts(): AsyncGenerator<string> {
    const { definition } = this.#described;
    const { db, actorNow } = this.#sources;
    let after = 0;
    let left: number = communityArchiveLimits.posts;
    while (left > 0) {
      const actor = await actorNow();
      if (!actor) throw new PorticoError('INVALID_AUTH_TOKEN');
      requireCommunityEditor(actor, definition.id);
      const rows = await pageOfPosts(db, actor, definition.id, after, Math.min(POSTS_AT_ONCE, left));
      if (rows.length === 0) return;
      after = rows.at(-1)!.number;
      left -= rows.length;
      const seen = await getDefinition({ ...this.#scope, db, actor }, definition.id);
      if (!seen) return;
      for (const posts of together(rows)) yield* this.#lines(posts, seen, actor);
    }
  }

  async *#lines(posts: readonly PostRow[], seen: CommunityDefinition, actor: Actor): AsyncGenerator<string> {
    const { db } = this.#sources;
    const ids = posts.map(({ id }) => id);
    const withComments = seesComments(actor, seen.community);
    const comments = withComments ? await commentsOf(db, ids, communityArchiveLimits.comments) : [];
    const files = (await filesOf(db, ids)).filter(({ commentId }) => commentId === null || withComments);
    const events = await eventsOf(db, ids, communityArchiveLimits.events + 1);
    for (const [, { length }] of Map.groupBy(events, ({ postId }) => postId))
      if (length > communityArchiveLimits.events) throw tooMany('events of one post', communityArchiveLimits.events);
    const keys = await this.#keysOf(posts, seen, actor);
    const [commentsOfPost, filesOfPost, eventsOfPost] = [comments, files, events].map((rows) =>
      Map.groupBy<number, { postId: number }>(rows, ({ postId }) => postId),
    ) as [Map<number, typeof comments>, Map<number, typeof files>, Map<number, typeof events>];
    const turns = new Turns();
    for (const post of posts) {
      if (turns.isOver) await turns.next();
      const parts = {
        post,
        comments: commentsOfPost.get(post.id) ?? [],
        files: filesOfPost.get(post.id) ?? [],
        events: eventsOfPost.get(post.id) ?? [],
      };
      for (const line of linesOf(describePost(parts, seen, keys))) {
        this.#postsBytes += Buffer.byteLength(line);
        if (this.#postsBytes > communityArchiveLimits.postsBytes)
          throw tooMany('bytes in texts', communityArchiveLimits.postsBytes);
        yield line;
        if (turns.isOver) await turns.next();
      }
    }
  }

  async #keysOf(posts: readonly PostRow[], seen: CommunityDefinition, actor: Actor): Promise<ArchiveKeys> {
    const { db } = this.#sources;
    const { ids, valueIds } = this.#described;
    const named = (kind: 'group' | 'post') => {
      const found = (fields: CommunityDefinition['fields'], data: (post: PostRow) => Record<string, unknown>) =>
        fields
          .filter((field) => fieldKindOf(field) === kind)
          .flatMap(({ id }) => posts.flatMap((post) => (data(post)[String(id)] ?? []) as number[]));
      return [
        ...found(seen.fields, ({ customData }) => customData),
        ...found(seen.workflow?.fields ?? [], ({ screenData }) => screenData),
      ];
    };
    const groups = await loadGroupViews(db, named('group'));
    const keysById = (of: ReadonlyMap<string, number>) => new Map([...of].map(([key, id]) => [id, key]));
    const fields = [...ids.fields, ...ids.screenFields].map(([key, { id }]) => [id, key] as const);
    const values = new Map<number, ReadonlyMap<number, string>>();
    return {
      person: (id) => this.#keyOfPerson(id),
      file: (storageKey) => this.#numberOfFile(storageKey),
      fields: new Map(fields),
      states: keysById(ids.states),
      transitions: keysById(ids.transitions),
      values: (field) => {
        const known = values.get(field.id) ?? keysById(valueIds(field));
        values.set(field.id, known);
        return known;
      },
      groups: new Map([...groups].map(([id, { name }]) => [id, name!])),
      numbers: await numbersOf(db, actor, seen.id, named('post')),
    };
  }

  #keyOfPerson(id: number): string {
    const known = this.#people.get(id);
    if (known !== undefined) return known;
    const key = `p${this.#people.size + 1}`;
    if (this.#people.size >= communityArchiveLimits.people) throw tooMany('people', communityArchiveLimits.people);
    this.#people.set(id, key);
    return key;
  }

  #numberOfFile(storageKey: string): number {
    if (this.#files.length >= communityArchiveLimits.files) throw tooMany('files', communityArchiveLimits.files);
    return this.#files.push(storageKey);
  }

  async *#persons(): AsyncGenerator<string> {
    const withUserNames = holds(this.#scope.actor, 'manageUsers');
    const all = [...this.#people];
    for (let at = 0; at < all.length; at += PEOPLE_AT_ONCE) {
      const batch = all.slice(at, at + PEOPLE_AT_ONCE);
      const rows = await peopleOf(
        this.#sources.db,
        batch.map(([id]) => id),
        withUserNames,
      );
      const byId = new Map(rows.map((row) => [row.id, row]));
      for (const [id, key] of batch) {
        const { firstName = '', lastName = '?', email = null, userName = null } = byId.get(id) ?? {};
        const person: ArchivedPerson = {
          key,
          firstName,
          lastName,
          ...(email !== null && { email }),
          ...(userName !== null && { userName }),
        };
        yield `${JSON.stringify(person)}\n`;
      }
    }
  }
}

/** The archive breaks off: its posts have more than it can hold. */
const tooMany = (what: string, most: number) =>
  new PorticoError('CONFLICT', { message: `The posts of the community have more than ${most} ${what}.` });

/** Parts of a page whose comments are read together. */
function* together(posts: readonly PostRow[]): Generator<PostRow[]> {
  let part: PostRow[] = [];
  let comments = 0;
  for (const post of posts) {
    if (part.length > 0 && comments + post.commentsCount > COMMENTS_AT_ONCE) {
      yield part;
      part = [];
      comments = 0;
    }
    part.push(post);
    comments += post.commentsCount;
  }
  yield part;
}

/** A file that the storage has lost is empty in the archive: the rest is still useful. */
async function openFile(storage: FileStorage, storageKey: string): Promise<Readable> {
  try {
    return await storage.open(storageKey);
  } catch (error) {
    if (error instanceof FileNotStoredError) return Readable.from([]);
    throw error;
  }
}
