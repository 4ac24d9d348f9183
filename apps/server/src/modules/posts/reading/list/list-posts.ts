/** The list of a community's posts, whole: filters, order, pages, totals. */
import { maximumPageSize, type PagedListPostsResponse } from '@portico/contract';
import { notFound } from '../../../../kernel/errors.ts';
import { type PagingInput, readPaging, toPage } from '../../../../kernel/paging/index.ts';
import type { Scope } from '../../../../kernel/scope.ts';
import { getDefinition, seesCommunity } from '../../../communities/index.ts';
import { observeList } from '../../list-shapes/index.ts';
import { hydratePosts, type LoadFlags } from '../hydrate-posts.ts';
import { countAll, findPage, type Tuning } from './find-page.ts';
import { type ListInput, readListInput } from './list-input.ts';
import { type PageKey, pageKeyOf } from './page-query.ts';

/** The ids of a page, found by one statement (two or three when filters have to be counted or a walk was in vain). */
export interface IdPage {
  readonly ids: readonly number[];
  readonly nextPageToken?: string;
  readonly totalItemsCount?: number;
}

/**
 * Ids of a page of a community's posts.
 * @param operation operation id that page tokens are bound to
 * @param tuning other bounds for the choice of plans, for tests and benches
 * @throws PorticoError NOT_FOUND for a community that is unknown or not visible, alike; ValidationError for filters and
 *   orders that cannot be; PAGE_TOKEN_… for tokens of another list
 */
export async function listPostIds(
  scope: Scope,
  operation: string,
  communityId: number,
  input: ListInput,
  queryPaging?: PagingInput,
  tuning?: Tuning,
): Promise<IdPage> {
  const definition = seesCommunity(scope.actor, communityId) ? await getDefinition(scope, communityId) : undefined;
  if (!definition) throw notFound();
  const { query, binding } = await readListInput(input, { scope, definition });
  const page = readPaging<PageKey>(scope, operation, input, binding, queryPaging);
  const observed = observeList(scope, communityId, input);
  const now = scope.clock.now();
  const asked = rowsFor(page.size);
  const found = await findPage({ db: observed.page, now, tuning }, query, asked, page.after);
  observed.done(found.length);
  // A first page that was not filled is the whole list.
  const whole = page.after === undefined && found.length < asked;
  const total = !page.withTotal
    ? undefined
    : whole
      ? found.length
      : await countAll({ db: observed.total, now, tuning }, query);
  const { rows, nextPageToken } = toPage(page, found, (row) => pageKeyOf(query.order, row));
  return {
    ids: rows.map((row) => row.id),
    ...(nextPageToken !== undefined && { nextPageToken }),
    ...(total !== undefined && { totalItemsCount: total }),
  };
}

/** Numbers of rows that statements ask for: few, so that a connection keeps few prepared statements. */
const ROWS = [2, 11, 21, 51, 101, 201, maximumPageSize + 1];

/** Rows to ask for to fill a page and to learn whether another follows. */
function rowsFor(pageSize: number): number {
  return ROWS.find((rows) => rows > pageSize) ?? maximumPageSize + 1;
}

/** A page of a community's posts. */
export async function listPosts(
  scope: Scope,
  operation: string,
  communityId: number,
  input: ListInput,
  query: LoadFlags & PagingInput,
): Promise<PagedListPostsResponse> {
  const { ids, ...page } = await listPostIds(scope, operation, communityId, input, query);
  return { items: await hydratePosts(scope, ids, query), ...page };
}
