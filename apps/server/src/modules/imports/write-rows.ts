/** Writes rows as posts: new ones in batches, changed ones through the edit verb, unchanged ones not at all. */
import { type JsonValue, TextFormat } from '@portico/contract';
import { joining, loadActor, type WriteScope, writeTransaction } from '../../kernel/access/index.ts';
import { type FieldError, PorticoError, ValidationError } from '../../kernel/errors.ts';
import { type CommunityDefinition, getWholeDefinition } from '../communities/index.ts';
import { createPostComment } from '../post-parts/index.ts';
import {
  applyEdit,
  checkPosts,
  createPosts,
  moveToState,
  noteLastModification,
  openPost,
  type TrustedPost,
} from '../posts/index.ts';
import {
  type Assembled,
  assemble,
  columnOf,
  droppable,
  givenValue,
  type PostReferences,
  personId,
} from './assemble.ts';
import { type ImportRecord, readKnown, saveRecords } from './import-records.ts';
import type { PortalIds, Prepared } from './prepared.ts';
import type { Reporter } from './report.ts';
import { fingerprint, type RowData } from './rows.ts';
import { isInputError, reasonOf, runInBatches } from './run-in-batches.ts';
import { ValueProblem } from './source/errors.ts';

/** Maximum of rows written per transaction, over all tables (under 500). */
const ROWS_PER_TRANSACTION = 450;
/** Rows per post in all tables: post, search text, grants, states, history, change, record. */
const ROWS_PER_POST = 9;
const ROWS_PER_COMMENT = 7;

export interface Row {
  readonly line: number;
  readonly data: RowData;
}

/** References of a post that are written once the posts they name exist. */
export interface Pending {
  readonly line: number;
  readonly postId: number;
  readonly data: RowData;
  readonly references: PostReferences;
  readonly edited: boolean;
}

/** Progress of writing rows. */
export interface Progress {
  created: number;
  edited: number;
  unchanged: number;
  comments: number;
  readonly pending: Pending[];
  /** Posts by external id. */
  readonly postIds: Map<string, number>;
}

/** Context in which rows are written. */
export interface WriteJob extends Prepared {
  /** Name under which the import remembers its rows. */
  readonly source: string;
  readonly reporter: Reporter;
  /** Id of an import over the API; identifies the rows that it wrote before an interruption. */
  readonly importId?: number | undefined;
  /** References find only posts that the actor sees. */
  readonly onlyVisible: boolean;
}

export class RowWriter {
  readonly #job: WriteJob;
  readonly progress: Progress = {
    created: 0,
    edited: 0,
    unchanged: 0,
    comments: 0,
    pending: [],
    postIds: new Map(),
  };

  constructor(job: WriteJob) {
    this.#job = job;
  }

  /** Share of a transaction that a row needs; 1 is a whole transaction. */
  weight(row: Row): number {
    const indexed = this.#job.mapping.fields.filter((field) => field.searchable || field.sortable);
    let rows = ROWS_PER_POST + row.data.hashtags.length + 2 * row.data.watchers.length;
    rows += row.data.comments.length * ROWS_PER_COMMENT;
    for (const field of indexed) {
      const value = row.data.fields[field.key];
      rows += value === undefined || value.kind === 'plain' ? 1 : listLength(value);
    }
    return rows / ROWS_PER_TRANSACTION;
  }

