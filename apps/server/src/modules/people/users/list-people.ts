/**
 * People and groups for every member: they share a community with the caller, have a role in one
 * given community, or can read one given post. Administrators use the lists of all users and groups
 * (list-users.ts, list-groups.ts).
 */
import {
  type CommunityPermission,
  type ListPeopleGroupsResponse,
  type ListPeopleRequest,
  type ListPeopleResponse,
  type User,
  Visibility,
} from '@portico/contract';
import {
  givenRolesSql,
  grantedPrincipalsSql,
  hasPermissionSql,
  Parameters,
  roleBitsSql,
  seenPostSql,
} from '../../../kernel/access/index.ts';
import { notFound } from '../../../kernel/errors.ts';
import { readPage, readPaging, type SortColumn, type SortKey } from '../../../kernel/paging/index.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { sqlColumns } from '../../columns.ts';
import { emptyLast } from './list-users.ts';
import { captionSearchSql, groupNames, type NameSearch, nameSearchSql, userNames, usersOfSql } from './user-filters.ts';
import {
  type GroupViewRow,
  groupViewColumns,
  presentGroup,
  presentUser,
  type UserViewRow,
  userViewColumns,
} from './views.ts';

const p = sqlColumns('posts', 'p');

/** Statements that select principals; the list has the people and groups that are in all of them. */
type Circles = readonly string[];

/** Table and SQL of a list. */
interface Listing {
  operation: string;
  from: string;
  id: string;
  order: readonly SortColumn[];
  select: string;
  /** Conditions of every request. */
  always: readonly string[];
  search: NameSearch;
  /** SQL of a boolean: the row is one of these principals, or a member of one. */
  within: (circle: string) => string;
}

const people: Listing = {
  operation: 'listPeople',
  from: 'users u',
  id: 'u.id',
  order: [
    { sql: 'u.last_key', desc: false, type: 'text' },
    ...emptyLast('u.first_key', false),
    { sql: 'u.id', desc: false, type: 'bigint' },
  ],
  select: userViewColumns('u'),
  always: [
    'u.tenant_id = $1',
    'u.deleted_at IS NULL',
    'NOT u.blocked',
    'NOT u.service_account',
    'NOT u.system_account',
  ],
  search: userNames,
  within: (circle) => usersOfSql(circle),
};

const groups: Listing = {
  operation: 'listPeopleGroups',
  from: 'groups g',
  id: 'g.id',
  order: [
    { sql: 'g.name_key', desc: false, type: 'text' },
    { sql: 'g.id', desc: false, type: 'bigint' },
  ],
  select: groupViewColumns('g'),
  always: ['g.tenant_id = $1', 'g.deleted_at IS NULL', 'g.visible'],
  search: groupNames,
  within: (circle) => `-g.id IN (SELECT principal FROM (${circle}) AS named)`,
};

/**
 * Lists people that the caller may mention or choose (operation listPeople), by last name, first
 * name and id. Omits blocked and deleted accounts and service accounts.
 * @throws PorticoError 404 for a community in which the caller has no role and a post that they do
 * not see; ValidationError
 */
export async function listPeople(scope: Scope, input: ListPeopleRequest): Promise<ListPeopleResponse> {
  return list(scope, people, input, (row: UserViewRow) => presentUser(row, scope));
}

/** Most people that {@link findPeopleByWords} returns. */
const MOST_FOUND = 50;

/**
 * Finds people that {@link listPeople} shows to the caller by words of their names and captions:
 * every word has one of its forms in a name, in the address or in the caption.
 * @param words forms of each word, in normal form
 */
export async function findPeopleByWords(scope: Scope, words: readonly (readonly string[])[]): Promise<User[]> {
  const search = (parameters: Parameters) => captionSearchSql(words, parameters);
  const { items } = await list(scope, people, { pageSize: MOST_FOUND }, (row: UserViewRow) => presentUser(row, scope), [
    search,
  ]);
  return items;
}

/**
 * Lists groups that the caller may mention or choose (operation listPeopleGroups), by name and id.
 * Omits groups that only administrators see. With a post: the groups whose membership allows
 * reading it.
 * @throws as {@link listPeople}
 */
export async function listPeopleGroups(scope: Scope, input: ListPeopleRequest): Promise<ListPeopleGroupsResponse> {
  return list(scope, groups, input, (row: GroupViewRow) => presentGroup(row));
}

async function list<Row extends object, Item>(
  scope: Scope,
  { operation, from, id, order, select, always, search, within }: Listing,
  input: ListPeopleRequest,
  present: (row: Row) => Item,
  conditions: readonly ((parameters: Parameters) => string)[] = [],
) {
  const { pageToken, pageSize, calculateTotalItemsCount, fullTextFilter, communityId, postId, ids = [] } = input;
  const page = readPaging<SortKey>(scope, operation, { pageToken, pageSize, calculateTotalItemsCount }, [
    fullTextFilter ?? '',
    communityId ?? null,
    postId ?? null,
    ids.join(),
  ]);
  const parameters = new Parameters([scope.tenant.id]);
  const circles = await readCircles(scope, input, parameters);
  const where = [
    ...always,
    ...(ids.length > 0 ? [`${id} = ANY (${parameters.add(ids)}::bigint[])`] : []),
    ...circles.map(within),
    ...nameSearchSql(search, fullTextFilter, parameters),
    ...conditions.map((condition) => condition(parameters)),
  ];
  const { rows, ...paging } = await readPage<Row>(scope.db, page, { select, from, where, order }, parameters);
  return { items: rows.map(present), ...paging };
}

/** @throws PorticoError 404; see {@link listPeople} */
async function readCircles(scope: Scope, asked: ListPeopleRequest, parameters: Parameters): Promise<Circles> {
  const { actor } = scope;
  const { communityId, postId } = asked;
  const withRole = (communityIds: readonly number[], permission?: CommunityPermission) =>
    `SELECT given.principal FROM (${givenRolesSql({ communities: `${parameters.add(communityIds)}::bigint[]` })}) given
      WHERE ${permission ? hasPermissionSql(roleBitsSql('given.role_id'), permission) : 'given.role_id IS NOT NULL'}`;
  if (communityId !== undefined && communityId !== null && !actor.roles.has(communityId)) throw notFound();
  const circles: string[] = [];
  if (postId !== undefined && postId !== null) {
    const post = await readPost(scope, postId);
    if (!post) throw notFound();
    circles.push(withRole([post.communityId]));
    const granted = grantedPrincipalsSql(`${parameters.add(postId)}::bigint`);
    const byRole = post.visibility === Visibility.PRIVATE ? 'readAllPosts' : 'readPublicPosts';
    circles.push(`${withRole([post.communityId], byRole)} UNION ALL SELECT unnest(${granted})`);
  }
  if (communityId !== undefined && communityId !== null) circles.push(withRole([communityId]));
  return circles.length > 0 ? circles : [withRole([...actor.roles.keys()])];
}

/**
 * Returns a post that the caller sees, including their own drafts. The readers of a draft are its
 * readers after publication.
 */
async function readPost(scope: Scope, postId: number) {
  const parameters = new Parameters([scope.tenant.id, postId]);
  const seen = seenPostSql('p', scope.actor, parameters);
  const [post] = await scope.db.query<{ communityId: number; visibility: Visibility }>(
    `SELECT ${p.community_id} AS "communityId", ${p.visibility} FROM posts p
      WHERE p.tenant_id = $1 AND ${p.id} = $2 AND ${seen}`,
    parameters.values,
  );
  return post;
}
