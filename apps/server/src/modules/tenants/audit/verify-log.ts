/** Verifies the audit log in parts (operation verifyAuditLog). */
import { auditLimits, type VerifyAuditLogResponse } from '@portico/contract';
import { requireRight } from '../../../kernel/access/index.ts';
import { invalid } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { verifyPart } from './verify-chain.ts';

/**
 * Verifies the entries after a position.
 * @throws PorticoError 403 without manageUsers; ValidationError for a position without its hash
 */
export async function verifyLog(
  scope: Scope,
  { afterPosition, afterHash }: { afterPosition?: number | undefined; afterHash?: string | undefined },
): Promise<VerifyAuditLogResponse> {
  requireRight(scope.actor, 'manageUsers');
  if ((afterPosition === undefined) !== (afterHash === undefined))
    throw invalid('afterHash', 'INVALID_VALUE', 'Send afterPosition and afterHash together, or neither.');
  const after =
    afterPosition === undefined || afterHash === undefined ? undefined : { position: afterPosition, hash: afterHash };
  const { entries, head, waiting, fault, ended } = await verifyPart(scope.db, after, auditLimits.verified);
  return {
    verifiedCount: entries,
    ...head,
    complete: ended || fault !== undefined,
    ...(waiting !== undefined && { waitingCount: waiting }),
    ...(fault && { fault }),
  };
}
