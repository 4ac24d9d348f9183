/** Tables of the migrations. The registry of tables (kernel/tables) gives this description its type. */

/**
 * Where the rows are kept on a cluster of database servers (Citus): spread over the nodes by `tenant_id`, copied to every
 * node, or on the coordinator alone.
 */
export type Distribution = 'distributed' | 'reference' | 'local';

/** How the rows of a table are kept. */
export interface TableKeeping {
  readonly distribution: Distribution;
  /** The service inserts and reads rows, and neither changes nor removes them. */
  readonly appendOnly?: true;
}

export const migrationTables = {
  portico_backups: {
    distribution: 'local',
    columns: { tool: null, name: null, kind: null, place: null, moment: null, finished_at: null, bytes: null },
  },
  portico_migrations: {
    distribution: 'local',
    columns: { version: null, name: null, checksum: null, applied_at: null },
  },
  portico_owner_secrets: {
    distribution: 'local',
    columns: { name: null, value: null },
  },
} as const;
