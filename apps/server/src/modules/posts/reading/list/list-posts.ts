/** The list of a community's posts: filters, order, pages, totals. */
import { maximumPageSize, type PagedListPostsResponse, postListFields } from '@portico/contract';
import { notFound } from '../../../../kernel/errors.ts';
import { type PagingInput, readPaging, toPage } from '../../../../kernel/paging/index.ts';
import type { Scope } from '../../../../kernel/scope.ts';
import { type CommunityDefinition, getDefinition, seesCommunity } from '../../../communities/index.ts';
import { checkAskedFields, readAskedFields } from '../asked-fields.ts';
import { hydratePosts, type LoadFlags, lastFitting, rowsBeside } from '../hydrate-posts.ts';
import type { PostListRow } from '../post-rows.repository.ts';
import { countAll, type FindContext, findPage, type Tuning } from './find-page.ts';
import { type ListInput, readListInput } from './list-input.ts';
import { type PageKey, pageKeyOf } from './page-query.ts';

/** The ids of a page, found by one statement (two or three when filters are counted or an index scan exceeds its budget). */
interface IdPage {
  readonly ids: readonly number[];
  /** The posts, if `beside` was given and one statement sufficed. */
  readonly rows?: readonly PostListRow[];
  readonly nextPageToken?: string;
  readonly totalItemsCount?: number;
  /** Returns the token of the page after a post of this one. */
  tokenAfter(id: number): string;
}

interface ListOptions {
  /** Paging parameters of the query, for operations that accept them there too. */
  readonly paging?: PagingInput;
  /** Other limits for the choice of plans, for tests and benchmarks. */
  readonly tuning?: Tuning;
  /** Parts of the posts to read at once, by `rowsBeside`. */
  readonly beside?: FindContext['beside'];
}

/**
 * Returns ids of a page of a community's posts.
 * @param operation operation id that page tokens are bound to
 * @throws PorticoError NOT_FOUND for a community that does not exist or is not visible;
 *   ValidationError for invalid filters and orders; PAGE_TOKEN_… for tokens of another list
 */
export async function listPostIds(
  scope: Scope,
  operation: string,
  communityId: number,
  input: ListInput,
  { paging, tuning, beside }: ListOptions = {},
): Promise<IdPage> {
  const definition = await visibleDefinition(scope, communityId);
  const { query, binding } = await readListInput(input, { scope, definition });
  const page = readPaging<PageKey>(scope, operation, input, binding, paging);
  const limit = limitFor(page.size);
  const context = { db: scope.db, tuning, beside };
  const found = await findPage(context, query, limit, page.after);
  // A first page that was not filled is the whole list.
  const complete = page.after === undefined && found.length < limit;
  let total: number | undefined;
  if (page.withTotal) total = complete ? found.length : await countAll(context, query);
  const { rows, nextPageToken } = toPage(page, found, (row) => pageKeyOf(query.order, row));
  return {
    ids: rows.map((row) => row.id),
    ...(rows.every((row) => row.loaded) && { rows: rows as unknown as PostListRow[] }),
    ...(nextPageToken !== undefined && { nextPageToken }),
    ...(total !== undefined && { totalItemsCount: total }),
    tokenAfter: (id) => page.tokenAfter(pageKeyOf(query.order, rows.find((row) => row.id === id)!)),
  };
}

/**
 * Returns the definition of a community.
 * @throws PorticoError NOT_FOUND for a community that does not exist or is not visible
 */
export async function visibleDefinition(scope: Scope, communityId: number): Promise<CommunityDefinition> {
  const definition = seesCommunity(scope.actor, communityId) ? await getDefinition(scope, communityId) : undefined;
  if (!definition) throw notFound();
  return definition;
}

/** Values of LIMIT: few, so that a connection keeps few prepared statements. */
const LIMITS = [2, 11, 21, 51, 101, 201, maximumPageSize + 1];

/** Returns the number of rows to fetch to fill a page and to know whether another follows. */
function limitFor(pageSize: number): number {
  return LIMITS.find((limit) => limit > pageSize) ?? maximumPageSize + 1;
}

/** Returns a page of a community's posts. */
export async function listPosts(
  scope: Scope,
  operation: string,
  communityId: number,
  input: ListInput,
  query: LoadFlags & PagingInput & { readonly fields?: string | readonly string[] },
): Promise<PagedListPostsResponse> {
  const asked = readAskedFields(query.fields, postListFields);
  const definition = await visibleDefinition(scope, communityId);
  checkAskedFields(asked, definition);
  const beside = rowsBeside(scope, query, asked, definition);
  const { ids, rows, tokenAfter, ...page } = await listPostIds(scope, operation, communityId, input, {
    paging: query,
    beside,
  });
  const items = await hydratePosts(scope, ids, query, asked, rows);
  const last = lastFitting(ids, items);
  return { items, ...page, ...(last !== undefined && { nextPageToken: tokenAfter(last) }) };
}
