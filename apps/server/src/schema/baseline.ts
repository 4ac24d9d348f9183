/**
 * Takes over databases that the migrations before the baseline created.
 *
 * The baseline (`migrations/0103-baseline/`) stands for the 93 migrations 1 to 102. A database that
 * has all of them is brought to the schema of the baseline; a database that lacks some is refused.
 *
 * Columns without encryption: `signing_keys.private_jwk`, `tenant_secrets.secret`,
 * `outgoing_mails.content`, `tenant_settings.opaque_secret` and `link_secret` held secrets before
 * encryption. Nodes of {@link LAST_COMMIT} name them in statements, so the baseline retains them,
 * and its checks keep them empty. The version after the baseline deletes them.
 */
import { MigrationError } from '@portico/platform/db/migration-error';

/** The last commit with the migrations 1 to 102, which upgrades older databases. */
export const LAST_COMMIT = '4eb3f538';
/** The number of these migrations, and the last one. */
export const LAST = {
  count: 93,
  version: 102,
  checksum: '5c054bd3ca7c1c03bdc493144644e3010b5360fe4aae4904269b5bb60c77a90f',
};

/** A row of `portico_migrations`. */
export interface AppliedMigration {
  version: number;
  name: string;
  checksum: string;
}

/** Changes the last schema before the baseline into the schema of the baseline. */
export const TAKE_OVER_SQL = `
  DROP TABLE list_shapes;
  ALTER TABLE signing_keys ADD CONSTRAINT signing_keys_encrypted CHECK (private_jwk IS NULL);
  ALTER TABLE tenant_secrets ADD CONSTRAINT tenant_secrets_encrypted CHECK (secret IS NULL);
  ALTER TABLE tenant_settings ADD CONSTRAINT tenant_settings_encrypted
    CHECK (num_nonnulls(opaque_secret, link_secret) = 0);
  ALTER TABLE outgoing_mails ADD CONSTRAINT outgoing_mails_encrypted CHECK (content IS NULL);
  ALTER TABLE fields ALTER COLUMN visible_roles SET DEFAULT '{}';
  ALTER TABLE workflow_states ALTER COLUMN edit_roles SET DEFAULT '{}';
  ALTER TABLE workflow_transitions ALTER COLUMN roles SET DEFAULT '{}';
  DELETE FROM portico_migrations;
`;

/** SQLSTATE of a check that a row violates: here, a secret without encryption. */
const CHECK_VIOLATION = '23514';

/**
 * Runs the take-over of a database with older migrations.
 * @param apply runs {@link TAKE_OVER_SQL} and records the baseline, in one transaction
 * @throws MigrationError for a database that lacks some of them, or stores secrets without
 *   encryption
 */
export async function takeOver(applied: readonly AppliedMigration[], apply: () => Promise<void>): Promise<void> {
  const last = applied.at(-1)!;
  const isLast = applied.length === LAST.count && last.version === LAST.version;
  if (!isLast || last.checksum !== LAST.checksum)
    throw tooOld(`The database has schema ${last.version} (${last.name})`);
  try {
    await apply();
  } catch (error) {
    const { code } = (error as Error).cause as { code?: string };
    throw code === CHECK_VIOLATION ? tooOld('The database stores secrets without encryption') : error;
  }
}

function tooOld(reason: string): MigrationError {
  return new MigrationError(
    `${reason}, which this version of Portico does not upgrade: make a backup, start commit ${LAST_COMMIT} of Portico on it once, alone, then start this version.`,
  );
}
