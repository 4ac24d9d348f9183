import type pg from 'pg';
import type { Log } from '../kernel/scope.ts';
import type { TenantServices } from '../modules/tenants/index.ts';
import { sealStoredSecrets } from '../operator/encryption.ts';
import { openClient } from '../platform/db/migrate.ts';

/**
 * Encrypts values that an earlier version left without encryption; logs a line while nodes of it
 * are connected.
 */
export async function sealAtStart(services: TenantServices, owner: pg.ClientConfig, log: Log): Promise<void> {
  const client = await openClient(owner);
  try {
    const count = await sealStoredSecrets(services, client);
    if (count === undefined)
      log.info(
        {},
        'secrets stay without encryption until a node starts while none of the earlier version is connected',
      );
    else if (count > 0) log.info({ secrets: count }, 'encrypted the secrets that an earlier version had stored');
  } finally {
    await client.end();
  }
}
