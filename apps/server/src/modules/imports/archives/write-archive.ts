/**
 * Writes the posts of an archive into its new community, in transactions of some hundred rows; an
 * interrupted import goes on after its last transaction.
 */
import { AttachmentEntityType } from '@portico/contract';
import { type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { type FieldError, FieldErrors, PorticoError } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import type { CommunityDefinition } from '../../communities/index.ts';
import { type DescribedCommunity, describeWhole } from '../../definitions/index.ts';
import { applyFiles, planFiles, storeFile } from '../../files/index.ts';
import { createUserRecords } from '../../people/index.ts';
import { addPastComments } from '../../post-parts/index.ts';
import {
  checkPosts,
  completeReferences,
  createPosts,
  noteLastModification,
  writeScreenData,
} from '../../posts/index.ts';
import { recordHistory } from '../../records/index.ts';
import type { ArchiveWork } from '../archive-work.ts';
import { findGroups, groupKey } from '../groups.ts';
import { readKnown, saveRecords } from '../import-records.ts';
import { addArchivedPeople } from '../imports.repository.ts';
import { noteMade } from '../made.repository.ts';
import { type ImportReport, Reporter } from '../report.ts';
import { runInBatches } from '../run-in-batches.ts';
import { definitionOf, type Progress } from '../write-rows.ts';
import { fieldKindOf } from './archived-fields.ts';
import { ARCHIVED_TYPES } from './archived-rows.repository.ts';
import type { LineFacts } from './check-lines.ts';
import type { ArchivedPost } from './format.ts';
import { type CommunityArchive, openCommunityArchive } from './open-archive.ts';
import { type PostLine, postsIn } from './post-lines.ts';
import { type ArchiveIds, type LeftOut, type ReadyPost, readArchived } from './read-archived.ts';
import { factsOf, surveyArchive } from './survey-archive.ts';

/** Most rows that one transaction writes over all tables, and rows of a post and of its parts. */
const ROWS_AT_ONCE = 450;
const ROWS = { post: 12, comment: 3, event: 1, file: 4, value: 1 } as const;
/** Most people that one transaction creates, and posts whose references it writes. */
const PEOPLE_AT_ONCE = 150;
const REFERENCES_AT_ONCE = 40;
/** Most characters of a name. */
const MOST_NAME = 100;

/** Imports the posts of an archive; see {@link ImportArchive}. */
export async function importArchive(scope: Scope, work: ArchiveWork): Promise<ImportReport | undefined> {
  const started = performance.now();
  const archive = await openCommunityArchive(scope.db, work.storage, work.row.contentRef);
  if (!archive) return undefined;
  try {
    const report = await new ArchiveImport(scope, { ...work, archive }).run();
    return { ...report, seconds: (performance.now() - started) / 1000 };
  } finally {
    archive.close();
  }
}

/** The work with the archive that was opened for it. */
type OpenWork = ArchiveWork & { readonly archive: CommunityArchive };

class ArchiveImport {
  readonly #scope: Scope;
  readonly #work: OpenWork;
  readonly #reporter: Reporter;
  readonly #source: string;
  readonly #progress: Progress = {
    created: 0,
    edited: 0,
    unchanged: 0,
    comments: 0,
    pending: [],
    postIds: new Map(),
  };
  readonly #people = new Map<string, number>();
  #described!: DescribedCommunity;
  #facts!: LineFacts;
  #madePeople = 0;
  #events = 0;
  #posts = 0;
  #done = 0;
  #stopped = false;

  constructor(scope: Scope, work: OpenWork) {
    this.#scope = scope;
    this.#work = work;
    this.#reporter = new Reporter(work.mostRefusals);
    this.#source = `archive ${work.row.id}`;
  }

  async run(): Promise<ImportReport> {
    try {
      await this.#write();
    } catch (error) {
      this.#work.onFailure(this.#report());
      throw error;
    }
    return this.#report();
  }

  #report(): ImportReport {
    const { created, comments } = this.#progress;
    return {
      dryRun: false,
      ...(this.#stopped && { stopped: true }),
      rows: this.#posts,
      created,
      edited: 0,
      unchanged: 0,
      refused: this.#reporter.refusedRows,
      comments,
      changes: { read: this.#events, written: this.#events, known: 0 },
      made: {
        workspaces: 0,
        communities: 0,
        people: this.#madePeople,
        catalogs: 0,
        entries: 0,
        fields: 0,
        states: 0,
        hashtags: 0,
      },
      refusals: this.#reporter.sorted(),
      notes: [...this.#reporter.notes],
      seconds: 0,
    };
  }

  async #write(): Promise<void> {
    const { archive, row, onProgress } = this.#work;
    onProgress('reading');
    const survey = await surveyArchive(archive, row.createdAt);
    this.#posts = survey.posts;
    this.#facts = factsOf(archive, survey.people, row.createdAt);
    onProgress('preparing');
    const described = await describeWhole(this.#scope, this.#scope.db, row.communityId);
    if (!described) throw new PorticoError('NOT_FOUND');
    this.#described = described;
    await this.#makePeople(survey.people);
    onProgress('writing');
    for await (const batch of this.#batches()) {
      if (!(await this.#goesOn())) return;
      await this.#writeBatch(batch);
    }
    onProgress('references');
    await this.#writeReferences();
  }

  async #goesOn(): Promise<boolean> {
    this.#stopped = !(await this.#work.goesOn(this.#progress, this.#done, this.#posts));
    return !this.#stopped;
  }

  /** Creates the people who are nobody here. An interrupted import knows those whom it has made. */
  async #makePeople(people: readonly { key: string; firstName: string; lastName: string }[]): Promise<void> {
    const { row } = this.#work;
    for (const [key, id] of Object.entries(row.archivedPeople ?? {})) this.#people.set(key, id);
    const missing = people.filter(({ key }) => !this.#people.has(key));
    for (let at = 0; at < missing.length; at += PEOPLE_AT_ONCE) {
      const batch = missing.slice(at, at + PEOPLE_AT_ONCE);
      const ids = await writeTransaction(this.#scope, 'none', async (write) => {
        const made = await createUserRecords(
          write,
          batch.map(({ firstName, lastName }) => ({
            firstName: nameOf(firstName),
            lastName: nameOf(lastName) || nameOf(firstName) || '?',
            visibleInPeopleSection: false,
            emailNotifications: false,
            imported: true,
          })),
        );
        await noteMade(write.tx, row.id, 'person', made);
        await addArchivedPeople(
          write.tx,
          row.id,
          Object.fromEntries(batch.map(({ key }, place) => [key, made[place]!])),
        );
        return made;
      });
      for (const [place, { key }] of batch.entries()) this.#people.set(key, ids[place]!);
    }
    this.#madePeople = people.length - Object.keys(row.archivedPeople ?? {}).length;
  }

  /** Posts that a transaction writes together. */
  async *#batches(): AsyncGenerator<PostLine[]> {
    let batch: PostLine[] = [];
    let rows = 0;
    for await (const { line, post } of postsIn(this.#work.archive, this.#facts)) {
      const weight = weightOf(post);
      if (batch.length > 0 && rows + weight > ROWS_AT_ONCE) {
        yield batch;
        batch = [];
        rows = 0;
      }
      batch.push({ line, post });
      rows += weight;
    }
    if (batch.length > 0) yield batch;
  }

  async #writeBatch(batch: readonly PostLine[]): Promise<void> {
    const keys = batch.map(({ post }) => String(post.number));
    const { records } = await readKnown(this.#scope, this.#source, keys, [], false);
    const fresh = batch.filter(({ post }) => !records.has(String(post.number)));
    for (const { post } of batch) if (records.has(String(post.number))) this.#count(post, post.comments?.length ?? 0);
    const ids: ArchiveIds = {
      described: this.#described,
      people: this.#people,
      groups: await this.#groupsOf(fresh),
      uploads: await this.#storeFiles(fresh),
      importedAt: this.#work.row.createdAt,
    };
    await runInBatches(
      fresh,
      Math.max(1, fresh.length),
      (some) => this.#create(some, ids),
      ({ line }, reason) => this.#reporter.row(line, reason),
    );
    this.#done += batch.length;
  }

  #count(post: ArchivedPost, comments: number): void {
    this.#progress.created += 1;
    this.#progress.comments += comments;
    this.#events += post.history?.length ?? 0;
  }

  async #groupsOf(lines: readonly PostLine[]): Promise<Map<string, number | string>> {
    const { fields, screenFields } = this.#described.ids;
    const named = new Map<string, string>();
    const add = (values: ArchivedPost['values'] = {}, known: typeof fields) => {
      for (const [key, value] of Object.entries(values)) {
        const field = known.get(key);
        if (!field || fieldKindOf(field) !== 'group' || !Array.isArray(value)) continue;
        for (const name of value) named.set(groupKey(String(name)), String(name));
      }
    };
    for (const { post } of lines) {
      add(post.values, fields);
      add(post.screenValues, screenFields);
    }
    return new Map(await findGroups(this.#scope, named));
  }

  /** Stores the files of posts as uploads of the importer. */
  async #storeFiles(lines: readonly PostLine[]): Promise<Map<number, string>> {
    const uploads = new Map<number, string>();
    for (const { post } of lines)
      for (const { file } of [...(post.files ?? []), ...(post.comments ?? []).flatMap(({ files = [] }) => files)]) {
        const { contentRef } = await storeFile(
          this.#scope,
          this.#work.storage,
          (await this.#work.archive.file(file)) as AsyncIterable<Uint8Array>,
        );
        uploads.set(file, contentRef);
      }
    return uploads;
  }

  async #create(lines: readonly PostLine[], ids: ArchiveIds): Promise<void> {
    const { row } = this.#work;
    const outcomes = await writeTransaction(this.#scope, 'none', async (plain) => {
      const write = { ...plain, silent: true };
      const definition = await definitionOf(write, row.communityId);
      const ready = await this.#ready(write, definition, lines, ids);
      const made = await createPosts(
        write,
        definition,
        ready.map(({ post }) => post),
        { trusted: true },
      );
      const written: { line: PostLine; ready: ReadyPost; postId: number; leftOut: LeftOut[] }[] = [];
      for (const [index, { postId }] of made.entries()) {
        const [line, one] = [lines[index]!, ready[index]!];
        if (postId === undefined) continue;
        written.push({ line, ready: one, postId, leftOut: await this.#addParts(write, definition, line, one, postId) });
      }
      await noteLastModification(
        write,
        row.communityId,
        written.map(({ line: { post }, postId }) => ({
          postId,
          at: post.modifiedAt,
          authorId: this.#people.get(post.modifiedBy)!,
        })),
      );
      await saveRecords(
        write.tx,
        this.#source,
        written.map(({ line: { post }, postId }) => ({
          externalId: String(post.number),
          postId,
          fingerprint: 'archive',
          importId: row.id,
          edited: false,
        })),
      );
      return { made, written };
    });
    for (const [index, { errors = [] }] of outcomes.made.entries())
      for (const error of errors) this.#reporter.row(lines[index]!.line, reasonOf(error), error.field);
    for (const { line, ready, leftOut } of outcomes.written) {
      for (const { column, value, reason } of [...ready.leftOut, ...leftOut])
        this.#reporter.value(line.line, reason, column, value);
      this.#count(line.post, ready.comments.length - leftOut.filter(({ column }) => column === 'comments').length);
    }
  }

  /** Posts as verbs take them, without the values that a check refuses. */
  async #ready(
    write: WriteScope,
    definition: CommunityDefinition,
    lines: readonly PostLine[],
    ids: ArchiveIds,
  ): Promise<ReadyPost[]> {
    const read = (post: ArchivedPost, without: ReadonlySet<string> = new Set()) =>
      readArchived(post, `${this.#source} ${post.number}`, ids, without);
    const ready = lines.map(({ post }) => read(post));
    const faults = await checkPosts(
      write,
      definition,
      ready.map(({ post }) => post),
      { trusted: true },
    );
    return ready.map((one, index) => {
      const found = faults[index]!.flatMap((error) => {
        const id = /^customData\.(\d+)/.exec(error.field)?.[1];
        return id === undefined ? [] : [{ id, error }];
      });
      if (found.length === 0) return one;
      const again = read(lines[index]!.post, new Set(found.map(({ id }) => id)));
      const leftOut = found.map(({ id, error }) => ({ column: this.#keyOf(id), reason: reasonOf(error) }));
      return { ...again, leftOut: [...again.leftOut, ...leftOut] };
    });
  }

  #keyOf(id: string): string {
    const { fields, screenFields } = this.#described.ids;
    return [...fields, ...screenFields].find(([, field]) => String(field.id) === id)?.[0] ?? id;
  }

  /** Adds files, values of screens, comments and history. @returns what was left out of them */
  async #addParts(
    write: WriteScope,
    definition: CommunityDefinition,
    { post }: PostLine,
    ready: ReadyPost,
    postId: number,
  ): Promise<LeftOut[]> {
    const leftOut: LeftOut[] = [];
    if (ready.attachments.length > 0) {
      const errors = new FieldErrors();
      const target = { communityId: definition.id, postId, entityType: AttachmentEntityType.POST };
      const files = await planFiles(
        write,
        target,
        { add: ready.attachments },
        definition.community,
        { add: 'files' },
        errors,
      );
      const author = { ...write, actor: { ...write.actor, userId: ready.post.creatorId! }, now: post.at };
      await applyFiles(author, files, { postId });
      for (const error of errors.list) leftOut.push({ column: 'files', reason: reasonOf(error) });
    }
    if (Object.keys(ready.screenData).length > 0) {
      const data: Record<string, unknown> = { ...ready.screenData };
      let errors = await writeScreenData(write, definition, postId, data);
      for (const error of errors) {
        const id = /^screenData\.(\d+)/.exec(error.field)?.[1] ?? '';
        delete data[id];
        leftOut.push({ column: this.#keyOf(id), reason: reasonOf(error) });
      }
      if (errors.length > 0 && Object.keys(data).length > 0)
        errors = await writeScreenData(write, definition, postId, data);
    }
    const faults = await addPastComments(write, definition, postId, ready.comments);
    for (const error of faults.flat()) leftOut.push({ column: 'comments', reason: reasonOf(error) });
    const { transitions } = this.#described.ids;
    await recordHistory(
      write,
      (post.history ?? []).map(({ kind, by, at, transition, titleBefore, titleAfter, notes, parts }) => {
        const transitionId = transition === undefined ? undefined : transitions.get(transition);
        return {
          typeId: ARCHIVED_TYPES[kind],
          postId,
          communityId: definition.id,
          at,
          authorId: this.#people.get(by)!,
          ...(transitionId !== undefined && { transitionId }),
          details: {
            ...(titleBefore !== undefined && { titleBefore }),
            ...(titleAfter !== undefined && { titleAfter }),
            ...(notes !== undefined && { notes }),
            ...(parts && { changedParts: [...parts] }),
          },
        };
      }),
    );
    return leftOut;
  }

  /** Writes the fields that name posts, once all posts are there. */
  async #writeReferences(): Promise<void> {
    const { archive } = this.#work;
    const fields = new Map([...this.#described.ids.fields].filter(([, field]) => fieldKindOf(field) === 'post'));
    if (fields.size === 0) return;
    let batch: PostLine[] = [];
    for await (const { line, post } of postsIn(archive, this.#facts)) {
      if (!Object.keys(post.values ?? {}).some((key) => fields.has(key))) continue;
      batch.push({ line, post });
      if (batch.length < REFERENCES_AT_ONCE) continue;
      if (!(await this.#goesOn())) return;
      await this.#complete(batch, fields);
      batch = [];
    }
    await this.#complete(batch, fields);
  }

  async #complete(lines: readonly PostLine[], fields: DescribedCommunity['ids']['fields']): Promise<void> {
    if (lines.length === 0) return;
    const wanted = lines.map(({ line, post }) => ({
      line,
      number: post.number,
      values: [...fields].flatMap(([key, field]) => {
        const numbers = post.values?.[key];
        return Array.isArray(numbers) ? [{ key, fieldId: field.id, numbers: numbers.map(String) }] : [];
      }),
    }));
    const keys = wanted.flatMap(({ number, values }) => [String(number), ...values.flatMap(({ numbers }) => numbers)]);
    const { records } = await readKnown(this.#scope, this.#source, [...new Set(keys)], [], false);
    await writeTransaction(this.#scope, 'none', async (write) => {
      const definition = await definitionOf(write, this.#work.row.communityId);
      for (const { number, values } of wanted) {
        const postId = records.get(String(number))?.postId;
        const ids = values.map(({ fieldId, numbers }) => {
          const named = numbers.flatMap((one) => records.get(one)?.postId ?? []);
          return [fieldId, [...new Set(named)]] as const;
        });
        const filled = ids.filter(([, found]) => found.length > 0);
        if (postId !== undefined && filled.length > 0)
          await completeReferences(write, definition, postId, new Map(filled));
      }
    });
    for (const { line, values } of wanted)
      for (const { key, numbers } of values)
        for (const one of numbers)
          if (!records.has(one)) this.#reporter.value(line, 'no post of the archive has this number', key, one);
  }
}

const nameOf = (name: string) => name.trim().slice(0, MOST_NAME).toWellFormed();

/** An error of one field in words. */
const reasonOf = (error: FieldError) => error.defaultMessage ?? new PorticoError(error.code).message;

function weightOf({ comments = [], history = [], files = [], values = {} }: ArchivedPost): number {
  const all = files.length + comments.reduce((sum, one) => sum + (one.files?.length ?? 0), 0);
  return (
    ROWS.post +
    comments.length * ROWS.comment +
    history.length * ROWS.event +
    all * ROWS.file +
    Object.keys(values).length * ROWS.value
  );
}
