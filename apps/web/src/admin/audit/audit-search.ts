import { auditActions, auditObjects } from '@portico/sdk';

type AuditAction = (typeof auditActions)[number];
type AuditObject = (typeof auditObjects)[number];

/** The filters of the audit log in its address. Days are local: `2026-11-25`. */
export interface AuditSearch {
  from?: string;
  to?: string;
  action?: AuditAction;
  /** The account that did it. */
  actor?: number;
  kind?: AuditObject;
  /** Id of the object. */
  object?: number;
  oldest?: true;
}

const isDay = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value);

export function readAuditSearch({
  from,
  to,
  action,
  actor,
  kind,
  object,
  oldest,
}: Record<string, unknown>): AuditSearch {
  return {
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
    ...(auditActions.includes(action as AuditAction) && { action: action as AuditAction }),
    ...(Number.isSafeInteger(actor) && { actor: actor as number }),
    ...(auditObjects.includes(kind as AuditObject) && { kind: kind as AuditObject }),
    ...(Number.isSafeInteger(object) && { object: object as number }),
    ...(oldest === true && { oldest: true as const }),
  };
}
