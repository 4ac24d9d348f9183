/** The manifest of the archive of a tenant, and the tables whose rows the archive holds. */
import type pg from 'pg';
import { tables } from '../../modules/tables.ts';
import type { BackupManifest, BackupSequence, BackupTable } from '../backup/index.ts';
import { type CopiedTable, readTables } from '../copy/index.ts';

/** Version of the layout of an archive. */
export const ARCHIVE_FORMAT = 1;
/** Folder of the parts below the place that writes them, which an archive omits. */
export const FOLDER = 'tenant';

export interface TenantManifest {
  readonly format: number;
  readonly kind: 'tenant';
  readonly tenant: {
    readonly id: number;
    readonly name: string;
    readonly displayName: string;
    /** ISO 8601, as `moment`. */
    readonly createdAt: string;
    /** Whether requests were refused when it was exported. Earlier archives do not say. */
    readonly disabled?: boolean;
    /** The primary one first. */
    readonly hosts: readonly string[];
  };
  /** The time whose state the archive holds. */
  readonly moment: string;
  /** Version of the schema (the last migration). */
  readonly schema: number;
  /** Rows without the column `tenant_id`, tables before the tables that refer to them. */
  readonly tables: readonly BackupTable[];
  readonly sequences: readonly BackupSequence[];
  readonly files: BackupManifest['files'];
  /** Ids of the keys that open the secrets of the tenant. */
  readonly encryptionKeys: readonly string[];
}

/**
 * Returns the tables that a tenant takes along, each after the tables that it refers to, without
 * the column `tenant_id`: another installation may give the tenant another id.
 */
export async function travellingTables(client: pg.Client): Promise<CopiedTable[]> {
  const travelling = new Set<string>();
  for (const { name, columns, leftBehind } of tables.values())
    if ('tenant_id' in columns && !leftBehind) travelling.add(client.escapeIdentifier(name));
  return (await readTables(client))
    .filter(({ sql }) => travelling.has(sql))
    .map((table) => ({ ...table, columns: table.columns.split(', ').filter(isNotTenantId).join(', ') }));
}

const isNotTenantId = (column: string) => column !== 'tenant_id';
