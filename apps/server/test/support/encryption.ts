/** The key that encrypts secrets in the databases of tests and benches: the same for all of their processes. */
import { createHash } from 'node:crypto';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { createSealer, parseSealingKeys } from '@portico/platform/sealing';
import type { JWK } from 'jose';

/** As PORTICO_ENCRYPTION_KEYS takes it. */
export const TEST_ENCRYPTION_KEY = createHash('sha256').update('tests and benches').digest('base64');

export const testSealer = createSealer(parseSealingKeys(TEST_ENCRYPTION_KEY));

/**
 * Returns the private half of a signing key, as a reader of both the database and its encryption
 * key could.
 */
export async function privateJwk(db: TenantExecutor, kid: string): Promise<JWK> {
  const [row] = await db.query<{ sealed: Buffer }>(
    'SELECT sealed_private_jwk AS sealed FROM signing_keys WHERE tenant_id = $1 AND kid = $2',
    [db.tenantId, kid],
  );
  const place = { tenantId: db.tenantId, table: 'signing_keys', column: 'sealed_private_jwk', row: kid };
  return JSON.parse(testSealer.open(row!.sealed, place).toString('utf8')) as JWK;
}