  /** Writes rows. Reports invalid ones and writes the others. */
  async write(rows: readonly Row[]): Promise<void> {
    const known = await readKnown(
      this.#job.scope,
      this.#job.source,
      rows.map(externalIdOf),
      this.#referencesOf(rows),
      this.#job.onlyVisible,
    );
    for (const [externalId, id] of known.posts) this.progress.postIds.set(externalId, id);
    const fresh: Ready[] = [];
    for (const row of rows) {
      const record = known.records.get(row.data.externalId);
      if (record && record.fingerprint === fingerprint(row.data, this.#unresolvable(row.data))) {
        this.#count(record);
        this.progress.postIds.set(row.data.externalId, record.postId);
        for (const id of this.#unresolvable(row.data)) this.#reportUnresolved(row, id);
      } else if (record) {
        await this.#edit(row, record.postId, record);
      } else if (known.taken.has(row.data.externalId)) {
        await this.#adopt(row, known.taken.get(row.data.externalId)!);
      } else {
        const ready = this.#assemble(row);
        if (ready) fresh.push(ready);
      }
    }
    const drops = this.#job.mapping.fields.some(({ onError }) => onError === 'drop');
    const good = drops ? await this.#withoutFaults(fresh) : fresh;
    await runInBatches(
      good,
      Math.max(1, good.length),
      (batch) => this.#create(batch),
      ({ row }, reason) => this.#job.reporter.row(row.line, reason),
    );
  }

  /** Validates some rows as if they were written, and counts them. */
  async check(rows: readonly Row[]): Promise<void> {
    const { scope, source, onlyVisible } = this.#job;
    const known = await readKnown(scope, source, rows.map(externalIdOf), this.#referencesOf(rows), onlyVisible);
    for (const [externalId, id] of known.posts) this.progress.postIds.set(externalId, id);
    const fresh: Ready[] = [];
    for (const row of rows) {
      const record = known.records.get(row.data.externalId);
      const taken = known.taken.get(row.data.externalId);
      if (record && record.fingerprint === fingerprint(row.data, this.#unresolvable(row.data))) this.#count(record);
      else if (taken && this.#refuseTaken(row, taken)) continue;
      else {
        const ready = this.#assemble(row);
        if (ready && (record || taken)) this.progress.edited++;
        else if (ready) fresh.push(ready);
      }
    }
    for (const { row } of await this.#withoutFaults(fresh)) this.#tryComments(row);
  }

  /** Checks rows as they will be written. @returns the good ones in their order, without the values that the mapping drops */
  async #withoutFaults(rows: readonly Ready[]): Promise<Ready[]> {
    return writeTransaction(this.#job.scope, 'none', async (write) => {
      const definition = await definitionOf(write, this.#job.portalIds.communityId);
      const check = (some: readonly Ready[]) =>
        checkPosts(
          write,
          definition,
          some.map(({ post }) => post),
          { trusted: true },
        );
      const faults = await check(rows);
      const good: Ready[] = [];
      for (const [index, row] of rows.entries()) {
        let ready: Ready | undefined = row;
        let errors = faults[index]!;
        while (ready && errors.length > 0) {
          ready = this.#withoutFaulty(ready, errors);
          if (ready) errors = (await check([ready]))[0]!;
        }
        if (ready) good.push(ready);
      }
      return good;
    });
  }

  /** A row without the values that a write verb refuses, as its mapping wants; a row with other errors is refused. */
  #withoutFaulty(ready: Ready, errors: readonly FieldError[]): Ready | undefined {
    if (errors.length === 0) return undefined;
    const { mapping, portalIds, reporter } = this.#job;
    const { row, without } = ready;
    const keys = droppable(mapping, portalIds, errors);
    if (!keys || keys.every((key) => without.has(key))) {
      this.#refuse(row, errors);
      return undefined;
    }
    for (const error of errors) {
      const value = givenValue(mapping, portalIds, row.data, error);
      reporter.value(row.line, reasonOfError(error), columnOf(mapping, portalIds, error)!, value);
    }
    return this.#assemble(row, new Set([...without, ...keys]));
  }

  #tryComments({ data }: Row): void {
    this.progress.created++;
    this.progress.comments += data.comments.length;
  }

  #referencesOf(rows: readonly Row[]): string[] {
    return rows.flatMap(({ data }) =>
      Object.values(data.fields).flatMap((value) =>
        value.kind === 'posts' ? value.externalIds.filter((id) => !this.progress.postIds.has(id)) : [],
      ),
    );
  }

  /** External ids a row refers to that neither the file nor the portal has. */
  #unresolvable(data: RowData): string[] {
    return Object.values(data.fields).flatMap((value) =>
      value.kind === 'posts'
        ? value.externalIds.filter((id) => !this.#job.survey.lines.has(id) && !this.progress.postIds.has(id))
        : [],
    );
  }

  #reportUnresolved(row: Row, externalId: string): void {
    const field = this.#job.mapping.fields.find((one) => {
      const value = row.data.fields[one.key];
      return value?.kind === 'posts' && value.externalIds.includes(externalId);
    });
    this.#job.reporter.value(row.line, 'there is no post with this external id', field?.source.name ?? '', externalId);
  }

