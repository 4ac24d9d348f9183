/**
 * Operations getNotificationPreferences and editNotificationPreferences: preferences of the caller.
 */
import type { EditNotificationPreferencesRequest, NotificationPreferences } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { writeTransaction } from '../../kernel/access/index.ts';
import { FieldErrors } from '../../kernel/errors.ts';
import type { Actor, Context, Scope } from '../../kernel/scope.ts';
import { type PreferenceRow, readPreferences, writePreferences } from './notifications.repository.ts';

export async function getNotificationPreferences(scope: Scope): Promise<NotificationPreferences> {
  return present(scope.db, scope.actor);
}

/** Stores the given preferences; others stay. @throws ValidationError with every error */
export async function editNotificationPreferences(
  scope: Scope,
  body: EditNotificationPreferencesRequest,
): Promise<NotificationPreferences> {
  return writeTransaction(scope, 'none', async (write) => {
    await writePreferences(write, readEntries(write, body));
    return present(write.tx, write.actor);
  });
}

/** Omits preferences for communities in which the caller has no role: they have no effect. */
async function present(db: TenantExecutor, actor: Actor): Promise<NotificationPreferences> {
  const rows = await readPreferences(db, actor.userId);
  return {
    preferences: rows
      .filter(({ communityId }) => communityId === 0 || actor.roles.has(communityId))
      .map(({ communityId, kind, enabled }) => ({
        kind,
        communityId: communityId !== 0 ? communityId : undefined,
        enabled,
      })),
  };
}

/** @throws ValidationError with every error */
function readEntries(
  { actor, missing }: Context,
  { preferences }: EditNotificationPreferencesRequest,
): PreferenceRow[] {
  const errors = new FieldErrors(missing);
  const entries = new Map<string, PreferenceRow>();
  for (const [index, { kind, communityId, enabled }] of (preferences ?? []).entries()) {
    const field = `preferences[${index}]`;
    if (communityId !== undefined && !actor.roles.has(communityId)) {
      errors.add(`${field}.communityId`, 'UNKNOWN_REFERENCE');
    }
    if (kind === undefined || enabled === undefined) continue;
    const of = communityId ?? 0;
    entries.set(`${of} ${kind}`, { communityId: of, kind, enabled });
  }
  errors.throwIfAny();
  return [...entries.values()];
}
