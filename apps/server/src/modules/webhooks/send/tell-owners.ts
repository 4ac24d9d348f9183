/** Tells the owners of webhooks that fail or were stopped, by mail. */
import { fullNameSql } from '../../../kernel/full-name.ts';
import type { TenantScope } from '../../../kernel/scope.ts';
import { sqlColumns } from '../../columns.ts';
import { enqueueMails } from '../../people/index.ts';
import { hasUntold, takeUntold } from './outbox.repository.ts';

const u = sqlColumns('users', 'u');

/** Time after which the mail is not sent any more. Milliseconds. */
const EXPIRY_MS = 3 * 86_400_000;

interface Owner {
  readonly id: number;
  readonly name: string;
  readonly address: string;
  readonly language: string | null;
}

/**
 * Queues mails to the owners of webhooks that have failed for an hour or were stopped, once for each
 * failure and stop. Owners who have no address, or are blocked or deleted, get none.
 */
export async function tellOwners(scope: TenantScope): Promise<void> {
  const now = scope.clock.now();
  if (!(await hasUntold(scope.db, now))) return;
  await scope.db.transaction(async (tx) => {
    const webhooks = await takeUntold(tx, now);
    if (webhooks.length === 0) return;
    const owners = await tx.query<Owner>(
      `SELECT ${u.id}, ${fullNameSql('u')} AS name, ${u.contact_email} AS address, ${u.language} FROM users u
        WHERE u.tenant_id = $1 AND ${u.id} = ANY ($2::bigint[]) AND ${u.contact_email} IS NOT NULL
          AND ${u.deleted_at} IS NULL AND NOT ${u.blocked} AND NOT ${u.service_account} AND NOT ${u.system_account}`,
      [tx.tenantId, [...new Set(webhooks.map(({ ownerId }) => ownerId))]],
    );
    for (const { id, name, stoppedFor, ownerId } of webhooks) {
      scope.log.warn({ tenant: scope.tenant.name, webhook: id, stoppedFor }, 'a webhook fails or was stopped');
      const owner = owners.find((one) => one.id === ownerId);
      // The mail leads to the portal, which has no address of its own.
      if (!owner || scope.ownAddress === null) continue;
      const values = { name: owner.name, link: `${scope.ownAddress}/portal/`, expiry: now + EXPIRY_MS, about: name };
      const template = stoppedFor ? ('webhook-stopped' as const) : ('webhook-failing' as const);
      const language = owner.language ?? scope.settings.defaultLanguage;
      await enqueueMails({ ...scope, tx, now }, [{ to: owner.address, userId: owner.id, template, values, language }]);
    }
  });
}