  #assemble(row: Row, without: ReadonlySet<string> = new Set()): Ready | undefined {
    const { mapping, portalIds, reporter } = this.#job;
    try {
      const assembled = assemble(mapping, portalIds, row.data, this.progress.postIds, without);
      // The row is assembled again when a write verb rejects values; these are reported once.
      if (without.size === 0)
        for (const { message, column, value } of assembled.dropped) reporter.value(row.line, message, column, value);
      // Decided at the same moment as the values: posts that other batches create afterwards are in neither.
      const waits = [...assembled.references.values()].some((ids) =>
        ids.some((id) => !this.progress.postIds.has(id) && this.#job.survey.lines.has(id)),
      );
      return { row, without, ...assembled, waits, unresolvable: this.#unresolvable(row.data) };
    } catch (error) {
      if (!(error instanceof ValueProblem)) throw error;
      reporter.row(row.line, error.message, error.column, error.value);
      return undefined;
    }
  }

  async #create(ready: readonly Ready[]): Promise<void> {
    const outcome = await writeTransaction(this.#job.scope, 'none', async (write) => {
      const definition = await definitionOf(write, this.#job.portalIds.communityId);
      const posts = ready.map(({ post }) => post);
      const outcomes = await createPosts(write, definition, posts, { trusted: true });
      const made = ready.flatMap((one, index) => {
        const { postId } = outcomes[index]!;
        return postId === undefined ? [] : [{ ...one, postId }];
      });
      await this.#noteModified(write, made);
      await saveRecords(
        write.tx,
        this.#job.source,
        made.map((one) => this.#record(one, one.postId, false)),
      );
      const comments = [];
      for (const { row, postId } of made) comments.push(...(await this.#comment(write, row, postId)));
      return { outcomes, made, comments };
    });
    for (const [index, { row }] of ready.entries()) this.#refuse(row, outcome.outcomes[index]!.errors ?? []);
    this.progress.created += outcome.made.length;
    for (const one of outcome.made) this.#done(one, one.postId, false);
    this.#tellComments(outcome.comments);
  }

  async #noteModified(write: WriteScope, made: readonly (Ready & { postId: number })[]) {
    const modified = made.flatMap(({ row: { data }, post, postId }) => {
      const at = data.modified;
      if (at === undefined) return [];
      const authorId = data.modifier
        ? personId(this.#job.portalIds, data.modifier, this.#job.mapping.modifier!.name.name)
        : (post.creatorId ?? write.actor.userId);
      return [{ postId, at, authorId }];
    });
    await noteLastModification(write, this.#job.portalIds.communityId, modified);
  }

  /** A post that existed before the import: its row replaces it. */
  async #adopt(row: Row, taken: TakenPost): Promise<void> {
    if (!this.#refuseTaken(row, taken)) await this.#edit(row, taken.postId);
  }

  /** Refuses a row whose post may not be replaced. @returns whether the row was refused */
  #refuseTaken(row: Row, { communityId, deleted }: TakenPost): boolean {
    const column = this.#job.mapping.externalId.name;
    if (communityId !== this.#job.portalIds.communityId) {
      const reason = 'a post of another community has this external id; a prefix keeps ids of several files apart';
      this.#job.reporter.row(row.line, reason, column, row.data.externalId);
      return true;
    }
    if (deleted) this.#job.reporter.row(row.line, 'its post was deleted in the portal', column, row.data.externalId);
    return deleted;
  }

  async #edit(row: Row, postId: number, before?: ImportRecord): Promise<void> {
    let ready = this.#assemble(row);
    while (ready) ready = await this.#editOnce(ready, postId, before);
  }

  /** @returns the row where it is to be written without some of its values */
  async #editOnce(ready: Ready, postId: number, before: ImportRecord | undefined): Promise<Ready | undefined> {
    const { row, post } = ready;
    // A row that this import began before an interruption keeps its value of `edited`.
    const edited = this.#isOwn(before) ? before.edited : true;
    try {
      const comments = await writeTransaction(this.#job.scope, 'none', async (write) => {
        const open = await openPost(write, postId, { need: 'canModify' });
        const by = await this.#editor(write, row.data, open.post.createdAt);
        await applyEdit(
          by,
          open,
          { kind: 'custom', body: editBody(post, this.#job.portalIds, open.post.customData) },
          { trusted: true },
        );
        if (post.stateId !== undefined) await moveToState(by, open.definition, postId, post.stateId);
        await saveRecords(write.tx, this.#job.source, [this.#record(ready, postId, edited)]);
        return this.#comment(write, row, postId);
      });
      this.progress[edited ? 'edited' : 'created']++;
      this.#done(ready, postId, edited);
      this.#tellComments(comments);
    } catch (error) {
      if (!isInputError(error)) throw error;
      if (error instanceof ValidationError) return this.#withoutFaulty(ready, error.errors);
      this.#refuseEdit(row, error);
    }
    return undefined;
  }

  #refuse(row: Row, errors: readonly FieldError[]): void {
    const { mapping, portalIds, reporter } = this.#job;
    for (const error of errors) {
      reporter.row(
        row.line,
        reasonOfError(error),
        columnOf(mapping, portalIds, error),
        givenValue(mapping, portalIds, row.data, error),
      );
    }
  }

  #refuseEdit(row: Row, error: unknown): void {
    const gone = error instanceof PorticoError && error.code === 'NOT_FOUND';
    const reason = gone ? 'its post was deleted in the portal, or cannot be edited there' : reasonOf(error);
    this.#job.reporter.row(row.line, reason, this.#job.mapping.externalId.name, row.data.externalId);
  }

  /** Author and time of an edit: from the row, else the import account and the current time. */
  async #editor(write: WriteScope, data: RowData, createdAt: number): Promise<WriteScope> {
    const userId = data.modifier && personId(this.#job.portalIds, data.modifier, this.#job.mapping.modifier!.name.name);
    const actor = userId === undefined ? write.actor : ((await loadActor(write.tx, userId)) ?? write.actor);
    return { ...write, actor, now: Math.max(data.modified ?? write.now, createdAt) };
  }

  #record({ row: { data }, waits, unresolvable }: Ready, postId: number, edited: boolean): ImportRecord {
    // Unfinished references leave no fingerprint, so that an interrupted import resumes with them.
    return {
      externalId: data.externalId,
      postId,
      fingerprint: waits ? '' : fingerprint(data, unresolvable),
      importId: this.#job.importId ?? null,
      edited,
    };
  }

