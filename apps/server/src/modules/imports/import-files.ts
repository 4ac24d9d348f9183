/** Files whose rows are identified by their lines (table import_files). */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { writeTransaction } from '../../kernel/access/index.ts';
import type { Scope } from '../../kernel/scope.ts';
import { ImportError } from './source/errors.ts';
import type { InputFile } from './source/input-lines.ts';
import type { Mapping } from './source/mapping-types.ts';

/**
 * Records the file of an import that identifies its rows by their lines.
 * @param source name under which the import remembers its rows
 * @throws ImportError if another file was imported under this name and prefix before
 */
export async function claimFile(scope: Scope, source: string, file: InputFile, mapping: Mapping): Promise<void> {
  const { prefix, suffix, line } = mapping.externalId;
  if (!line) return;
  const digest = await digestOf(file, mapping);
  const [known] = await writeTransaction(scope, 'none', ({ tx }) =>
    tx.query<{ digest: string }>(
      `INSERT INTO import_files AS f (tenant_id, source, prefix, suffix, digest)
       SELECT a.tenant_id, $2, $3, $4, $5 FROM tenant_versions a WHERE a.tenant_id = $1
       ON CONFLICT (tenant_id, source, prefix, suffix) DO UPDATE SET digest = f.digest
       RETURNING digest`,
      [tx.tenantId, source, prefix, suffix, digest],
    ),
  );
  if (known?.digest === digest) return;
  throw new ImportError(
    `${file.name} is another file than the one that was imported under this name with the prefix "${prefix}": its lines are other rows. Give externalId a prefix of its own, or a column that identifies rows.`,
  );
}

/**
 * Returns the digest of everything that the line numbers depend on: the bytes, and the place of the
 * rows in a document.
 */
async function digestOf(file: InputFile, { document: { path, sheet } }: Mapping): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([path, sheet]));
  for await (const chunk of createReadStream(file.path)) hash.update(chunk as Buffer);
  return hash.digest('base64url');
}
