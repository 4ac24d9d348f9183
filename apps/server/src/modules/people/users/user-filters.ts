/** Filters of the list of users as SQL; they combine by AND, and null and [] never filter (docs/decisions/lists.md). */
import {
  ACTIVE_STATUS_TOO,
  type AdminCapability,
  type ListSystemUsersRequest,
  LoginProvider,
  timeZoneName,
  UserStatus,
} from '@portico/contract';
import { asList } from '@portico/platform/as-list';
import { likePattern, normaliseText, searchTerms, sortKey } from '@portico/platform/text';
import { clampedDate } from '@portico/platform/time';
import { type Parameters, rightColumns, STANDING_ROLES } from '../../../kernel/access/index.ts';
import { invalid } from '../../../kernel/errors.ts';

type Filters = ListSystemUsersRequest;

/**
 * Last code point: texts that begin with a prefix lie between the prefix and the prefix followed by
 * it.
 */
const LAST_CHARACTER = '\u{10FFFF}';

/** Users who sign in through a provider now. */
const providerSql: Readonly<Record<LoginProvider, string>> = {
  [LoginProvider.GOOGLE]: '(u.google_account_id IS NOT NULL AND u.google_enabled)',
  [LoginProvider.MICROSOFT]: '(u.microsoft_account_id IS NOT NULL AND u.microsoft_enabled)',
  [LoginProvider.CUSTOM]: '(u.custom_username IS NOT NULL AND u.custom_active)',
};

const ACTIVE = '(u.deleted_at IS NULL AND NOT u.blocked)';

const statusSql: Readonly<Record<UserStatus | typeof ACTIVE_STATUS_TOO, string>> = {
  [ACTIVE_STATUS_TOO]: ACTIVE,
  [UserStatus.ACTIVE]: ACTIVE,
  [UserStatus.BLOCKED]: '(u.deleted_at IS NULL AND u.blocked)',
  [UserStatus.DELETED]: 'u.deleted_at IS NOT NULL',
};

/**
 * Checks a value of a closed list that selects SQL.
 * @throws ValidationError with the allowed values
 */
function chosen<K extends string | number>(
  table: Readonly<Record<K, string>>,
  values: readonly K[],
  field: string,
): string[] {
  return values.map((value, index) => {
    if (!Object.hasOwn(table, value)) {
      const allowed = Object.keys(table);
      throw invalid(`${field}[${index}]`, 'INVALID_VALUE', `One of: ${allowed.join(', ')}.`, allowed);
    }
    return table[value];
  });
}

/**
 * Returns SQL of the users that principals include: users themselves, and the members of groups
 * that are not deleted.
 * @param principals a statement that returns rows (principal)
 */
export function usersOfSql(principals: string): string {
  return `u.id IN (
    WITH named AS (${principals})
    SELECT principal FROM named WHERE principal > 0
    UNION ALL
    SELECT m.user_id FROM named
      JOIN groups g ON g.tenant_id = $1 AND g.id = -named.principal AND g.deleted_at IS NULL
      JOIN group_members m ON m.tenant_id = $1 AND m.group_id = g.id
     WHERE named.principal < 0)`;
}

/**
 * Place of a name search: the view, its column that identifies the row, and SQL of that row's id in
 * the statement.
 */
export interface NameSearch {
  view: 'user_search_view' | 'group_search_view';
  owner: 'user_id' | 'group_id';
  id: string;
}

export const groupNames: NameSearch = { view: 'group_search_view', owner: 'group_id', id: 'g.id' };
export const userNames: NameSearch = { view: 'user_search_view', owner: 'user_id', id: 'u.id' };

/**
 * Returns the condition that a name (or address) has every word of a text.
 * @returns SQL of booleans, to be combined by AND; empty for a text without words
 */
export function nameSearchSql(search: NameSearch, text: string | null | undefined, parameters: Parameters): string[] {
  const terms = text ? searchTerms(text) : [];
  return searchSql(
    search,
    terms.map((term) => ['doc', term.pattern]),
    parameters,
  );
}

/**
 * Returns the condition that each word has one of its forms in a name, in the address or in the
 * caption of a user, and one word in the caption.
 * @param words forms of each word, in normal form
 */
