/** Settings of a tenant as its administrators read and edit them (operations getTenantSettings, editTenantSettings). */

import type {
  EditTenantSettingsRequest,
  EditTenantSettingsResponse,
  GetTenantSettingsResponse,
} from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import {
  administrativeRights,
  holds,
  keepingHolders,
  requireRight,
  writeTransaction,
} from '../../kernel/access/index.ts';
import { FieldErrors, forbidden } from '../../kernel/errors.ts';
import type { Actor, Scope } from '../../kernel/scope.ts';
import { logoUrl } from './branding.ts';
import {
  findSettingFaults,
  hasProvider,
  lockSettingsVersion,
  NO_PROVIDER,
  readVersionedSettings,
  staleSettings,
  writeTenantSettings,
} from './tenant-settings.ts';

/** @throws PorticoError FORBIDDEN without the right manageDigitalWorplace */
export async function getTenantSettings(scope: Scope): Promise<GetTenantSettingsResponse> {
  const { actor, db, tenant } = scope;
  requireRight(actor, 'manageDigitalWorplace');
  const { version, providerClientIds: _operators, logoContentRef, ...values } = await readVersionedSettings(db);
  const hosts = await db.query<{ host: string }>(
    'SELECT host FROM tenant_hosts WHERE tenant_id = $1 ORDER BY is_primary DESC, host',
    [db.tenantId],
  );
  // Unset fields are omitted from the response.
  const present = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
  return {
    name: tenant.displayName,
    hosts: hosts.map(({ host }) => host),
    ...present,
    logoUrl: logoUrl(scope, logoContentRef),
    occToken: version,
  };
}

const UNSET = {
  accessTokenSeconds: null,
  sessionIdleSeconds: null,
  sessionSeconds: null,
  notificationRetentionDays: null,
  auditRetentionDays: null,
} as const;

/**
 * Replaces the settings of administrators; running servers use them within a second.
 * @throws PorticoError FORBIDDEN without the right manageDigitalWorplace, for sign-in rules without
 *   every right, or where the last holder of a right could not sign in any more;
 *   CONFLICT_STALE_TOKEN with the last editor and the time; ValidationError
 */
export async function editTenantSettings(
  scope: Scope,
  { occToken, ...input }: EditTenantSettingsRequest,
): Promise<EditTenantSettingsResponse> {
  // A required provider ends other ways to sign in, so the change runs in turn with other changes
  // of access.
  const invalidates = input.requireProvider === true ? 'access' : 'none';
  return writeTransaction(scope, invalidates, async (write) => {
    const { tx, actor, now } = write;
    requireRight(actor, 'manageDigitalWorplace');
    const version = await lockSettingsVersion(tx);
    if (occToken !== undefined && occToken !== version) throw await staleSettings(tx, version);
    const noProvider = input.requireProvider === true && !(await hasProvider(tx));
    const errors = new FieldErrors(write.missing);
    for (const { field, message } of findSettingFaults(input)) errors.add(field, 'INVALID_VALUE', message);
    if (noProvider) errors.add('requireProvider', 'INVALID_VALUE', NO_PROVIDER);
    errors.throwIfAny();
    await mustDecideSignIn(tx, actor, input);
    // Omitted optional fields get the default.
    const values = { ...UNSET, ...input, ...(input.name !== undefined && { name: input.name.trim() }) };
    const change = () => writeTenantSettings(tx, values, { by: actor.userId, at: now });
    await (invalidates === 'access' ? keepingHolders(write, change) : change());
    return { nextOccToken: version + 1 };
  });
}

/**
 * Checks that the actor may change how people sign in. The rule also concerns the accounts of
 * people who manage users; a personal access token may not change it.
 * @throws PorticoError FORBIDDEN where that changes and the actor lacks an administrative right
 */
async function mustDecideSignIn(tx: TenantExecutor, actor: Actor, input: EditTenantSettingsRequest): Promise<void> {
  const before = await readVersionedSettings(tx);
  const changed = (['requireSecondFactor', 'requireProvider'] as const).filter(
    (name) => input[name] !== undefined && input[name] !== before[name],
  );
  const missing = administrativeRights.filter((right) => !holds(actor, right));
  if (changed.length > 0 && missing.length > 0)
    throw forbidden(`Missing administrative right: ${missing.join(', ')}, which ${changed.join(' and ')} needs too.`);
}
