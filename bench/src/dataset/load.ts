/**
 * Fills the tables: plans posts, writes their rows, and sets sequences and counters accordingly.
 */
import type pg from 'pg';
import { listOf, timeOf } from './copy-table.ts';
import { type CommunitySource, planPost } from './post-plan.ts';
import { PostWriter, Progress, type RememberedChange } from './post-rows.ts';
import { Tables } from './tables.ts';
import { END } from './timeline.ts';

/** Tables whose ids come from a sequence. */
const numbered = ['posts', 'comments', 'tasks', 'attachments', 'history_events', 'changes'] as const;
type Numbered = (typeof numbered)[number];

/** Posts between two checks that the server keeps up. */
const BATCH = 50;

/** The next ids of the sequences. */
export async function nextIds(owner: pg.Client): Promise<Record<Numbered, number>> {
  const ids = {} as Record<Numbered, number>;
  for (const table of numbered) {
    const { rows } = await owner.query<{ id: string }>(`SELECT nextval(pg_get_serial_sequence($1, 'id')) AS id`, [
      table,
    ]);
    ids[table] = Number(rows[0]!.id);
  }
  return ids;
}

/**
 * Writes all posts of some communities, in order.
 * @param first the result of {@link nextIds}
 * @param now time of the build: the stream's changes are moved to end here, since changes older
 *   than a month are forgotten
 * @returns rows by table
 */
export async function loadPosts(
  owner: pg.Client,
  connection: pg.ClientConfig,
  sources: readonly CommunitySource[],
  first: Readonly<Record<Numbered, number>>,
  now: number,
  log: (line: string) => void,
): Promise<Record<string, number>> {
  const tables = new Tables(connection);
  const progress = new Progress(first);
  let made = 0;
  const total = sources.reduce((sum, source) => sum + source.posts, 0);
  try {
    for (const source of sources) {
      const writer = new PostWriter(source, tables, progress);
      for (let index = 0; index < source.posts; index++) {
        writer.write(planPost(source, index));
        made += 1;
        if (made % BATCH === 0) await tables.send();
        if (made % 100_000 === 0) log(`  ${made} of ${total} posts`);
      }
    }
    const lastChange = await writeChanges(owner, tables, progress, first.changes, now);
    await tables.close();
    await goOn(owner, sources, progress, lastChange);
  } catch (error) {
    await tables.abandon();
    throw error;
  }
  return tables.rows;
}

/**
 * Writes the changes that the streams remember, numbered as by the sequencer.
 * @returns the next id
 */
async function writeChanges(owner: pg.Client, tables: Tables, progress: Progress, first: number, now: number) {
  // A transaction that has ended before any read: its number is lower than the number of every
  // later transaction.
  const { rows } = await owner.query<{ xid: string }>('SELECT pg_current_xact_id() AS xid');
  const xid = String(rows[0]!.xid);
  let id = first;
  for (const [tenantId, { total, remembered }] of progress.streams) {
    remembered.sort((a: RememberedChange, b: RememberedChange) => a.at - b.at || a.postId - b.postId);
    let seq = total - remembered.length;
    for (const { at, postId, communityId, kind, before } of remembered) {
      seq += 1;
      const acl = before
        ? {
            before_live: before.live,
            before_visibility: before.visibility,
            before_principals: listOf(before.principals),
          }
        : { before_live: null, before_visibility: null, before_principals: null };
      tables.add('changes', {
        tenant_id: tenantId,
        id: id++,
        xid,
        seq,
        at: timeOf(now - (END - at)),
        post_id: postId,
        community_id: communityId,
        kind,
        acl_changed: before !== undefined,
        ...acl,
      });
      if (seq % 1_000 === 0) await tables.send();
    }
    await owner.query('UPDATE stream_state SET last_seq = $2 WHERE tenant_id = $1', [tenantId, total]);
  }
  return id;
}

/** Sets sequences and counters after the written rows. */
async function goOn(
  owner: pg.Client,
  sources: readonly CommunitySource[],
  progress: Progress,
  nextChange: number,
): Promise<void> {
  const last = sources.at(-1)!;
  const next: Record<Numbered, number> = {
    posts: last.firstPostId + last.posts,
    comments: progress.commentId,
    tasks: progress.taskId,
    attachments: progress.attachmentId,
    history_events: progress.eventId,
    changes: nextChange,
  };
  for (const table of numbered)
    await owner.query(`SELECT setval(pg_get_serial_sequence($1, 'id'), $2, false)`, [table, next[table]]);
  for (const { tenantId, definition, posts } of sources)
    await owner.query('UPDATE community_counters SET last_custom_no = $3 WHERE tenant_id = $1 AND community_id = $2', [
      tenantId,
      definition.id,
      posts,
    ]);
}
