/** SQL of the people who get mail of notifications. */
import { notificationMailLimits } from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { fullNameSql } from '../../kernel/full-name.ts';
import { sqlColumns } from '../columns.ts';

const u = sqlColumns('users', 'u');

const REFUSED_MS = notificationMailLimits.refusedDays * 86_400_000;

/** A person, as mail needs them. */
export interface Recipient {
  readonly userId: number;
  readonly name: string;
  /** Contact address. */
  readonly address: string | null;
  readonly language: string | null;
  readonly timezone: string | null;
  readonly digestHour: number | null;
  /** `emailNotificationsEnabled` of the person. */
  readonly wantsMail: boolean;
  /** A person who can sign in. */
  readonly active: boolean;
  /** The mail server refused the address lately, and has taken no mail to it since. */
  readonly refused: boolean;
}

/** Returns the people of these ids. @param now epoch milliseconds */
export function readRecipients(db: TenantExecutor, userIds: readonly number[], now: number): Promise<Recipient[]> {
  return db.query<Recipient>(
    `SELECT ${u.id} AS "userId", ${fullNameSql('u')} AS name, ${u.contact_email} AS address, ${u.language}, ${u.timezone},
            ${u.digest_hour} AS "digestHour", ${u.email_notifications} AS "wantsMail",
            ${u.deleted_at} IS NULL AND NOT ${u.blocked} AND NOT ${u.service_account} AND NOT ${u.system_account} AS active,
            EXISTS (SELECT FROM notification_mails m
              WHERE m.tenant_id = $1 AND m.user_id = ${u.id} AND m.recipient = ${u.contact_email}
                AND m.reason = 'addressRefused' AND m.finished_at > $3
                AND NOT EXISTS (SELECT FROM notification_mails s
                  WHERE s.tenant_id = $1 AND s.user_id = ${u.id} AND s.recipient = ${u.contact_email}
                    AND s.state = 'sent' AND s.finished_at > m.finished_at)) AS refused
       FROM users u WHERE u.tenant_id = $1 AND ${u.id} = ANY ($2::bigint[])`,
    [db.tenantId, userIds, new Date(now - REFUSED_MS)],
  );
}
