/** SQL of sign-ins on devices. The device has its code; the database stores hashes. */
import { createHash } from 'node:crypto';
import type { TenantExecutor, TenantTx } from '@portico/platform/db/tenant-db';
import type { DueWork } from '../../../kernel/due-work.ts';
import { hashOfSecret } from './personal-tokens.repository.ts';

/** A device that asks to sign in. */
export interface AskingDevice {
  name: string;
  readOnly: boolean;
  validDays: number;
  /** Network address of the device. */
  address: string | null;
  /** Epoch milliseconds, like the other times. */
  createdAt: number;
  expiresAt: number;
}

/** The result of a sign-in: undecided (null), refused, or confirmed with the token, unless it ended. */
interface DeviceResult {
  confirmed: boolean | null;
  tokenId: number | null;
  expiresAt: number | null;
}

const COLUMNS = `d.name, d.read_only AS "readOnly", d.valid_days AS "validDays", d.address,
  d.created_at AS "createdAt", d.expires_at AS "expiresAt"`;

/** Returns the secret of the token that a device receives: it follows from the code of the device. */
export const tokenOfDevice = (deviceCode: string) =>
  createHash('sha256').update(`token of ${deviceCode}`).digest('base64url');

/** Adds a sign-in. @returns false if another one has the code for the person */
export async function insertDevice(
  db: TenantExecutor,
  codes: { deviceCode: string; userCode: string; secret: string },
  device: AskingDevice,
): Promise<boolean> {
  const added = await db.execute(
    `INSERT INTO device_sign_ins
       (tenant_id, device_hash, user_code, token_hash, name, read_only, valid_days, address, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING`,
    [
      db.tenantId,
      hashOfSecret(codes.deviceCode),
      codes.userCode,
      hashOfSecret(codes.secret),
      device.name,
      device.readOnly,
      device.validDays,
      device.address,
      new Date(device.createdAt),
      new Date(device.expiresAt),
    ],
  );
  return added === 1;
}

/** Returns the undecided sign-in with a code. @param now epoch milliseconds */
export async function readDevice(db: TenantExecutor, userCode: string, now: number): Promise<AskingDevice | undefined> {
  const [device] = await db.query<AskingDevice>(
    `SELECT ${COLUMNS} FROM device_sign_ins d
      WHERE d.tenant_id = $1 AND d.user_code = $2 AND d.confirmed IS NULL AND d.expires_at > $3`,
    [db.tenantId, userCode, new Date(now)],
  );
  return device;
}

/**
 * Records the decision about a sign-in: the first one counts.
 * @param now epoch milliseconds
 * @returns the device and the hash of its token; undefined for an unknown, decided or expired code
 */
export async function decideDevice(
  tx: TenantTx,
  userCode: string,
  confirmed: boolean,
  now: number,
): Promise<(AskingDevice & { tokenHash: Buffer }) | undefined> {
  const [device] = await tx.query<AskingDevice & { tokenHash: Buffer }>(
    `UPDATE device_sign_ins d SET confirmed = $3
      WHERE d.tenant_id = $1 AND d.user_code = $2 AND d.confirmed IS NULL AND d.expires_at > $4
      RETURNING ${COLUMNS}, d.token_hash AS "tokenHash"`,
    [tx.tenantId, userCode, confirmed, new Date(now)],
  );
  return device;
}

/** Returns the result of a sign-in; undefined for an unknown or expired code. @param now epoch milliseconds */
export async function readResult(
  db: TenantExecutor,
  deviceCode: string,
  now: number,
): Promise<DeviceResult | undefined> {
  const [result] = await db.query<DeviceResult>(
    `SELECT d.confirmed, t.id AS "tokenId", t.expires_at AS "expiresAt"
       FROM device_sign_ins d
       LEFT JOIN personal_tokens t ON t.tenant_id = d.tenant_id AND t.secret_hash = d.token_hash
      WHERE d.tenant_id = $1 AND d.device_hash = $2 AND d.expires_at > $3`,
    [db.tenantId, hashOfSecret(deviceCode), new Date(now)],
  );
  return result;
}

/** Time at which sign-ins on devices expire. */
export const deviceSignInsDue: DueWork = {
  earliest: 'SELECT min(expires_at) FROM device_sign_ins WHERE tenant_id = $1',
};

/** Deletes expired sign-ins on devices. @param now epoch milliseconds */
export async function forgetDeviceSignIns(db: TenantExecutor, now: number): Promise<void> {
  await db.execute('DELETE FROM device_sign_ins WHERE tenant_id = $1 AND expires_at <= $2', [
    db.tenantId,
    new Date(now),
  ]);
}
