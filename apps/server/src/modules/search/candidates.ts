/** Finds the newest matching entries in a bounded number of rows (docs/adr/0025-search.md). */
import { searchLimits } from '@portico/contract';
import { Parameters, seesComments, visiblePostSql } from '../../kernel/access/index.ts';
import type { Scope } from '../../kernel/scope.ts';
import type { CommunityDefinition } from '../communities/index.ts';
import type { EntryKind } from './entries.repository.ts';
import type { Restrictions } from './restrictions.ts';

/** A matching entry that the caller sees. */
export interface Candidate {
  kind: EntryKind;
  id: number;
  postId: number;
  communityId: number;
  authorId: number;
  /** Epoch milliseconds. */
  at: number;
  stateId: number | null;
  /** How close and how often the words are, by their weights. */
  rank: number;
  /** Whether the title has all words. */
  titled: boolean;
  /** Whether it has the common words of the query too, and the last word as it is. */
  whole: boolean;
  /** Whether the caller has read, changed or commented on the post. */
  used: boolean;
  /** Groups of the query that it has, and that its title has, as bits: of a search for some of the words. */
  groups: number;
  titleGroups: number;
}

/** Conditions on the words of an entry, as `tsquery`. */
interface WordConditions {
  /** The words that it must have. */
  readonly words: string;
  /** Words of which a text of the entry itself has one; undefined if all words are excluded ones. */
  readonly own: string | undefined;
  /** The same words, all in its title. */
  readonly title: string | undefined;
  /** All words of the query, whole; undefined if `words` say the same. */
  readonly whole?: string | undefined;
  /** Groups of words of which one entry need not have all; in titles. */
  readonly groups?: readonly string[];
  readonly titleGroups?: readonly string[];
}

/** Description of a search for entries. */
export interface Search {
  /** undefined: only restrictions apply. */
  readonly conditions: WordConditions | undefined;
  readonly restrictions: Restrictions;
  /** undefined: all. */
  readonly kinds: readonly EntryKind[] | undefined;
  readonly definitions: readonly CommunityDefinition[];
}

/** Candidates, and whether others may have been left out. */
export interface Candidates {
  readonly found: Candidate[];
  readonly more: boolean;
}

/** Newest entries of a sample, and hits in it from which on the words count as frequent. */
const SAMPLE = 300;
const FREQUENT = 3;
/** Entries that a walk from the newest on tests at most, and hits below which it does not suffice. */
const WALK = 15_000;
const ENOUGH = 60;
/** Entries that the index of words gives at most. */
const INDEXED = 50_000;
/**
 * Length of conditions up to which the rank counts how close the words are: the time for that grows
 * with the square of the words, which alternatives multiply.
 */
const LONGEST_CLOSE = 4_000;
/** Weights of D, C, B, A for the rank. */
const WEIGHTS = '{0.03, 0.15, 0.4, 1.0}';

/**
 * Finds candidates. Frequent words are found by a walk from the newest entry on, rare ones by the
 * index of words: each would read too much for the other.
 */
export async function findCandidates(scope: Scope, search: Search): Promise<Candidates> {
  const { conditions } = search;
  if (conditions === undefined || (await isFrequent(scope, conditions))) {
    const walked = await walk(scope, search);
    if (walked.found.length >= ENOUGH || conditions === undefined || !walked.more) return walked;
  }
  return lookUp(scope, search);
}

async function isFrequent(scope: Scope, { words }: WordConditions): Promise<boolean> {
  return (await areFrequent(scope, [words]))[0]!;
}

/** Returns whether many entries match, for each condition, by a sample of the newest ones. */
export async function areFrequent(scope: Scope, conditions: readonly string[]): Promise<boolean[]> {
  const [row] = await scope.db.query<{ hits: number[] }>(
    `SELECT ARRAY[${conditions.map((_, at) => `count(*) FILTER (WHERE e.words @@ $${at + 2}::tsquery)`).join(', ')}]::int[] AS hits
       FROM (SELECT e.words FROM search_entries_view e WHERE e.tenant_id = $1
              ORDER BY e.at DESC, e.kind DESC, e.object_id DESC LIMIT ${SAMPLE}) e`,
    [scope.db.tenantId, ...conditions],
  );
  return conditions.map((_, at) => (row?.hits[at] ?? 0) >= FREQUENT);
}

/** Columns of an entry without its words. */
const KEYS = 'e.kind, e.object_id, e.post_id, e.community_id, e.author_id, e.at, e.of_comment';

async function walk(scope: Scope, search: Search): Promise<Candidates> {
  const parameters = new Parameters([scope.db.tenantId]);
  const bounds = boundsSql(search, parameters);
  const words = wordsSql(search, parameters);
  const visible = visibleSql(scope, search, parameters);
  const from = `SELECT ${KEYS}, e.words FROM search_entries_view e WHERE e.tenant_id = $1 ${bounds}
       ORDER BY e.at DESC, e.kind DESC, e.object_id DESC LIMIT ${WALK}`;
  const read = `SELECT count(*) FROM (SELECT FROM search_entries_view e WHERE e.tenant_id = $1 LIMIT ${WALK}) r`;
  const hits = `SELECT e.* FROM (${from}) e WHERE ${visible} ${words} LIMIT ${searchLimits.candidates}`;
  const rows = await scope.db.query<Candidate & { entries: number }>(
    `WITH ${selectSql(scope, search, parameters, hits)}, (${read}) AS entries ${FROM_HITS}`,
    parameters.values,
    { planned: true },
  );
  return { found: rows, more: rows.length === searchLimits.candidates || (rows[0]?.entries ?? WALK) >= WALK };
}

