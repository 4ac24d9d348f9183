/** Tables of the migrations. The registry of tables (kernel/tables) gives this description its type. */

export const migrationTables = {
  portico_migrations: {
    distribution: 'local',
    columns: { version: null, name: null, checksum: null, applied_at: null },
  },
  portico_owner_secrets: {
    distribution: 'local',
    columns: { name: null, value: null },
  },
} as const;
