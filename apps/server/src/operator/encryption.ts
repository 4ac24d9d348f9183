/** Encryption of the secrets in the database with a new key, and after a key was lost. */

import { listSealingKeyIds, removeSealingKeyIds, withSealingLock } from '@portico/platform/db/sealing-keys';
import type { TenantDb } from '@portico/platform/db/tenant-db';
import type pg from 'pg';
import { countSealed, type SealedCount, sealRows } from '../kernel/tables/seal-rows.ts';
import { forgetUnreadableSubscriptions } from '../modules/notifications/index.ts';
import { forgetUnreadableClientSecrets, forgetUnreadableMails, forgetUnreadableTotp } from '../modules/people/index.ts';
import { tables } from '../modules/tables.ts';
import type { TenantServices } from '../modules/tenants/index.ts';
import { forgetUnreadableWebhooks } from '../modules/webhooks/index.ts';
import { keyKinds, rotateKey } from './keys.ts';

/** Result of a change of keys, in numbers of secrets. */
export interface EncryptionReport {
  /** Encrypted with the newest key by this command. */
  changed: number;
  /** The configured keys, the newest first, and how many secrets need each. */
  keys: { id: string; secrets: number }[];
}

/**
 * Encrypts everything with the newest key, so that the others can be removed from the configuration.
 * @throws SealingError for a value that was changed outside of the service
 */
export async function encryptAnew(services: TenantServices, owner: pg.ClientBase): Promise<EncryptionReport> {
  return withSealingLock(owner, async () => {
    let changed = 0;
    const counts: SealedCount[] = [];
    for (const id of await tenantIds(owner)) {
      const db = services.databases.for(id);
      changed += await sealRows(db, tables, services.sealer);
      counts.push(...(await countSealed(db, tables)));
    }
    const needing = (keyId: string) =>
      counts.filter((row) => row.keyId === keyId).reduce((sum, { count }) => sum + count, 0);
    const [newest] = services.sealer.keyIds;
    const unused = (await listSealingKeyIds(owner)).filter((id) => id !== newest && needing(id) === 0);
    await removeSealingKeyIds(owner, unused);
    return { changed, keys: services.sealer.keyIds.map((id) => ({ id, secrets: needing(id) })) };
  });
}

/** Secrets given up because their key is lost. */
export interface LostSecretsReport {
  /** Tenants whose keys were replaced. */
  tenants: string[];
  /** Mails whose links were removed. */
  mails: number;
  /** People whose authenticator app was removed: they sign in with the password alone until they set up another one. */
  authenticatorApps: number;
  /** Identity providers that lost their client secret and were disabled. */
  identityProviders: number;
  /** Webhooks that lost their address or secret and were stopped. */
  webhooks: number;
  /** Browsers that get no notifications any more, until people switch them on again. */
  browsers: number;
}

/**
 * Functions that remove unreadable secrets, by table; secrets of other tables are keys of the
 * tenant, which are replaced.
 */
const REMOVALS: Readonly<
  Record<
    string,
    {
      counted: 'mails' | 'authenticatorApps' | 'identityProviders' | 'webhooks' | 'browsers';
      /** @param now epoch milliseconds @returns how many were removed */
      remove(db: TenantDb, keyIds: readonly string[], now: number): Promise<number>;
    }
  >
> = {
  outgoing_mails: { counted: 'mails', remove: (db, keyIds, now) => forgetUnreadableMails(db, now, keyIds) },
  totp_factors: { counted: 'authenticatorApps', remove: forgetUnreadableTotp },
  identity_providers: { counted: 'identityProviders', remove: forgetUnreadableClientSecrets },
  webhooks: { counted: 'webhooks', remove: forgetUnreadableWebhooks },
  // After an address was lost, its webhook has been counted.
  webhook_secrets: { counted: 'webhooks', remove: forgetUnreadableWebhooks },
  push_keys: { counted: 'browsers', remove: forgetUnreadableSubscriptions },
  push_subscriptions: { counted: 'browsers', remove: forgetUnreadableSubscriptions },
};

/**
 * Replaces every secret that no configured key opens. Signatures of the old secrets become invalid.
 */
export function replaceLostSecrets(services: TenantServices, owner: pg.ClientBase): Promise<LostSecretsReport> {
  return withSealingLock(owner, async () => {
    const { keyIds } = services.sealer;
    const report: LostSecretsReport = {
      tenants: [],
      mails: 0,
      authenticatorApps: 0,
      identityProviders: 0,
      webhooks: 0,
      browsers: 0,
    };
    const { rows } = await owner.query<{ id: string; name: string }>('SELECT id, name FROM tenants ORDER BY id');
    for (const { id, name } of rows) {
      const db = services.databases.for(Number(id));
      const lost = (await countSealed(db, tables)).filter((row) => !keyIds.includes(row.keyId));
      for (const [table, { counted, remove }] of Object.entries(REMOVALS))
        if (lost.some((row) => row.table === table)) report[counted] += await remove(db, keyIds, services.clock.now());
      if (lost.every(({ table }) => table in REMOVALS)) continue;
      for (const kind of keyKinds)
        await rotateKey(db, services.sealer, kind, services.clock.now(), { withdrawOthers: true });
      report.tenants.push(name);
    }
    const unknown = (await listSealingKeyIds(owner)).filter((keyId) => !keyIds.includes(keyId));
    await removeSealingKeyIds(owner, unknown);
    return report;
  });
}

async function tenantIds(owner: pg.ClientBase): Promise<number[]> {
  const { rows } = await owner.query<{ id: string }>('SELECT id FROM tenants ORDER BY id');
  return rows.map(({ id }) => Number(id));
}
