/** The owner's connection and the product's services on one database. */
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  configOf,
  createServices,
  migrate,
  readConfig,
  type Services,
  tables,
  testSealer,
} from '@portico/server/testing/dataset';
import pg from 'pg';

interface Connected {
  /** The owner, a superuser. */
  readonly owner: pg.Client;
  /** How to connect as the owner once more. */
  readonly connection: pg.ClientConfig;
  readonly services: Services;
}

/**
 * Migrates the database if need be and runs `work` with it.
 * @param ownerUrl connection string of the database's owner
 * @param role the service's role; default: the one that the product makes for the database
 */
export async function withDatabase<T>(
  ownerUrl: string,
  role: string | undefined,
  work: (connected: Connected) => Promise<T>,
): Promise<T> {
  const connection = configOf(ownerUrl, undefined);
  const login = await migrate({ owner: connection, tables, ...(role !== undefined && { role }) });
  const owner = new pg.Client(connection);
  await owner.connect();
  const dataDir = join(tmpdir(), `portico-bench-${randomBytes(6).toString('hex')}`);
  const tell = (fields: object, message?: string) => process.stderr.write(`${message ?? JSON.stringify(fields)}\n`);
  const services = await createServices({
    config: readConfig({ PORTICO_DATA_DIR: dataDir }),
    sealer: testSealer,
    database: { ...connection, user: login.user, password: login.password },
    log: { debug: () => undefined, info: () => undefined, warn: tell, error: tell },
  });
  try {
    return await work({ owner, connection, services });
  } finally {
    await services.close();
    await owner.end();
    await rm(dataDir, { recursive: true, force: true });
  }
}
