/**
 * The statement of a summary: the newest posts of the list up to the limit, their groups, and the
 * figures of each group. It starts from the candidates of filters that few posts match, else from
 * the index of creation times, which ends the scan at the limit.
 */
import { fieldTypes, HistoryType, summaryLimits, timeInState } from '@portico/contract';
import type { ZoneOffsets } from '@portico/platform/time';
import { sqlColumns } from '../../../columns.ts';
import type { FieldDefinition } from '../../../communities/index.ts';
import {
  conditionsSql,
  draftCandidates,
  intersection,
  type ListQuery,
  type PageStatement,
  planOption,
  postsById,
} from '../list/page-query.ts';
import { type Condition, Statement } from '../list/statement.ts';
import type { Figures, Grouping } from './summary-input.ts';

const h = sqlColumns('history_events', 'h');

/** A row of a summary: of a group, of the omitted groups together, or of all posts. */
export interface SummaryRow {
  readonly part: 'group' | 'other' | 'all';
  readonly k1: string | null;
  readonly k2: string | null;
  readonly posts: number;
  /** Number of omitted groups. */
  readonly groups: number;
  readonly value: number | null;
  readonly bounded: boolean;
}

/** Values of a summary besides the list. */
interface SummaryContext {
  readonly figures: Figures;
  /** Conditions whose candidates are read. */
  readonly start: readonly Condition[];
  readonly zone: ZoneOffsets;
  /** Present time, up to which the time in a state is measured. Epoch milliseconds. */
  readonly now: number;
  /** Transitions that lead from a state to the same state. */
  readonly loops: readonly number[];
  /** Maximum number of posts. */
  readonly posts: number;
}

/** Returns SQL of the stored value of a field, as JSON. */
function stored({ id, owner }: FieldDefinition, sql: Statement): string {
  return `p.${owner === 'post' ? 'custom_data' : 'screen_data'} -> ${sql.text(String(id))}`;
}

/** Returns SQL of the number in JSON; NULL where it is not a number. BIGINT may be a string of digits. */
function numberOf(json: string): string {
  return `(SELECT CASE WHEN j.t ~ '^-?[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)?$' THEN j.t::numeric END FROM (SELECT ${json} #>> '{}' AS t OFFSET 0) j)`;
}

/** Returns SQL of the first day of a period. @param ms SQL of local time in epoch milliseconds */
function periodOf(ms: string, period: string): string {
  // The bounds of the interface; `least` and `greatest` would ignore NULL.
  const clamped = 'least(greatest(d.ms, -62135596800000), 253402300799999)';
  const day = `to_char(date_trunc('${period}', to_timestamp((${clamped} / 1000.0)::float8) AT TIME ZONE 'UTC'), 'YYYY-MM-DD')`;
  return `(SELECT CASE WHEN d.ms IS NOT NULL THEN ${day} END FROM (SELECT ${ms} AS ms OFFSET 0) d)`;
}

/** Returns SQL of the local time of a moment. @param ms SQL of epoch milliseconds, a bigint */
function localTime(ms: string, { changes, offsets }: ZoneOffsets, sql: Statement): string {
  if (changes.length === 0) return `(${ms} + ${sql.bigint(offsets[0] ?? 0)})`;
  return `(${ms} + (${sql.bigints(offsets)})[1 + width_bucket(${ms}, ${sql.bigints(changes)})])`;
}

const milliseconds = (time: string) => `(extract(epoch FROM ${time}) * 1000)::bigint`;

/** SQL of the keys of a grouping. */
interface Key {
  /** The part that is read with the post, from the row `p`. */
  readonly column: string;
  /** The join from the row `k` of a kept post to its values. */
  readonly join?: string;
}

function keyOf(grouping: Grouping, name: string, zone: ZoneOffsets, sql: Statement): Key {
  switch (grouping.kind) {
    case 'currentWorkflowState':
      return { column: 'p.state_id::text' };
    case 'creatorUser':
      return { column: 'p.creator_id::text' };
    case 'type':
      return { column: 'p.type::text' };
    case 'hashtags':
      return {
        column: 'NULL::text',
        join: `LEFT JOIN LATERAL (SELECT g.hashtag_id::text AS v FROM post_hashtags g WHERE g.tenant_id = $1 AND g.post_id = k.id OFFSET 0) ${name}v ON true`,
      };
    case 'creationTimestamp':
      return { column: periodOf(localTime(milliseconds('p.created_at'), zone, sql), grouping.period) };
    case 'lastModifyTimestamp':
      return { column: periodOf(localTime(milliseconds('p.modified_at'), zone, sql), grouping.period) };
    case 'dates': {
      const ms = `${numberOf(stored(grouping.field, sql))}::bigint`;
      const local = fieldTypes[grouping.field.type].kind === 'day' ? ms : localTime(ms, zone, sql);
      return { column: periodOf(local, grouping.period) };
    }
    case 'values':
      return {
        column: stored(grouping.field, sql),
        join: `LEFT JOIN LATERAL jsonb_array_elements_text(CASE jsonb_typeof(k.${name}) WHEN 'array' THEN k.${name} WHEN 'null' THEN '[]'::jsonb ELSE jsonb_build_array(k.${name}) END) ${name}v (v) ON true`,
      };
  }
}

/** SQL of the measured value. */
interface Measured {
  /** The part that is read with the post, from the row `p`. */
  readonly column: string;
  /** The value, from the row `r` of a kept post and from `join`. */
  readonly value: string;
  readonly join: string;
}

