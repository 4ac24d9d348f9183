/** The operations of versions of posts. */
import type { Handlers } from '../../../kernel/operations.ts';
import { edited } from '../writing/writing.routes.ts';
import { comparePostVersions } from './compare-versions.ts';
import { getPostVersion, listPostVersions } from './read-versions.ts';
import { restorePostVersion } from './restore-version.ts';

export const postVersionHandlers = {
  listPostVersions: ({ scope, params, body }) => listPostVersions(scope, params.postId, body),
  getPostVersion: ({ scope, params, body }) => getPostVersion(scope, params.postId, body),
  comparePostVersions: ({ scope, params, body }) => comparePostVersions(scope, params.postId, body),
  restorePostVersion: ({ scope, params, body }) => restorePostVersion(scope, params.postId, body, edited),
} satisfies Handlers;
