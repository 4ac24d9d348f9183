/**
 * Stores the response of a write sent with an `Idempotency-Key`, in the transaction of the write
 * itself.
 */
import type { Operation } from '@portico/contract';
import { type DeclaredName, withoutSecrets } from '@portico/contract/schemas';
import type { TenantTx } from '@portico/platform/db/tenant-db';
import { finishInTurns } from '@portico/platform/parts';
import { stableHashParts } from '@portico/platform/tokens';
import { PorticoError } from './errors.ts';
import type { Scope } from './scope.ts';

/** A key with the request that it first came with. */
interface KeyedRequest {
  readonly key: string;
  /** Hash of the request. */
  readonly digest: string;
}

/** Returns the hash of a request, made in turns. @param asked the path, query and body */
export async function digestOf(operation: Operation, asked: readonly unknown[]): Promise<string> {
  const whole = [operation.id, ...asked];
  // In a merge patch null is a value. The empty list stands where earlier versions had the paths of nulls.
  return finishInTurns(operation.mergePatch ? stableHashParts([...whole, []], true) : stableHashParts(whole));
}

/**
 * Claims a key. A second request with the key waits here until the first has ended.
 * @returns undefined where the key is new, else the stored result of the first request: null until
 *   it has ended
 * @throws PorticoError IDEMPOTENCY_KEY_REUSED for a key that came with another request
 */
export async function claimKey(
  tx: TenantTx,
  scope: Scope,
  { key, digest }: KeyedRequest,
): Promise<{ response: unknown } | undefined> {
  // Keyed with a secret: a body may hold a password, which a reader of the row could otherwise find
  // by trying.
  const hash = scope.settings.links.hash(REQUEST, digest);
  const inserted = await tx.execute(
    `INSERT INTO idempotency_keys (tenant_id, user_id, key, request_hash, created_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT DO NOTHING`,
    [tx.tenantId, scope.actor.userId, key, hash, new Date(scope.clock.now())],
  );
  if (inserted > 0) return undefined;
  const [known] = await tx.query<{ hash: string; response: unknown }>(
    `SELECT request_hash AS hash, response FROM idempotency_keys WHERE tenant_id = $1 AND user_id = $2 AND key = $3`,
    [tx.tenantId, scope.actor.userId, key],
  );
  if (!known || !scope.settings.links.isHash(REQUEST, digest, known.hash))
    throw new PorticoError('IDEMPOTENCY_KEY_REUSED');
  return { response: known.response };
}

/**
 * Stores an answer for repeated requests, without its secrets.
 * @param type of the answer
 */
export async function keepAnswer(
  tx: TenantTx,
  scope: Scope,
  key: string,
  type: string | null | undefined,
  answer: unknown,
): Promise<void> {
  const stored = type ? withoutSecrets(type as DeclaredName, answer) : answer;
  await tx.send(
    `UPDATE idempotency_keys SET status = 200, response = $4::jsonb WHERE tenant_id = $1 AND user_id = $2 AND key = $3`,
    [tx.tenantId, scope.actor.userId, key, answer === undefined ? null : JSON.stringify(stored)],
  );
}

/** Name of the keyed hash of a request. */
const REQUEST = 'idempotent-request';