async function lookUp(scope: Scope, search: Search): Promise<Candidates> {
  const parameters = new Parameters([scope.db.tenantId]);
  const bounds = boundsSql(search, parameters);
  const words = wordsSql(search, parameters);
  const visible = visibleSql(scope, search, parameters);
  const found = `SELECT ${KEYS} FROM search_entries_view e WHERE e.tenant_id = $1 ${words} ${bounds} LIMIT ${INDEXED}`;
  // Materialized: the planner might otherwise walk all entries in their order for the few matches.
  const hits = `SELECT e.*, w.words FROM (
       SELECT e.* FROM found e WHERE ${visible} ORDER BY e.at DESC, e.kind DESC, e.object_id DESC
        LIMIT ${searchLimits.candidates}) e
     JOIN search_entries_view w ON w.tenant_id = $1 AND w.kind = e.kind AND w.object_id = e.object_id`;
  const rows = await scope.db.query<Candidate>(
    `WITH found AS MATERIALIZED (${found}), ${selectSql(scope, search, parameters, hits)} ${FROM_HITS}`,
    parameters.values,
    { planned: true },
  );
  return { found: rows, more: rows.length === searchLimits.candidates };
}

const FROM_HITS = 'FROM hits e JOIN posts p ON p.tenant_id = $1 AND p.id = e.post_id';

/** SQL from the CTE of the hits to the columns of a candidate. */
function selectSql(scope: Scope, { conditions }: Search, parameters: Parameters, hits: string): string {
  const rank = conditions?.own ? rankSql(conditions.words, conditions.own, parameters) : '0';
  const has = (words: string) => `e.words @@ ${parameters.add(words)}::tsquery`;
  const titled = conditions?.title ? has(conditions.title) : 'false';
  const whole = conditions?.whole === undefined ? 'false' : has(conditions.whole);
  const bits = (groups: readonly string[] = []) =>
    ['0', ...groups.map((words, at) => `(${has(words)})::int << ${at}`)].map((bit) => `(${bit})`).join(' | ');
  return `hits AS (${hits})
    SELECT e.kind, e.object_id AS id, e.post_id AS "postId", e.community_id AS "communityId", e.author_id AS "authorId",
           e.at, p.state_id AS "stateId", (${rank})::float8 AS rank, ${titled} AS titled, ${whole} AS whole,
           ${bits(conditions?.groups)} AS groups, ${bits(conditions?.titleGroups)} AS "titleGroups",
           EXISTS (SELECT FROM post_user_state s WHERE s.tenant_id = $1 AND s.post_id = e.post_id
                    AND s.user_id = ${parameters.add(scope.actor.userId)}::bigint) AS used`;
}

function rankSql(words: string, own: string, parameters: Parameters): string {
  return words.length <= LONGEST_CLOSE
    ? `ts_rank_cd('${WEIGHTS}', e.words, ${parameters.add(words)}::tsquery, 1)`
    : `ts_rank('${WEIGHTS}', e.words, ${parameters.add(own)}::tsquery, 1)`;
}

/** Conditions on columns of the entry alone. */
function boundsSql({ restrictions, kinds }: Search, parameters: Parameters): string {
  const { from, to, communityIds } = restrictions;
  return [
    `e.community_id = ANY (${parameters.add(communityIds)}::bigint[])`,
    ...(kinds === undefined ? [] : [`e.kind = ANY (${parameters.add(kinds)}::smallint[])`]),
    ...(from === undefined ? [] : [`e.at >= ${parameters.add(new Date(from))}::timestamptz`]),
    ...(to === undefined ? [] : [`e.at < ${parameters.add(new Date(to))}::timestamptz`]),
  ]
    .map((condition) => `AND ${condition}`)
    .join(' ');
}

function wordsSql({ conditions }: Search, parameters: Parameters): string {
  if (!conditions) return '';
  const own = conditions.own === undefined ? '' : ` AND e.words @@ ${parameters.add(conditions.own)}::tsquery`;
  return `AND e.words @@ ${parameters.add(conditions.words)}::tsquery${own}`;
}

/**
 * The caller sees the post, and the comments of its community where the entry is of one. The
 * entries of a post that was moved a moment ago have the community before.
 */
function visibleSql({ actor }: Scope, { restrictions, definitions }: Search, parameters: Parameters): string {
  const discussed = definitions.filter(({ community }) => seesComments(actor, community)).map(({ id }) => id);
  const comments = `(NOT e.of_comment OR e.community_id = ANY (${parameters.add(discussed)}::bigint[]))`;
  const tests = restrictions.tests.map((test) => test(parameters));
  const post = [visiblePostSql('p', actor, parameters), ...tests].join(' AND ');
  return `${comments} AND EXISTS (SELECT FROM posts p WHERE p.tenant_id = $1 AND p.id = e.post_id AND p.community_id = e.community_id AND ${post} OFFSET 0)`;
}