export function captionSearchSql(words: readonly (readonly string[])[], parameters: Parameters): string {
  const patterns = (forms: readonly string[]) =>
    forms.flatMap((form) => searchTerms(form)).map(({ pattern }) => parameters.add(pattern));
  // Not LIKE ANY, for which the index of parts does not serve.
  const among = (column: string, forms: readonly string[]) =>
    `(${
      patterns(forms)
        .map((pattern) => `s.${column} LIKE ${pattern} ESCAPE '\\'`)
        .join(' OR ') || 'false'
    })`;
  const all = words.map((forms) => `(${among('doc', forms)} OR ${among('caption_doc', forms)})`);
  const tests = [among('caption_doc', words.flat()), ...all];
  const { id, owner, view } = userNames;
  // An array, as in searchSql.
  return `${id} = ANY (ARRAY(SELECT s.${owner} FROM ${view} s WHERE s.tenant_id = $1 AND ${tests.join(' AND ')}))`;
}

/** Returns the condition that columns of the view match patterns; empty without patterns. */
function searchSql(
  { view, owner, id }: NameSearch,
  patterns: readonly [column: string, pattern: string][],
  parameters: Parameters,
): string[] {
  if (patterns.length === 0) return [];
  const tests = patterns.map(([column, pattern]) => `s.${column} LIKE ${parameters.add(pattern)} ESCAPE '\\'`);
  // An array, not an IN: as part of a statement over `users` the search would be joined under that table's row
  // security, and the planner then keeps LIKE out of the index. The array's own plan knows nothing of it.
  return [`${id} = ANY (ARRAY(SELECT s.${owner} FROM ${view} s WHERE s.tenant_id = $1 AND ${tests.join(' AND ')}))`];
}

/**
 * Returns the conditions of a list of users over `users u`.
 * @returns SQL of booleans, to be combined by AND; parameters are added to `parameters`
 * @throws ValidationError for an unknown status, right or provider
 */
