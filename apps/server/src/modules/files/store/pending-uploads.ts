/**
 * Limits of one user's unattached uploads: their number and bytes, from the begun upload to the
 * received file. Requests that add to them take a lock per user, across all nodes, so that the sums
 * are exact.
 */

import type { TenantDb, TenantTx } from '@portico/platform/db/tenant-db';
import { PorticoError } from '../../../kernel/errors.ts';
import type { Clock } from '../../../kernel/scope.ts';
import { addReceiving, pendingUploads } from './files.repository.ts';
import { POLICY_LIFETIME_MS } from './upload-policy.ts';

/** Limits of one user's unattached uploads. */
export interface PendingLimits {
  readonly uploads: number;
  /** Bytes of all of them together. */
  readonly bytes: number;
}

export const PENDING_LIMITS: PendingLimits = { uploads: 1_000, bytes: 8 * 1024 ** 3 };

/**
 * Bytes that a body of undeclared length reserves: first the least step, then, whenever that is
 * used up, as much again as has arrived, within these bounds.
 */
const [LEAST_STEP, LARGEST_STEP] = [1024 ** 2, 64 * 1024 ** 2];

/**
 * Checks that a user may begin another upload. Locks: no other request begins one for this user
 * until the transaction ends.
 * @returns bytes that are left
 * @throws PorticoError TOO_MANY_UPLOADS
 */
export async function requirePlace(tx: TenantTx, userId: number, now: number, limits: PendingLimits): Promise<number> {
  const { uploads, bytes } = await lockPending(tx, userId, now);
  if (uploads >= limits.uploads) throw tooMany(`${uploads} uploads`, String(limits.uploads));
  if (bytes >= limits.bytes) throw tooMany(`uploads of ${bytes} bytes`, `${limits.bytes} bytes`);
  return limits.bytes - bytes;
}

async function lockPending(tx: TenantTx, userId: number, now: number): Promise<{ uploads: number; bytes: number }> {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('portico.pending.' || $1 || '.' || $2, 0))`, [
    tx.tenantId,
    userId,
  ]);
  // A separate statement: its snapshot includes the commits of the previous lock holders.
  return pendingUploads(tx, userId, new Date(now - POLICY_LIFETIME_MS));
}

function tooMany(present: string, limit: string): PorticoError {
  return new PorticoError('TOO_MANY_UPLOADS', {
    message: `You have ${present} that nothing refers to, and may have ${limit}; use their contentRef in posts, comments or tasks, or wait: what nothing refers to is removed after a day.`,
  });
}

/** A body that is being received, with the room that it reserves. */
export class Reception {
  readonly #db: TenantDb;
  readonly #upload: { readonly contentRef: string; readonly creatorId: number };
  readonly #limits: PendingLimits;
  readonly #clock: Clock;
  #held = 0;
  #came = 0;

  constructor(
    db: TenantDb,
    upload: { readonly contentRef: string; readonly creatorId: number },
    limits: PendingLimits,
    clock: Clock,
  ) {
    // Reserved room has to be released, also after the client has disconnected.
    this.#db = db.detached;
    this.#upload = upload;
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Reserved room. Bytes. */
  get held(): number {
    return this.#held;
  }

  /**
   * Reserves room before the bytes arrive.
   * @param least bytes without which the reception cannot continue
   * @param wanted bytes that are reserved if there is room for them
   * @throws PorticoError TOO_MANY_UPLOADS
   */
  async hold(least: number, wanted: number = least): Promise<void> {
    const { contentRef, creatorId } = this.#upload;
    this.#held += await this.#db.transaction(async (tx) => {
      const { bytes } = await lockPending(tx, creatorId, this.#clock.now());
      const left = this.#limits.bytes - bytes;
      if (least > left) throw tooMany(`uploads of ${bytes} bytes`, `${this.#limits.bytes} bytes`);
      const taken = Math.min(wanted, left);
      await addReceiving(tx, contentRef, taken);
      return taken;
    });
  }

  /** Passes bytes on, and reserves room for bytes that were not declared. */
  async *pass(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    for await (const chunk of source) {
      this.#came += chunk.byteLength;
      const missing = this.#came - this.#held;
      if (missing > 0)
        await this.hold(missing, Math.max(missing, Math.min(LARGEST_STEP, Math.max(LEAST_STEP, this.#came))));
      yield chunk;
    }
  }

  /** Records that the row of the upload now has its size, in place of the reservation. */
  settled(): void {
    this.#held = 0;
  }

  /** Releases the remaining reservation. */
  async close(): Promise<void> {
    if (this.#held === 0) return;
    await addReceiving(this.#db, this.#upload.contentRef, -this.#held);
    this.#held = 0;
  }
}
