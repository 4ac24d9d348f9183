/**
 * Operations getNotificationPreferences and editNotificationPreferences: preferences of the caller.
 */
import type { EditNotificationPreferencesRequest, NotificationPreferences } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { writeTransaction } from '../../kernel/access/index.ts';
import { FieldErrors } from '../../kernel/errors.ts';
import type { Context, Scope } from '../../kernel/scope.ts';
import { type PreferenceRow, readPreferences, writePreferences } from './notifications.repository.ts';
import { readRecipients } from './recipients.ts';
import { whyHeld } from './why-held.ts';

export async function getNotificationPreferences(scope: Scope): Promise<NotificationPreferences> {
  return present(scope, scope.db);
}

/** Stores the given preferences; others stay. @throws ValidationError with every error */
export async function editNotificationPreferences(
  scope: Scope,
  body: EditNotificationPreferencesRequest,
): Promise<NotificationPreferences> {
  return writeTransaction(scope, 'none', async (write) => {
    await writePreferences(write, readEntries(write, body));
    return present(write, write.tx);
  });
}

/** Omits preferences for communities in which the caller has no role: they have no effect. */
async function present(scope: Context, db: TenantExecutor): Promise<NotificationPreferences> {
  const { actor } = scope;
  const rows = await readPreferences(db, actor.userId);
  const [recipient] = await readRecipients(db, [actor.userId], scope.clock.now());
  const held = whyHeld(scope, recipient);
  return {
    preferences: rows
      .filter(({ communityId }) => communityId === 0 || actor.roles.has(communityId))
      .map(({ communityId, kind, enabled, mail, push }) => ({
        kind,
        communityId: communityId !== 0 ? communityId : undefined,
        enabled: enabled ?? undefined,
        mail: mail ?? undefined,
        push: push ?? undefined,
      })),
    mailAddress: held === undefined ? (recipient?.address ?? undefined) : undefined,
    mailHeld: held,
  };
}

/** @throws ValidationError with every error */
function readEntries(
  { actor, missing }: Context,
  { preferences }: EditNotificationPreferencesRequest,
): PreferenceRow[] {
  const errors = new FieldErrors(missing);
  const entries = new Map<string, PreferenceRow>();
  for (const [index, { kind, communityId, enabled, mail, push }] of (preferences ?? []).entries()) {
    const field = `preferences[${index}]`;
    if (communityId !== undefined && !actor.roles.has(communityId)) {
      errors.add(`${field}.communityId`, 'UNKNOWN_REFERENCE');
    }
    if (enabled === undefined && mail === undefined && push === undefined)
      errors.add(`${field}.enabled`, 'REQUIRED_FIELD', 'Send `enabled`, `mail` or `push`.');
    if (kind === undefined) continue;
    const of = communityId ?? 0;
    const before = entries.get(`${of} ${kind}`);
    entries.set(`${of} ${kind}`, {
      communityId: of,
      kind,
      enabled: enabled ?? before?.enabled ?? null,
      mail: mail ?? before?.mail ?? null,
      push: push ?? before?.push ?? null,
    });
  }
  errors.throwIfAny();
  return [...entries.values()];
}
