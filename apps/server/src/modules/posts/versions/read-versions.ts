/** Operations listPostVersions and getPostVersion. */

import type {
  GetPostVersionRequest,
  ListPostVersionsRequest,
  ListPostVersionsResponse,
  PostVersionContent,
} from '@portico/contract';
import { readAtOnce, type WriteScope } from '../../../kernel/access/index.ts';
import { requireFields } from '../../../kernel/missing-fields.ts';
import { readPaging, toPage } from '../../../kernel/paging/index.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { usersOf } from '../../people/index.ts';
import { type OpenPost, openPost } from '../writing/open-post.ts';
import { fieldsOf, presentContents, readContent } from './version-content.ts';
import { countPostVersions, pageOfPostVersions } from './versions.repository.ts';

const PARTS = ['title', 'description', 'hashtags', 'event', 'attachments'] as const;

/**
 * Reads versions of a post as of one moment. @throws PorticoError NOT_FOUND; FORBIDDEN if the
 * caller may not edit it
 */
export async function withPost<T>(
  scope: Scope,
  postId: number,
  work: (read: WriteScope, open: OpenPost) => Promise<T>,
): Promise<T> {
  return readAtOnce(scope, async (read) =>
    work(read, await openPost(read, postId, { need: 'canModify', hold: false })),
  );
}

/**
 * Lists the versions of a post, the present one first. @throws PorticoError NOT_FOUND, FORBIDDEN
 */
export async function listPostVersions(
  scope: Scope,
  postId: number,
  body: ListPostVersionsRequest,
): Promise<ListPostVersionsResponse> {
  const request = readPaging<[number]>(scope, 'listPostVersions', body, { postId });
  return withPost(scope, postId, async (read, open) => {
    const shown = new Set(fieldsOf(open).map(({ id }) => id));
    const found = await pageOfPostVersions(read.tx, postId, request.after?.[0], request.size + 1);
    const { rows, nextPageToken } = toPage(request, found, (row): [number] => [row.version]);
    const authors = rows.map(({ authorId }) => authorId);
    const users = await usersOf(read, read.tx, authors);
    return {
      items: rows.map(({ version, authorId, authoredAt, changed }) => ({
        versionNumber: version,
        editorUser: users.get(authorId),
        timestamp: authoredAt,
        changedParts: PARTS.filter((part) => changed?.includes(part)),
        changedFieldIds: (changed ?? [])
          .filter((part) => part.startsWith('field.'))
          .map((part) => Number(part.slice('field.'.length)))
          .filter((id) => shown.has(id)),
      })),
      nextPageToken,
      totalItemsCount: request.withTotal ? await countPostVersions(read.tx, postId) : undefined,
    };
  });
}

/** @throws PorticoError NOT_FOUND (also for a version that is not kept), FORBIDDEN; ValidationError */
export async function getPostVersion(
  scope: Scope,
  postId: number,
  { versionNumber }: GetPostVersionRequest,
): Promise<PostVersionContent> {
  requireFields(scope);
  return withPost(scope, postId, async (read, open) => {
    const [content] = await presentContents(read, open, [await readContent(read, open, versionNumber!)]);
    return content!;
  });
}
