/** Reads the posts of a list page by page, as far as a bound. */
import { portal } from '../../portal.ts';
import type { ListedPost, ListQuery } from '../use-posts.ts';

/** Maximum number of posts that can be selected. */
export const MOST_POSTS = 10_000;
/** Maximum number of posts in a page. */
const PAGE = 500;

/**
 * @param query with the members of posts that are wanted
 * @param onProgress called after each page with the number of posts read so far
 * @returns the posts in the order of the list, and whether the list has more than `most`
 */
export async function readPosts(
  query: ListQuery,
  most: number,
  { signal, onProgress }: { signal?: AbortSignal; onProgress?: (read: number) => void } = {},
): Promise<{ posts: readonly ListedPost[]; more: boolean }> {
  const posts = new Map<number, ListedPost>();
  let pageToken: string | undefined;
  do {
    const page = await portal.posts.list(
      { ...query, pageSize: Math.min(PAGE, most), ...(pageToken !== undefined && { pageToken }) },
      { signal },
    );
    // A post that moves in the list while it is read may come twice.
    for (const post of page.items ?? []) posts.set(post.id!, post);
    pageToken = page.nextPageToken;
    onProgress?.(posts.size);
  } while (pageToken !== undefined && posts.size < most);
  return { posts: [...posts.values()].slice(0, most), more: pageToken !== undefined || posts.size > most };
}
