/**
 * Finds the keys that encrypt secrets in the database, and compares them with the stored key ids.
 */
import { join } from 'node:path';
import { openClient } from '@portico/platform/db/open-client';
import { addSealingKeyId, listSealingKeyIds, withSealingLock } from '@portico/platform/db/sealing-keys';
import { createSealer, type Sealer } from '@portico/platform/sealing';
import { openSealingKeyFile } from '@portico/platform/sealing/key-file';
import type pg from 'pg';
import { type Config, ConfigError } from './config/config.ts';

/**
 * Returns the sealer of the configured keys, or of the file in the data directory, which is created
 * if it is missing.
 * @param options.lostKeys accepts secrets that none of the keys opens: they are about to be
 *   replaced
 * @throws ConfigError when the database holds secrets that none of the keys opens
 */
export async function openSealer(
  config: Config,
  owner: pg.ClientConfig,
  { lostKeys = false }: { lostKeys?: boolean } = {},
): Promise<Sealer> {
  const file = sealingKeyFile(config);
  const sealer = createSealer(config.encryptionKeys ?? (await readKeyFile(file)));
  const client = await openClient(owner);
  try {
    await withSealingLock(client, async () => {
      const missing = (await listSealingKeyIds(client)).filter((id) => !sealer.keyIds.includes(id));
      if (missing.length > 0 && !lostKeys) {
        const where = config.encryptionKeys ? 'PORTICO_ENCRYPTION_KEYS' : file;
        throw new ConfigError(
          `The database holds secrets that are encrypted with the key ${missing.join(', ')}, which is not in ${where}: add it there, after the newest key; if it is lost, run "portico admin encryption replace-lost".`,
        );
      }
      await addSealingKeyId(client, sealer.keyIds[0]!);
    });
  } finally {
    await client.end();
  }
  return sealer;
}

/** The file of keys of an installation that has none configured. */
export const sealingKeyFile = ({ dataDir }: Config): string => join(dataDir, 'encryption-keys');

async function readKeyFile(file: string): Promise<Buffer[]> {
  try {
    return await openSealingKeyFile(file);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ConfigError(`${file} cannot be used: ${error.message}.`, { cause: error });
  }
}