  /** Returns whether this import wrote a row itself, before it was interrupted. */
  #isOwn(record: ImportRecord | undefined): record is ImportRecord {
    return record !== undefined && record.importId !== null && record.importId === this.#job.importId;
  }

  /** Counts a row whose post already has the values of the row. */
  #count(record: ImportRecord): void {
    if (!this.#isOwn(record)) this.progress.unchanged++;
    else this.progress[record.edited ? 'edited' : 'created']++;
  }

  #done({ row, references, waits, unresolvable }: Ready, postId: number, edited: boolean): void {
    if (waits) this.progress.pending.push({ ...row, references, postId, edited });
    this.progress.postIds.set(row.data.externalId, postId);
    for (const id of unresolvable) this.#reportUnresolved(row, id);
  }

  /** Adds the comments of a row, each as its author; finds existing comments by their clientUid. */
  async #comment(write: WriteScope, row: Row, postId: number): Promise<CommentOutcome[]> {
    const outcomes: CommentOutcome[] = [];
    for (const { author, at, text, clientUid } of row.data.comments) {
      try {
        const id = author && personId(this.#job.portalIds, author, 'comments');
        const actor = id === undefined ? write.actor : await loadActor(write.tx, id);
        if (!actor) throw new ValueProblem('comments', author?.name, 'its author is blocked or deleted');
        const clock = { now: () => at ?? row.data.created ?? write.now };
        await createPostComment({ ...joining(write), actor, clock }, postId, {
          comment: text,
          commentFormat: TextFormat.DELTA,
          clientUid,
        });
        outcomes.push({ row });
      } catch (error) {
        if (!(error instanceof ValueProblem) && !isInputError(error)) throw error;
        outcomes.push({ row, reason: reasonOf(error), value: author?.name });
      }
    }
    return outcomes;
  }

  #tellComments(outcomes: readonly CommentOutcome[]): void {
    for (const { row, reason, value } of outcomes) {
      if (reason === undefined) this.progress.comments++;
      else this.#job.reporter.value(row.line, `a comment could not be added: ${reason}`, 'comments', value);
    }
  }
}

