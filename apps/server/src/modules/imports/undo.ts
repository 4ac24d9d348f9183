/**
 * Reverts an import: removes the posts, people and parts of the definition that it created and
 * nobody has used since.
 */
import { holds, writeTransaction } from '../../kernel/access/index.ts';
import { PorticoError } from '../../kernel/errors.ts';
import type { Scope } from '../../kernel/scope.ts';
import { retireParts } from '../communities/index.ts';
import { deleteUnusedPeople } from '../people/index.ts';
import { deletePost } from '../posts/index.ts';
import { forgetFile, forgetRows, readMade, readWritten, type WrittenPost } from './made.repository.ts';
import type { Refusal } from './report.ts';
import type { Mapping } from './source/mapping-types.ts';

/** Posts that one transaction deletes. */
const POSTS_AT_ONCE = 40;

/** Import to revert. */
interface UndoWork {
  /** Id of the reverted import. */
  readonly importId: number;
  readonly communityId: number;
  /** Time of its end, epoch milliseconds. */
  readonly endedAt: number;
  /** Absent for an archive. */
  readonly mapping?: Mapping | undefined;
  /** Name under which it remembered its rows. */
  readonly source: string;
  /** Maximum of kept objects in the list. */
  readonly mostKept: number;
  /** Called before each batch of posts. When it returns false, the undo stops. */
  readonly goesOn: (posts: number) => Promise<boolean>;
}

/** Removed and kept objects of an undo. */
interface UndoReport {
  posts: number;
  people: number;
  fields: number;
  values: number;
  states: number;
  /** Everything that stays, with its reason; `kept` also counts objects that are not listed. */
  kept: number;
  refusals: Refusal[];
  stopped: boolean;
}

/**
 * Takes an import back.
 * @param trial whether all of it is rolled back, so that the report is a preview
 */
export async function undoRows(scope: Scope, work: UndoWork, trial: boolean): Promise<UndoReport> {
  const run = async (within: Scope) => new Undo(within, work).run();
  return trial ? scope.db.transaction((tx) => run({ ...scope, db: tx }), { rollback: true }) : run(scope);
}

class Undo {
  readonly #scope: Scope;
  readonly #work: UndoWork;
  readonly #report: UndoReport = {
    posts: 0,
    people: 0,
    fields: 0,
    values: 0,
    states: 0,
    kept: 0,
    refusals: [],
    stopped: false,
  };

  constructor(scope: Scope, work: UndoWork) {
    this.#scope = scope;
    this.#work = work;
  }

  async run(): Promise<UndoReport> {
    const report = this.#report;
    await this.#removePosts();
    if (report.stopped) return report;
    const made = await readMade(this.#db, this.#work.importId);
    const parts = { fields: made.field, values: made.value, states: made.state };
    if (Object.values(parts).some((ids) => ids.length > 0)) {
      const { retired, kept } = await retireParts(this.#scope, this.#work.communityId, parts);
      Object.assign(report, retired);
      for (const { kind, name, reason } of kept) this.#keep(kind, name, reason);
    }
    await this.#removePeople(made.person);
    return report;
  }

  get #db() {
    return this.#scope.db;
  }

  async #removePosts(): Promise<void> {
    const { importId, endedAt, mapping, source } = this.#work;
    let after = 0;
    for (;;) {
      if (!(await this.#work.goesOn(this.#report.posts))) {
        this.#report.stopped = true;
        return;
      }
      const written = await readWritten(this.#db, importId, endedAt, after, POSTS_AT_ONCE);
      if (written.length === 0) break;
      after = written.at(-1)!.postId;
      for (const post of written) await this.#removePost(post);
    }
    const { line, prefix = '', suffix = '' } = mapping?.externalId ?? {};
    if (line) await writeTransaction(this.#scope, 'none', ({ tx }) => forgetFile(tx, source, prefix, suffix));
  }

  async #removePost({ postId, title, externalId, edited, deleted, touched }: WrittenPost): Promise<void> {
    const name = title ?? externalId;
    if (edited) this.#keep('post', name, 'it was there before, and the import edited it');
    else if (touched && !deleted) this.#keep('post', name, 'something happened to it after the import');
    else {
      try {
        await writeTransaction(this.#scope, 'none', async ({ tx }) => {
          if (!deleted) await deletePost({ ...this.#scope, db: tx }, postId, { unnamed: true });
          await forgetRows(tx, this.#work.importId, [postId]);
        });
        if (!deleted) this.#report.posts++;
      } catch (error) {
        if (!(error instanceof PorticoError) || error.status >= 500) throw error;
        this.#keep('post', name, error.message);
      }
    }
  }

  async #removePeople(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    if (!holds(this.#scope.actor, 'manageUsers')) {
      this.#keep('person', `${ids.length} people`, 'only holders of the right manageUsers delete people');
      return;
    }
    const { deleted, kept } = await deleteUnusedPeople(this.#scope, ids);
    this.#report.people = deleted;
    for (const { name, reason } of kept) this.#keep('person', name, reason);
  }

  #keep(column: string, value: string, reason: string): void {
    this.#report.kept++;
    if (this.#report.refusals.length >= this.#work.mostKept) return;
    this.#report.refusals.push({
      line: 0,
      file: 'rows',
      column,
      value: value.slice(0, 80).toWellFormed(),
      reason,
      lost: 'row',
    });
  }
}
