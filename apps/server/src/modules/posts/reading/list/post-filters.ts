/**
 * Filters on posts (contract: CommunityPostFilters): each key adds a condition; all combine by AND
 * (docs/decisions/lists.md).
 */
import { type CommunityPostFilters, DraftType, PostType, Visibility } from '@portico/contract';
import { likePattern, normaliseText, searchTerms } from '@portico/platform/text';
import { hasPermission, knownGroupsSql, seesComments } from '../../../../kernel/access/index.ts';
import type { FieldErrors } from '../../../../kernel/errors.ts';
import type { Actor, Scope } from '../../../../kernel/scope.ts';
import { sqlColumns } from '../../../columns.ts';
import type { CommunityDefinition } from '../../../communities/index.ts';
import { eventConditions } from './event-filter.ts';
import { fieldConditions } from './field-filters.ts';
import {
  acknowledgement,
  followedBy,
  mentions,
  standardTaskOf,
  toManage,
  transitionOpenTo,
} from './personal-filters.ts';
import type { ReferenceVisibility } from './shown-references.ts';
import {
  type Condition,
  columnCondition,
  condition,
  given,
  hasAllHashtags,
  LIVE_POSTS,
  rowCondition,
  type Statement,
  withRarestHashtag,
} from './statement.ts';

const m = sqlColumns('group_members', 'm');
const x = sqlColumns('group_members', 'x');
const t = sqlColumns('hashtags', 't');

/** Key of the condition that a post was granted to the caller, which follows from seeing a private one. */
export const GRANTED = 'granted';

/** Filters of a request, with the two flags that only modify another filter already merged. */
interface PostFilterSet {
  readonly filters: CommunityPostFilters;
  /** Their field path in the body: '' or `communityPostFilters`. */
  readonly path: string;
}

/** Scope and definition for which filters are read. */
export interface FilterContext {
  readonly scope: Scope;
  readonly definition: CommunityDefinition;
}

/**
 * Returns the conditions of one set of filters.
 * @param references the references in the filters that the caller sees
 * @param errors gets every error found
 */
export async function postConditions(
  { filters, path }: PostFilterSet,
  { scope, definition }: FilterContext,
  references: ReferenceVisibility,
  errors: FieldErrors,
): Promise<Condition[]> {
  const { actor } = scope;
  const screenFields = definition.workflow?.fields ?? [];
  const under = (name: string) => (path === '' ? name : `${path}.${name}`);
  const out: (Condition | undefined)[] = [
    ...textConditions(filters),
    ...authorConditions(filters, actor),
    ...timeConditions(filters),
    ...kindConditions(filters, actor, definition.id),
    hashtagCondition(filters),
    filters.followedByMe ? followedBy(actor) : undefined,
    filters.mentioned ? mentions(actor, seesComments(actor, definition.community)) : undefined,
    filters.toManage ? toManage(actor, definition) : undefined,
    filters.toManageProcesses ? transitionOpenTo(actor, definition) : undefined,
    filters.toManageStandardTasks ? standardTaskOf(actor) : undefined,
    filters.acknowledgeTaskFilter ? acknowledgement(actor, filters.acknowledgeTaskFilter) : undefined,
    ...fieldConditions(filters.postFieldFilters, definition.fields, under('postFieldFilters'), errors, references),
    ...fieldConditions(filters.screenFieldFilters, screenFields, under('screenFieldFilters'), errors, references),
  ];
  if (filters.eventPostFilter) {
    const context = { db: scope.db, communityId: definition.id, timezone: scope.settings.defaultTimezone };
    out.push(...(await eventConditions(filters.eventPostFilter, context, under('eventPostFilter'), errors)));
  }
  return out.filter((found) => found !== undefined);
}

/** Part of the title, part of the description, and words anywhere in the text. */
function* textConditions(filters: CommunityPostFilters): Generator<Condition> {
  const search = (key: string, where: (s: string, sql: Statement) => string) =>
    rowCondition(key, 'post_search_view', where, {
      trigramIndex: true,
      distinct: true,
      ownCommunity: true,
      narrow: (s) => `${s}.community_id = $2`,
    });
  for (const column of ['title', 'description'] as const) {
    const text = filters[column];
    if (!text) continue;
    const pattern = likePattern(normaliseText(text));
    yield search(JSON.stringify([column, pattern]), (s, sql) => `${s}.${column} LIKE ${sql.text(pattern)}`);
  }
  const terms = filters.containsText ? searchTerms(filters.containsText) : [];
  if (terms.length === 0) return;
  yield search(JSON.stringify(['containsText', terms.map((term) => term.pattern)]), (s, sql) =>
    terms.map((term) => `${s}.doc LIKE ${sql.text(term.pattern)}`).join(' AND '),
  );
}

