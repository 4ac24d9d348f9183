/** Exports all data about one person as an archive (ZIP) that is created while it is sent. */
import { Readable } from 'node:stream';
import { archiveLimits } from '@portico/contract';
import type { TenantDb } from '@portico/platform/db/tenant-db';
import { FileNotStoredError, type FileStorage } from '@portico/platform/files';
import { ZipFile } from 'yazl';
import { mustHoldRightsOfUser, requireRight, writeTransaction } from '../../../kernel/access/index.ts';
import { insertEntries } from '../../../kernel/audit/index.ts';
import { endAfter } from '../../../kernel/end-after.ts';
import { notFound } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { Slots } from '../../../kernel/slots.ts';
import { sqlColumns } from '../../columns.ts';
import { describePerson } from '../users/describe-person.ts';
import { attachmentSection, readSection, type Section, sections } from './sections.ts';

const f = sqlColumns('file_contents', 'f');

const slots = new Slots(archiveLimits, 'archives');
const LONGEST_MS = archiveLimits.minutes * 60_000;

/** Sources of an archive's content. */
interface ExportSources {
  readonly storage: FileStorage;
  /** The tenant's database without the time limits of a request. */
  readonly db: TenantDb;
}

/**
 * Creates the archive of a person and records it in the audit log. The caller must read it to its
 * end, or destroy it.
 * @throws PorticoError 403 for others without manageUsers or a right that the person holds, and for
 * the system account; 404 (unknown or erased); TOO_MANY_AT_ONCE (429) while the maximum number of
 * archives is being created
 */
export async function exportPerson(
  scope: Scope,
  userId: number,
  { storage, db }: ExportSources,
  longestMs = LONGEST_MS,
): Promise<Readable> {
  const own = scope.actor.userId === userId;
  if (!own) requireRight(scope.actor, 'manageUsers');
  const described = await describePerson(scope, userId);
  if (!described) throw notFound();
  const release = await slots.take(scope.limits, scope.tenant.id, scope.actor.userId);
  try {
    await writeTransaction(scope, 'none', async (write) => {
      if (!own) await mustHoldRightsOfUser(write, userId);
      await insertEntries(write.tx, write.tx.caller, [{ action: 'exported', object: 'user', objectId: userId }]);
    });
    const archive = archiveOf(scope, userId, described, { storage, db });
    archive.once('close', release);
    endAfter(archive, longestMs, 'The archive took too long.');
    return archive;
  } catch (error) {
    release();
    throw error;
  }
}

function archiveOf(
  { tenant, clock }: Scope,
  userId: number,
  described: { profile: object; credentials: object },
  { storage, db }: ExportSources,
): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as unknown as Readable;
  /** The stream that is being read; it ends with the archive. */
  let current: Readable | undefined;
  output.once('close', () => current?.destroy());
  zip.once('error', (error) => output.destroy(error as Error));
  const add: Add = (name, open) =>
    zip.addReadStreamLazy(name, {}, async (take) => {
      try {
        const source = await open();
        source.once('error', (error) => output.destroy(error));
        current = source;
        if (output.destroyed) source.destroy();
        else take(null, source);
      } catch (error) {
        output.destroy(error as Error);
      }
    });
  const text = (name: string, value: object) =>
    zip.addBuffer(Buffer.from(`${JSON.stringify(value, null, 2)}\n`), name, {});
  text('about.json', { tenant: tenant.displayName, userId, madeAt: clock.now() });
  text('profile.json', described.profile);
  text('credentials.json', described.credentials);
  for (const section of sections) add(section.name, () => Readable.from(linesOf(db, section, userId)));
  addPhoto(add, storage, db, userId)
    .then(() => addFiles(add, storage, db, userId))
    .then(() => zip.end())
    .catch((error: Error) => output.destroy(error));
  return output;
}

async function* linesOf(db: TenantDb, section: Section, userId: number): AsyncGenerator<string> {
  for await (const rows of readSection(db, section, userId))
    yield rows.map((row) => `${JSON.stringify(withoutNothing(row))}\n`).join('');
}

const withoutNothing = (row: object) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));

type Add = (name: string, open: () => Promise<Readable> | Readable) => void;

/** Adds the picture of the person, if there is one. */
async function addPhoto(add: Add, storage: FileStorage, db: TenantDb, userId: number): Promise<void> {
  const [photo] = await db.query<{ storageKey: string }>(
    `SELECT ${f.storage_key} AS "storageKey" FROM users u
       JOIN file_contents f ON f.tenant_id = u.tenant_id AND ${f.content_ref} = u.photo_content_ref
      WHERE u.tenant_id = $1 AND u.id = $2 AND ${f.storage_key} IS NOT NULL`,
    [db.tenantId, userId],
  );
  if (photo) add('photo', () => openFile(storage, photo.storageKey));
}

interface AttachmentRow {
  id: number;
  name: string;
  storageKey: string | null;
}

/** Adds the content of the person's files, and the list of them. */
async function addFiles(add: Add, storage: FileStorage, db: TenantDb, userId: number): Promise<void> {
  const listed: string[] = [];
  for await (const rows of readSection<AttachmentRow>(db, attachmentSection, userId))
    for (const { storageKey, ...row } of rows) {
      const file = storageKey === null ? undefined : `files/${row.id}-${safeName(row.name)}`;
      listed.push(`${JSON.stringify(withoutNothing({ ...row, file: file ?? null }))}\n`);
      if (file !== undefined) add(file, () => openFile(storage, storageKey as string));
    }
  add(attachmentSection.name, () => Readable.from(listed));
}

/** A file that the storage has lost is empty in the archive: the rest is still useful. */
async function openFile(storage: FileStorage, storageKey: string): Promise<Readable> {
  try {
    return await storage.open(storageKey);
  } catch (error) {
    if (error instanceof FileNotStoredError) return Readable.from([]);
    throw error;
  }
}

/** Maximum length of a file name in the archive. Characters. */
const MAX_NAME = 120;

/** Returns a name that no system takes for a path. */
function safeName(name: string): string {
  return name
    .replaceAll(/[\\/:*?"<>|\p{Cc}]/gu, '_')
    .slice(-MAX_NAME)
    .toWellFormed();
}
