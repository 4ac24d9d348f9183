/** Figures of the posts of a community: counts, sums and means by groups. */
import {
  type PostSummaryGroup,
  type PostSummaryKey,
  type SummarisePostsRequest,
  type SummarisePostsResponse,
  summaryLimits,
} from '@portico/contract';
import { zoneFor, zoneOffsets } from '@portico/platform/time';
import { FieldErrors, ValidationError } from '../../../../kernel/errors.ts';
import type { Scope } from '../../../../kernel/scope.ts';
import { sqlColumns } from '../../../columns.ts';
import type { CommunityDefinition } from '../../../communities/index.ts';
import { entityKind, holdsObjects, isChoice } from '../../../fields/index.ts';
import { startOf } from '../list/find-page.ts';
import { readListInput } from '../list/list-input.ts';
import { visibleDefinition } from '../list/list-posts.ts';
import { loadReferences, type References, Wanted } from '../references.ts';
import { type Grouping, readFigures } from './summary-input.ts';
import { type SummaryRow, summaryStatement } from './summary-statement.ts';

const u = sqlColumns('users', 'u');
const t = sqlColumns('hashtags', 't');

/** Limits other than the published ones, for tests. */
interface SummaryLimits {
  readonly posts: number;
}

/**
 * Returns the figures of the posts that the list of a community would show under the same filters.
 * @throws PorticoError NOT_FOUND for a community that does not exist or is not visible;
 *   ValidationError with every error of filters, groupings and measure
 */
export async function summarisePosts(
  scope: Scope,
  communityId: number,
  body: SummarisePostsRequest,
  limits: SummaryLimits = summaryLimits,
): Promise<SummarisePostsResponse> {
  const { groupBy, measure, measureOf, ...filters } = body;
  const definition = await visibleDefinition(scope, communityId);
  const errors = new FieldErrors();
  const figures = readFigures({ groupBy, measure, measureOf }, definition, errors);
  const query = await readFilters(filters, scope, definition, errors);
  errors.throwIfAny();
  const timezone = await callerZone(scope);
  const { text, values, planned } = summaryStatement(query, {
    figures,
    start: await startOf({ db: scope.db }, query),
    zone: zoneOffsets(zoneFor(timezone).name),
    now: scope.clock.now(),
    loops: (definition.workflow?.transitions ?? [])
      .filter(({ fromStateId, toStateId }) => fromStateId === toStateId)
      .map(({ id }) => id),
    posts: limits.posts,
  });
  const rows = await scope.db.query<SummaryRow>(text, values, planned ? { planned } : undefined);
  const all = rows.find(({ part }) => part === 'all');
  const other = rows.find(({ part }) => part === 'other');
  const groups = rows.filter(({ part }) => part === 'group');
  const names = await loadNames(scope, definition, figures.groupings, groups);
  return {
    groups: groups.map(
      (row): PostSummaryGroup => ({
        keys: figures.groupings.map((_, index) => presentKey(keyAt(row, index), names[index])),
        postsCount: row.posts,
        ...figureOf(row),
      }),
    ),
    ...(other && { other: { groupsCount: other.groups, postsCount: other.posts, ...figureOf(other) } }),
    postsCount: all?.posts ?? 0,
    ...(all && figureOf(all)),
    bounded: all?.bounded ?? false,
    timezone,
  };
}

/** Reads the filters. @throws ValidationError with their errors and those found before */
async function readFilters(
  filters: SummarisePostsRequest,
  scope: Scope,
  definition: CommunityDefinition,
  errors: FieldErrors,
) {
  try {
    return (await readListInput(filters, { scope, definition })).query;
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    throw new ValidationError([...errors.list, ...error.errors]);
  }
}

/** Returns the time zone of the caller: their own setting, else the tenant's. */
async function callerZone({ db, actor, settings }: Scope): Promise<string> {
  const [user] = await db.query<{ timezone: string | null }>(
    `SELECT ${u.timezone} FROM users u WHERE u.tenant_id = $1 AND ${u.id} = $2`,
    [db.tenantId, actor.userId],
  );
  return user?.timezone ?? settings.defaultTimezone;
}

const keyAt = (row: SummaryRow, index: number) => (index === 0 ? row.k1 : row.k2);
const figureOf = ({ value }: SummaryRow) => (value === null ? {} : { value });

function presentKey(value: string | null, names: ReadonlyMap<string, string> | undefined): PostSummaryKey {
  if (value === null) return {};
  const name = names?.get(value);
  return { value, ...(name !== undefined && { name }) };
}

/** Names of the values of each grouping, by the text of the value. */
type Names = ReadonlyMap<string, string>;

/** Looks up the names of all values, in at most one statement for each kind of object. */
async function loadNames(
  scope: Scope,
  definition: CommunityDefinition,
  groupings: readonly Grouping[],
  rows: readonly SummaryRow[],
): Promise<Names[]> {
  const ids = groupings.map((_, index) => [...new Set(rows.flatMap((row) => keyAt(row, index) ?? []))]);
  const wanted = new Wanted();
  for (const [index, grouping] of groupings.entries()) {
    if (grouping.kind === 'creatorUser') for (const id of ids[index]!) wanted.users.add(Number(id));
    if (grouping.kind === 'values')
      wanted.addValues([grouping.field], { [grouping.field.id]: ids[index]!.map(Number) });
  }
  const references = await loadReferences(scope, scope.db, wanted);
  const named = groupings.map(async (grouping, index): Promise<Names> => {
    const found = grouping.kind === 'hashtags' ? await hashtagNames(scope, ids[index]!) : undefined;
    if (found) return found;
    const nameOf = namer(grouping, definition, references);
    return new Map(
      ids[index]!.flatMap((id) => {
        const name = nameOf(Number(id));
        return name === undefined ? [] : [[id, name] as const];
      }),
    );
  });
  return Promise.all(named);
}

/** Returns a function that names the values of a grouping. */
function namer(
  grouping: Grouping,
  definition: CommunityDefinition,
  { users, groups, entries }: References,
): (id: number) => string | undefined {
  if (grouping.kind === 'currentWorkflowState') return (id) => definition.workflow?.stateById.get(id)?.name;
  const person = (id: number) => {
    const user = users.get(id);
    return user && [user.firstName, user.lastName].filter(Boolean).join(' ');
  };
  if (grouping.kind === 'creatorUser') return person;
  if (grouping.kind !== 'values') return () => undefined;
  const { field } = grouping;
  if (holdsObjects(field)) return entityKind(field) === 'group' ? (id) => groups.get(id)?.name : person;
  if (!isChoice(field)) return () => undefined;
  return field.catalogId === null ? (id) => field.enumValueById.get(id)?.label : (id) => entries.get(id)?.label;
}

async function hashtagNames({ db }: Scope, ids: readonly string[]): Promise<Names> {
  const rows = await db.query<{ id: number; name: string }>(
    `SELECT ${t.id}, ${t.name} FROM hashtags t WHERE t.tenant_id = $1 AND ${t.id} = ANY ($2::bigint[])`,
    [db.tenantId, ids],
  );
  return new Map(rows.map(({ id, name }) => [String(id), name]));
}