/** Author or last editor of the post. */
function* authorConditions(filters: CommunityPostFilters, actor: Actor): Generator<Condition> {
  const one = (key: string, column: string, ids: readonly number[]) => {
    const about = (value: string, sql: Statement) =>
      ids.length === 1 ? `${value} = ${sql.bigint(ids[0] as number)}` : `${value} = ANY (${sql.bigints(ids)})`;
    const bound = { column, sql: about, empty: false };
    return columnCondition(JSON.stringify([key, ids]), (p, sql) => about(`${p}.${column}`, sql), true, { bound });
  };
  if (filters.createdByUserId !== undefined) yield one('createdBy', 'creator_id', [filters.createdByUserId]);
  if (given(filters.createdByUserIds)) yield one('createdBy', 'creator_id', filters.createdByUserIds);
  if (filters.modifiedByUserId !== undefined) yield one('modifiedBy', 'modifier_id', [filters.modifiedByUserId]);
  const groups = filters.createdByGroupIds;
  if (!given(groups)) return;
  const known = (sql: Statement) => knownGroupsSql(sql.bigints(groups), actor, sql);
  const members = (user: string, sql: Statement) =>
    `${user} IN (SELECT ${x.user_id} FROM group_members x WHERE x.tenant_id = $1 AND ${x.group_id} = ANY (${known(sql)}))`;
  yield condition({
    key: JSON.stringify(['createdByGroups', groups]),
    distinct: true,
    ownCommunity: true,
    bound: { column: 'creator_id', sql: members, empty: false },
    test: (sql) =>
      `EXISTS (SELECT FROM group_members x WHERE x.tenant_id = $1 AND ${x.user_id} = p.creator_id AND ${x.group_id} = ANY (${known(sql)}) OFFSET 0)`,
    candidates: (sql) =>
      `SELECT x.id AS post_id FROM (SELECT DISTINCT ${m.user_id} FROM group_members m WHERE m.tenant_id = $1 AND ${m.group_id} = ANY (${known(sql)})) g
         CROSS JOIN LATERAL (SELECT i.id FROM posts i WHERE i.tenant_id = $1 AND i.community_id = $2 AND i.live AND i.creator_id = g.user_id OFFSET 0) x`,
  });
}

/** Time of creation, or of the last edit; both bounds are included. */
function* timeConditions(filters: CommunityPostFilters): Generator<Condition> {
  const range = (column: string, from: number | undefined, to: number | undefined) => {
    const about = (value: string, sql: Statement) =>
      [
        ...(from === undefined ? [] : [`${value} >= ${sql.time(from)}`]),
        ...(to === undefined ? [] : [`${value} <= ${sql.time(to)}`]),
      ].join(' AND ');
    const bound = { column, sql: about, empty: false };
    return columnCondition(JSON.stringify([column, from, to]), (p, sql) => about(`${p}.${column}`, sql), true, {
      bound,
    });
  };
  if (filters.creationTimestampFrom !== undefined || filters.creationTimestampTo !== undefined) {
    yield range('created_at', filters.creationTimestampFrom, filters.creationTimestampTo);
  }
  if (filters.modifiedTimestampFrom !== undefined || filters.modifiedTimestampTo !== undefined) {
    yield range('modified_at', filters.modifiedTimestampFrom, filters.modifiedTimestampTo);
  }
}

/** Properties of the post: kind, state, visibility, pinned, id, kind of the caller's draft. */
function* kindConditions(filters: CommunityPostFilters, actor: Actor, communityId: number): Generator<Condition> {
  const readsAll = hasPermission(actor, communityId, 'readAllPosts');
  const readsPublic = hasPermission(actor, communityId, 'readPublicPosts');
  const states = filters.currentWorkflowStatusIds;
  if (given(states)) {
    const key = JSON.stringify(['states', states, filters.includeStatelessPosts === true]);
    const inState = (p: string, sql: Statement) => `${p}.state_id = ANY (${sql.bigints(states)})`;
    const values = (sql: Statement) => sql.bigints([...new Set(states)]);
    const held = columnCondition(key, inState, true, { each: { values, equals: (value) => `x.state_id = ${value}` } });
    const stateless = columnCondition(key, (p) => `${p}.state_id IS NULL`, true);
    yield filters.includeStatelessPosts !== true
      ? held
      : condition({
          key,
          distinct: true,
          ownCommunity: true,
          test: (sql) => `(${inState('p', sql)} OR p.state_id IS NULL)`,
          candidates: (sql) => `${held.candidates?.(sql)} UNION ALL ${stateless.candidates?.(sql)}`,
        });
  }
  const types = filters.postTypes;
  if (given(types)) {
    // The index excludes ordinary posts: nearly all posts are ordinary.
    const indexed = !types.includes(PostType.CUSTOM);
    const ofType = columnCondition(
      JSON.stringify(['types', types]),
      (p, sql) =>
        `${p}.type = ANY (${sql.add(types)}::smallint[])${indexed ? ` AND ${p}.type <> ${PostType.CUSTOM}` : ''}`,
      indexed,
    );
    const excluded = (sql: Statement) =>
      `${LIVE_POSTS} AND x.type <> ${PostType.CUSTOM} AND NOT x.type = ANY (${sql.add(types)}::smallint[])`;
    yield indexed ? ofType : { ...ofType, excluded };
  }
  const surveys = filters.postSurveyTypes;
  if (given(surveys)) {
    yield columnCondition(
      JSON.stringify(['surveyTypes', surveys]),
      (p, sql) => `${p}.type = ${PostType.SURVEY} AND ${p}.survey_type = ANY (${sql.add(surveys)}::smallint[])`,
      true,
    );
  }
  const { visibility } = filters;
  if (visibility !== undefined) {
    // Written as a literal: the index of private posts is a partial one.
    const seen = columnCondition(
      `visibility${visibility}`,
      (p) => `${p}.visibility = ${Math.trunc(visibility)}`,
      visibility === Visibility.PRIVATE,
    );
    yield visibility === Visibility.PUBLIC
      ? { ...seen, excluded: () => `${LIVE_POSTS} AND x.visibility = ${Visibility.PRIVATE}` }
      : seen;
    // A caller who does not see all posts sees few private ones: the posts granted to them.
    const few = visibility === Visibility.PRIVATE && !readsAll && readsPublic;
    if (few) yield granted(actor.principals, `AND x.visibility = ${Visibility.PRIVATE}`);
  }
  // Guests see few posts of either kind.
  if (!readsAll && !readsPublic) yield granted(actor.principals);
  if (filters.onlyPinned) yield columnCondition('onlyPinned', (p) => `${p}.pinned`, true);
  yield* idConditions(filters);
  if (filters.draftType !== undefined) {
    const scheduled = filters.draftType === DraftType.SCHEDULED_DRAFT;
    yield columnCondition(
      `draftType${filters.draftType}`,
      (p) => `${p}.scheduled_at IS ${scheduled ? 'NOT NULL' : 'NULL'}`,
      false,
    );
  }
}

