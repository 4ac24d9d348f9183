/** A database that this version cannot work with; the message says why and what to do. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}
