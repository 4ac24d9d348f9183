/** The file of changes, written into the histories of the posts it is about. */
import { writeTransaction } from '../../kernel/access/index.ts';
import { recordPastChanges } from '../posts/index.ts';
import { claimRecords } from './import-records.ts';
import { personKey } from './mapping/values.ts';
import type { ChangeData } from './scan.ts';
import type { WriteJob } from './write-rows.ts';

/** Changes of one transaction: each is an event, a record, the state of a user, and most share a post. */
const CHANGES_AT_ONCE = 120;

interface ChangesResult {
  written: number;
  known: number;
}

interface ReadyChange {
  readonly change: ChangeData;
  readonly postId: number;
  readonly authorId: number;
}

/**
 * Writes changes in small transactions, one after the other; skips changes that an earlier import
 * wrote.
 */
export class ChangeWriter {
  readonly #job: WriteJob;
  readonly #postIds: ReadonlyMap<string, number>;
  #batch: ReadyChange[] = [];
  readonly result: ChangesResult = { written: 0, known: 0 };

  constructor(job: WriteJob, postIds: ReadonlyMap<string, number>) {
    this.#job = job;
    this.#postIds = postIds;
  }

  async add(line: number, change: ChangeData): Promise<void> {
    const postId = this.#postIds.get(change.externalId);
    if (postId === undefined) {
      this.#job.reporter.change(line, 'there is no post with this external id', 'externalId', change.externalId);
      return;
    }
    const author = change.author && this.#job.portalIds.people.get(personKey(change.author));
    if (change.author && author === undefined) {
      this.#job.reporter.change(
        line,
        'its author could not be made',
        'author',
        change.author.email ?? change.author.name,
      );
      return;
    }
    this.#batch.push({ change, postId, authorId: author ?? this.#job.scope.actor.userId });
    if (this.#batch.length >= CHANGES_AT_ONCE) await this.flush();
  }

  async flush(): Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
    if (batch.length === 0) return;
    const fresh = await writeTransaction(this.#job.scope, 'none', async (write) => {
      const records = batch.flatMap(({ change, postId }) => [
        { externalId: change.key, postId },
        // Once the history of a post has its creation, an earlier change from a later file is treated like any other.
        ...(this.#isFirst(change) ? [{ externalId: firstKey(change), postId }] : []),
      ]);
      const claimed = await claimRecords(write.tx, `${this.#job.source}#changes`, records);
      const ready = batch.filter(({ change }) => claimed.has(change.key));
      await recordPastChanges(
        write,
        this.#job.portalIds.communityId,
        ready.map(({ change, postId, authorId }) => ({
          postId,
          authorId,
          at: change.at,
          first: this.#isFirst(change) && claimed.has(firstKey(change)),
          notes: change.note,
        })),
      );
      return ready.length;
    });
    this.result.written += fresh;
    this.result.known += batch.length - fresh;
  }

  #isFirst(change: ChangeData): boolean {
    return this.#job.survey.firstChanges.get(change.externalId)?.key === change.key;
  }
}

const firstKey = (change: ChangeData) => `${change.externalId}\tfirst`;