/** A single post, or one of several. */
function* idConditions({ postId, postIds }: CommunityPostFilters): Generator<Condition> {
  if (postId !== undefined) yield columnCondition(`post${postId}`, (p, sql) => `${p}.id = ${sql.bigint(postId)}`, true);
  if (!given(postIds)) return;
  const distinct = [...new Set(postIds)];
  const isAmong = (p: string, sql: Statement) => `${p}.id = ANY (${sql.bigints(distinct)})`;
  yield {
    ...columnCondition(JSON.stringify(['posts', distinct]), isAmong, true),
    // `OFFSET 0` keeps PostgreSQL from reading the community and testing the ids of all its posts.
    candidates: (sql) =>
      `SELECT x.id AS post_id FROM (SELECT * FROM posts q WHERE q.tenant_id = $1 AND ${isAmong('q', sql)} OFFSET 0) x
        WHERE x.community_id = $2 AND x.live`,
  };
}

/**
 * A post was granted to one of the principals. @param only SQL that limits the candidates to posts
 * that are invisible without a grant
 */
function granted(principals: readonly number[], only = ''): Condition {
  const grants = rowCondition(GRANTED, 'post_grants', (g, sql) => `${g}.principal = ANY (${sql.bigints(principals)})`, {
    ownCommunity: true,
    personal: true,
  });
  // Most grants are on public posts, for their authors.
  return {
    ...grants,
    visible: true,
    candidates: (sql) =>
      `SELECT g.post_id FROM (${grants.candidates?.(sql)}) g
        WHERE (SELECT x.live AND x.community_id = $2 ${only} FROM posts x WHERE x.tenant_id = $1 AND x.id = g.post_id)`,
  };
}

/** All of the hashtags, or one of them. */
function hashtagCondition(filters: CommunityPostFilters): Condition | undefined {
  const ids = filters.hashtagIds;
  if (!given(ids)) return undefined;
  const key = JSON.stringify(['hashtags', ids, filters.hashtagsLogicalAnd === true]);
  const distinct = [...new Set(ids)];
  // Excludes candidates of other communities: a request with their hashtags must not count their
  // posts.
  const own = (sql: Statement) =>
    `(SELECT ${t.id} FROM hashtags t WHERE t.tenant_id = $1 AND ${t.community_id} = $2 AND ${t.id} = ANY (${sql.bigints(distinct)}))`;
  const any: Condition = {
    ...rowCondition(key, 'post_hashtags', (h, sql) => `${h}.hashtag_id = ANY (${sql.bigints(distinct)})`),
    candidates: (sql) =>
      `SELECT x.post_id FROM post_hashtags x WHERE x.tenant_id = $1 AND x.hashtag_id ${distinct.length === 1 ? `= ${own(sql)}` : `= ANY (ARRAY${own(sql)})`}`,
    distinct: distinct.length === 1,
    ownCommunity: true,
  };
  if (!filters.hashtagsLogicalAnd || distinct.length === 1) return any;
  const of = { table: 'post_hashtags', entityColumn: 'post_id' } as const;
  return condition(
    {
      key,
      distinct: true,
      byId: true,
      test: (sql) => hasAllHashtags(of, 'p.id', distinct, sql),
      candidates: (sql) => withRarestHashtag(of, distinct, sql),
    },
    true,
  );
}