/** An error of one field in words. */
const reasonOfError = (error: FieldError) => error.defaultMessage ?? reasonOf(new PorticoError(error.code));

/** Row whose values have ids of the portal. */
interface Ready extends Assembled {
  readonly row: Row;
  /** Keys of omitted fields. */
  readonly without: ReadonlySet<string>;
  /** Whether posts that it refers to are in the file and not created yet. */
  readonly waits: boolean;
  /** External ids it refers to that neither the file nor the portal has. */
  readonly unresolvable: readonly string[];
}

/** A post that has the external id of a row. */
interface TakenPost {
  readonly postId: number;
  readonly communityId: number;
  readonly deleted: boolean;
}

interface CommentOutcome {
  readonly row: Row;
  readonly reason?: string;
  readonly value?: string | undefined;
}

const externalIdOf = (row: Row) => row.data.externalId;

function listLength(value: Exclude<RowData['fields'][string], { kind: 'plain' }>): number {
  if (value.kind === 'labels') return value.labels.length;
  if (value.kind === 'groups') return value.names.length;
  return value.kind === 'people' ? value.people.length : value.externalIds.length;
}

/** The definition of the community that was prepared. */
export async function definitionOf(write: WriteScope, communityId: number): Promise<CommunityDefinition> {
  const definition = await getWholeDefinition(write, communityId);
  if (!definition) throw new Error(`community ${communityId} was prepared and is not there`);
  return definition;
}

/** The new content of a post: that of the row, and the present values of fields that the mapping does not name. */
function editBody(post: TrustedPost, portalIds: PortalIds, stored: Readonly<Record<string, unknown>>) {
  const mapped = new Set([...portalIds.fieldIds.values()].map(String));
  const kept = Object.entries(stored).filter(([id]) => !mapped.has(id));
  return {
    title: post.title ?? '',
    description: post.description ?? '',
    descriptionFormat: TextFormat.DELTA,
    customData: { ...Object.fromEntries(kept), ...post.customData } as Record<string, JsonValue>,
    visibility: post.visibility,
    draft: post.draft,
    addWatcherUserIds: post.watcherUserIds ? [...post.watcherUserIds] : undefined,
  };
}
