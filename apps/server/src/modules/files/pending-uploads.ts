/**
 * What one user has in flight: uploads that were begun, come in or have come, and that nothing refers to yet. Their number and
 * bytes are bounded. Whoever adds to them waits for the others of the same user, on every node: what is summed up counts.
 */
import { PorticoError } from '../../kernel/errors.ts';
import type { Clock } from '../../kernel/scope.ts';
import type { TenantDb, TenantTx } from '../../platform/db/tenant-db.ts';
import { addReceiving, pendingUploads } from './files.repository.ts';
import { POLICY_LIFETIME_MS } from './upload-policy.ts';

/** Bounds of what one user has in flight. */
export interface PendingLimits {
  readonly uploads: number;
  /** Bytes of all of them together. */
  readonly bytes: number;
}

export const PENDING_LIMITS: PendingLimits = { uploads: 1_000, bytes: 8 * 1024 ** 3 };

/**
 * Bytes that a body of undeclared length reserves: the least step first, then, whenever that is used up, as much again as has
 * come, within these bounds.
 */
const [LEAST_STEP, LARGEST_STEP] = [1024 ** 2, 64 * 1024 ** 2];

/**
 * Checks that a user may begin another upload; no other request begins one for them until the transaction ends.
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
  // A statement of its own: it sees what those who held the lock before have committed.
  return pendingUploads(tx, userId, new Date(now - POLICY_LIFETIME_MS));
}

function tooMany(present: string, limit: string): PorticoError {
  return new PorticoError('TOO_MANY_UPLOADS', {
    message: `You have ${present} that nothing refers to, and may have ${limit}; use their contentRef in posts, comments or tasks, or wait: what nothing refers to is removed after a day.`,
  });
}

/** One body that comes in, and the room that it holds. */
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
    // What was taken has to be given back, also when the client has gone.
    this.#db = db.detached;
    this.#upload = upload;
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Room that it holds. Bytes. */
  get held(): number {
    return this.#held;
  }

  /**
   * Takes room before the bytes come.
   * @param least bytes without which it cannot continue
   * @param wanted bytes that are taken where there is room for them
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

  /** Passes bytes on, and takes room for those that were not declared. */
  async *pass(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    for await (const chunk of source) {
      this.#came += chunk.byteLength;
      const missing = this.#came - this.#held;
      if (missing > 0)
        await this.hold(missing, Math.max(missing, Math.min(LARGEST_STEP, Math.max(LEAST_STEP, this.#came))));
      yield chunk;
    }
  }

  /** The row of the upload now has its size, instead of the reserved space. */
  settled(): void {
    this.#held = 0;
  }

  /** Gives back what it still holds. */
  async close(): Promise<void> {
    if (this.#held === 0) return;
    await addReceiving(this.#db, this.#upload.contentRef, -this.#held);
    this.#held = 0;
  }
}