export function userFilterSql(filters: Filters, parameters: Parameters): string[] {
  const conditions: string[] = [];
  const any = (column: string, values: readonly number[] | undefined) => {
    if (values?.length) conditions.push(`${column} = ANY (${parameters.add(values)}::bigint[])`);
  };
  const words = (column: string, text: string | undefined): [string, string][] =>
    text ? searchTerms(text).map((term) => [column, term.pattern]) : [];
  const part = (column: string, text: string | undefined): [string, string][] => {
    const wanted = text ? normaliseText(text).trim() : '';
    return wanted ? [[column, likePattern(wanted)]] : [];
  };
  const prefix = (column: string, text: string | undefined) => {
    const wanted = text ? sortKey(text) : '';
    // A range rather than a LIKE: an index condition under row security, and under a plan that does not know the text.
    if (wanted) {
      conditions.push(
        `u.${column} >= ${parameters.add(wanted)}::text AND u.${column} < ${parameters.add(wanted + LAST_CHARACTER)}::text`,
      );
    }
  };
  const flag = (column: string, value: boolean | undefined) => {
    if (value !== undefined && value !== null) conditions.push(value ? `u.${column}` : `NOT u.${column}`);
  };
  const between = (column: string, from: number | undefined, to: number | undefined) => {
    if (from !== undefined && from !== null)
      conditions.push(`u.${column} >= ${parameters.add(clampedDate(from))}::timestamptz`);
    // Times are shown in whole milliseconds, so the last millisecond is included whole.
    if (to !== undefined && to !== null)
      conditions.push(`u.${column} < ${parameters.add(clampedDate(to + 1))}::timestamptz`);
  };

  const statuses = chosen(statusSql, asList(filters.statusFilter) as UserStatus[], 'statusFilter');
  conditions.push(statuses.length === 0 ? 'u.deleted_at IS NULL' : `(${statuses.join(' OR ')})`);
  const patterns = [
    ...words('doc', filters.fullTextFilter),
    ...words('place_doc', filters.place),
    ...part('role_doc', filters.role),
    ...part('external_doc', filters.externalIdFullTextFilter),
    ...part('personal_doc', filters.personalEmailFullTextFilter),
    ...part('provider_doc', filters.externalAuthServiceEmailFullTextFilter),
  ];
  conditions.push(...searchSql(userNames, patterns, parameters));
  prefix('first_key', filters.firstNamePrefixFullTextFilter);
  prefix('last_key', filters.lastNamePrefixFullTextFilter);
  prefix('email_key', filters.emailPrefixFullTextFilter);
  any('u.business_unit_id', filters.businessUnitIds);
  any('u.area_id', filters.areaIds);
  any('u.manager_id', filters.managerIds);
  between('created_at', filters.creationTimestampFrom, filters.creationTimestampTo);
  between('last_access_at', filters.lastAccessTimestampFrom, filters.lastAccessTimestampTo);
  const codes = asList(filters.lang);
  if (codes.length > 0) conditions.push(`u.language = ANY (${parameters.add(codes)}::text[])`);
  if (filters.timeZoneIds?.length) {
    const names = filters.timeZoneIds.map((id) => timeZoneName(id)).filter((name) => name !== undefined);
    conditions.push(`u.timezone = ANY (${parameters.add(names)}::text[])`);
  }
  const providers = chosen(providerSql, asList(filters.loginProviderFilter) as LoginProvider[], 'loginProviderFilter');
  if (providers.length > 0) conditions.push(`(${providers.join(' OR ')})`);
  flag('people_section_enabled', filters.peopleSectionEnabled);
  flag('visible_in_people_section', filters.visibleInPeopleSection);
  flag('reduced_profile', filters.reducedProfile);
  flag('view_user_profiles', filters.viewUserProfiles);
  for (const column of new Set(chosen(rightColumns, asList(filters.adminCapabilities), 'adminCapabilities'))) {
    conditions.push(`(u.${column} OR u.id IN (SELECT m.user_id FROM groups g
      JOIN group_members m ON m.tenant_id = g.tenant_id AND m.group_id = g.id
     WHERE g.tenant_id = $1 AND g.deleted_at IS NULL AND g.${column}))`);
  }
  if (filters.workspaceIds?.length) {
    const ids = parameters.add(filters.workspaceIds);
    conditions.push(
      usersOfSql(
        `SELECT w.principal FROM workspace_members w WHERE w.tenant_id = $1 AND w.workspace_id = ANY (${ids}::bigint[])`,
      ),
    );
  }
  if (filters.communityIds?.length) {
    const ids = parameters.add(filters.communityIds);
    conditions.push(
      usersOfSql(
        `SELECT r.principal FROM community_roles r WHERE r.tenant_id = $1 AND r.community_id = ANY (${ids}::bigint[])
         UNION
         SELECT s.principal FROM communities c JOIN (${STANDING_ROLES}) s ON s.tenant_id = c.tenant_id
          WHERE c.tenant_id = $1 AND c.id = ANY (${ids}::bigint[])
         UNION
         SELECT w.principal FROM communities c
           JOIN workspace_members w ON w.tenant_id = c.tenant_id AND w.workspace_id = c.workspace_id
          WHERE c.tenant_id = $1 AND c.id = ANY (${ids}::bigint[])
            AND coalesce(w.role_id, c.workspace_member_role) IS NOT NULL`,
      ),
    );
  }
  conditions.push(...givenSql(filters, parameters));
  return conditions;
}

/** Returns the conditions on the groups that users belong to, and on the roles that they were given. */
function givenSql({ groupIds, roleIds }: Filters, parameters: Parameters): string[] {
  const conditions: string[] = [];
  if (groupIds?.length) {
    const ids = parameters.add(groupIds);
    conditions.push(`u.id IN (SELECT m.user_id FROM group_members m
      JOIN groups g ON g.tenant_id = m.tenant_id AND g.id = m.group_id AND g.deleted_at IS NULL
     WHERE m.tenant_id = $1 AND m.group_id = ANY (${ids}::bigint[]))`);
  }
  if (roleIds?.length) {
    conditions.push(usersOfSql(holdersSql(roleIds, parameters)));
  }
  return conditions;
}

/** SQL of the principals that were given one of the roles: user ids and negated group ids. */
export function holdersSql(roleIds: readonly number[], parameters: Parameters): string {
  const ids = parameters.add(roleIds);
  return `SELECT r.principal FROM community_roles r WHERE r.tenant_id = $1 AND r.role_id = ANY (${ids}::bigint[])
    UNION
    SELECT w.principal FROM workspace_members w WHERE w.tenant_id = $1 AND w.role_id = ANY (${ids}::bigint[])
    UNION
    SELECT s.principal FROM (${STANDING_ROLES}) s WHERE s.role_id = ANY (${ids}::bigint[])`;
}

/** Returns the columns of `groups` by capability name; see {@link userFilterSql}. */
export function groupCapabilityColumns(capabilities: readonly AdminCapability[] | undefined): string[] {
  return [...new Set(chosen(rightColumns, asList(capabilities), 'adminCapabilities'))];
}
