/** People and groups shown beside their content, with the links to their photos. */
import type { Group, User } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import type { TenantContext } from '../../../kernel/scope.ts';
import { loadGroupViews, loadUserViews } from '../../people/index.ts';

/** Users and groups by principal (groups negated), in two statements. */
export async function peopleBehind(
  scope: TenantContext,
  db: TenantExecutor,
  principals: readonly number[],
): Promise<{ users: Map<number, User>; groups: Map<number, Group> }> {
  return {
    users: await loadUserViews(
      scope,
      db,
      principals.filter((id) => id > 0),
    ),
    groups: await loadGroupViews(
      db,
      principals.filter((id) => id < 0).map((id) => -id),
    ),
  };
}
