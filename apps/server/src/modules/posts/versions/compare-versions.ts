/** Operation comparePostVersions: returns the differences between two versions of a post. */

import type { ComparePostVersionsRequest, ComparePostVersionsResponse } from '@portico/contract';
import { requireFields } from '../../../kernel/missing-fields.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { sameValue } from '../../fields/index.ts';
import { withPost } from './read-versions.ts';
import { fieldsOf, presentContents, readContent } from './version-content.ts';
import { PRESENT } from './versions.repository.ts';

/** @throws PorticoError NOT_FOUND (also for a version that is not kept), FORBIDDEN; ValidationError */
export async function comparePostVersions(
  scope: Scope,
  postId: number,
  { fromVersion, toVersion = PRESENT }: ComparePostVersionsRequest,
): Promise<ComparePostVersionsResponse> {
  requireFields(scope);
  const [before, after, changed] = await withPost(scope, postId, async (read, open) => {
    const stored = [await readContent(read, open, fromVersion!), await readContent(read, open, toVersion)];
    const [before, after] = await presentContents(read, open, stored);
    const changed = fieldsOf(open).filter(({ id }) => !sameValue(stored[0]!.values[id], stored[1]!.values[id]));
    return [before!, after!, changed] as const;
  });
  // Without a connection of the database: words are compared in turn with those of others.
  const { differences } = await import('./differences.ts');
  return { fromVersion, toVersion, changes: await differences(before, after, changed, scope.db.caller.signal) };
}
