/** The keys by which push services recognise a tenant (VAPID, RFC 8292), and what is sealed of push. */
import type { TenantDb } from '@portico/platform/db/tenant-db';
import type { SealedPlace, Sealer } from '@portico/platform/sealing';
import { insertPushKey, readPushKey } from './push.repository.ts';

/** A browser, as it subscribed at its push service. */
export interface Subscription {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

/** Pair of keys, in base64url. */
export interface PushKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** Returns the encryption context of a subscription. */
export function placeOfSubscription(tenantId: number, id: number): SealedPlace {
  return { tenantId, table: 'push_subscriptions', column: 'sealed_subscription', row: id };
}

const placeOfKey = (tenantId: number, publicKey: string): SealedPlace => ({
  tenantId,
  table: 'push_keys',
  column: 'sealed_private_key',
  row: publicKey,
});

/** Returns the public key of the tenant; creates the keys where there are none. */
export async function ensurePushKey(db: TenantDb, sealer: Sealer): Promise<string> {
  const present = await readPushKey(db);
  if (present) return present.publicKey;
  const { default: webPush } = await import('web-push');
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  const sealed = sealer.seal(Buffer.from(privateKey), placeOfKey(db.tenantId, publicKey));
  await insertPushKey(db, { publicKey, sealed });
  return (await readPushKey(db))!.publicKey;
}

/** Returns the keys of the tenant; undefined if there are none. @throws SealingError */
export async function openPushKeys(db: TenantDb, sealer: Sealer): Promise<PushKeys | undefined> {
  const stored = await readPushKey(db);
  if (!stored) return undefined;
  const { publicKey, sealed } = stored;
  return { publicKey, privateKey: sealer.open(sealed, placeOfKey(db.tenantId, publicKey)).toString() };
}
