/** A database that this version cannot work with; the message has the reason and the remedy. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}