function measured({ figures, now, loops }: SummaryContext, sql: Statement): Measured {
  const { of } = figures;
  if (of === undefined) return { column: 'NULL::numeric', value: 'r.measured', join: '' };
  if (of !== timeInState) return { column: numberOf(stored(of, sql)), value: 'r.measured', join: '' };
  const entered = `SELECT max(${h.at}) AS at FROM history_events h WHERE h.tenant_id = $1 AND ${h.post_id} = r.id
       AND (${h.type_id} = ${HistoryType.WORKFLOW_OPERATION} AND NOT coalesce(${h.transition_id} = ANY (${sql.bigints(loops)}), false)
         OR ${h.details} -> 'changedParts' ? 'workflowState')`;
  const since = `extract(epoch FROM ${sql.time(now)} - coalesce(e.at, r.since)) * 1000`;
  return {
    column: 'NULL::numeric',
    value: `CASE WHEN r.in_state THEN greatest(${since}, 0) END`,
    join: `LEFT JOIN LATERAL (${entered}) e ON true`,
  };
}

/** Returns SQL of the posts of the list, as the row `p`. */
function rowsOf(query: ListQuery, start: readonly Condition[], sql: Statement): { from: string; where: string } {
  const where = conditionsSql(query, sql, start);
  if (query.drafts) return { from: postsById(draftCandidates(query, sql)), where };
  if (start.length > 0) return { from: postsById(intersection(start, sql)), where };
  return { from: 'posts p', where: `p.tenant_id = $1 AND ${where}` };
}

const AGGREGATES = { count: 'count(*)', sum: 'sum(m)', mean: 'avg(m)', least: 'min(m)', greatest: 'max(m)' } as const;
/** The same of groups: their sums, counts, least and greatest values. */
const OF_GROUPS = {
  count: 'sum(posts)',
  sum: 'sum(total)',
  mean: 'sum(total) / nullif(sum(valued), 0)',
  least: 'min(low)',
  greatest: 'max(high)',
} as const;

/** Returns whether a grouping makes periods. */
const isDated = ({ kind }: Grouping) => ['dates', 'creationTimestamp', 'lastModifyTimestamp'].includes(kind);

/** SQL of the order of groups: the latest periods, then the groups with the most posts. */
function orderOf(groupings: readonly Grouping[]): string {
  const latest = groupings.flatMap((grouping, index) => (isDated(grouping) ? [`k${index + 1} DESC NULLS LAST`] : []));
  const ties = [1, 2].flatMap((index) => [`length(k${index})`, `k${index} COLLATE "C"`]);
  return [...latest, 'posts DESC', ...ties].join(', ');
}

/** SQL of the groups, as further parts of WITH, and of their rows in the answer. */
function groupsSql({ groupings, measure }: Figures, keys: readonly Key[]): { parts: string; rows: string } {
  if (keys.length === 0) return { parts: '', rows: '' };
  const name = (index: number) => {
    const key = keys[index];
    if (!key) return 'NULL::text';
    return key.join ? `k${index + 1}v.v` : `k.k${index + 1}`;
  };
  return {
    parts: `, grouped AS (
        SELECT ${name(0)} AS k1, ${name(1)} AS k2, count(*) AS posts, count(m) AS valued, sum(m) AS total,
               min(m) AS low, max(m) AS high, ${AGGREGATES[measure]} AS value
          FROM kept k ${keys.map(({ join }) => join ?? '').join(' ')} GROUP BY 1, 2),
      ranked AS (SELECT *, row_number() OVER (ORDER BY ${orderOf(groupings)}) AS place FROM grouped)`,
    rows: `
      UNION ALL SELECT 'group', k1, k2, posts, 0, value, false, place FROM ranked WHERE place <= ${summaryLimits.groups}
      UNION ALL SELECT 'other', NULL, NULL, sum(posts), count(*), ${OF_GROUPS[measure]}, false, 0
        FROM ranked WHERE place > ${summaryLimits.groups} HAVING count(*) > 0`,
  };
}

/** Returns the statement of a summary, with rows of {@link SummaryRow}. */
export function summaryStatement(query: ListQuery, context: SummaryContext): PageStatement {
  const { figures, start, zone } = context;
  const sql = new Statement(query.tenantId, query.communityId);
  const { from, where } = rowsOf(query, start, sql);
  const keys = figures.groupings.map((grouping, index) => keyOf(grouping, `k${index + 1}`, zone, sql));
  const columns = keys.map(({ column }, index) => `, ${column} AS k${index + 1}`).join('');
  const { column, value, join } = measured(context, sql);
  const groups = groupsSql(figures, keys);
  const limit = sql.bigint(context.posts);
  return {
    text: `WITH found AS MATERIALIZED (
        SELECT p.id, p.created_at, p.state_id IS NOT NULL AS in_state,
               coalesce(p.published_at, p.created_at) AS since, ${column} AS measured${columns}
          FROM ${from} WHERE ${where} ORDER BY p.created_at DESC, p.id DESC LIMIT ${limit} + 1),
      kept AS MATERIALIZED (
        SELECT r.*, ${value} AS m
          FROM (SELECT * FROM found ORDER BY created_at DESC, id DESC LIMIT ${limit}) r ${join})${groups.parts}
      SELECT part, k1, k2, posts::float8, groups::float8, value::float8, bounded FROM (
        SELECT 'all' AS part, NULL::text AS k1, NULL::text AS k2, count(*)::numeric AS posts, 0::bigint AS groups,
               (${AGGREGATES[figures.measure]})::numeric AS value,
               (SELECT count(*) FROM found) > ${limit} AS bounded, 0::bigint AS place
          FROM kept${groups.rows}) s ORDER BY place`,
    values: sql.values,
    ...planOption(start),
  };
}
