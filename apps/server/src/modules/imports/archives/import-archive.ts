/** Previews and starts the import of an archive (operations planCommunityArchive, importCommunityArchive). */
import {
  archiveLimits,
  type CommunityFile,
  type Import,
  type ImportCommunityArchiveRequest,
  communityArchiveLimits as limits,
  type PlanCommunityArchiveRequest,
  type PlanCommunityArchiveResponse,
} from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import type { FileStorage } from '@portico/platform/files';
import { joining, requireRight, type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { FieldErrors, invalid } from '../../../kernel/errors.ts';
import { requireFields } from '../../../kernel/missing-fields.ts';
import type { Untimed } from '../../../kernel/operations.ts';
import type { Actor, Scope } from '../../../kernel/scope.ts';
import { Slots } from '../../../kernel/slots.ts';
import { sqlColumns } from '../../columns.ts';
import { applyCommunity, planCommunity } from '../../definitions/index.ts';
import { claimUploads, lockUsableUploads, usableSize } from '../../files/index.ts';
import { usersOf } from '../../people/index.ts';
import { reserveNumbers } from '../../posts/index.ts';
import { findImport, insertImport } from '../imports.repository.ts';
import { presentImports } from '../read-imports.ts';
import { answeringFaults, type CommunityArchive, openCommunityArchive } from './open-archive.ts';
import { type ArchiveSurvey, matchPeople, surveyArchive } from './survey-archive.ts';

const communities = sqlColumns('communities');
const users = sqlColumns('users');

/** Dependencies of the operations. */
interface ArchiveOptions {
  readonly storage: FileStorage;
  /** Takes in an upload that the client sent directly to the storage. */
  readonly takeIn?: ((scope: Scope, body: unknown) => Promise<void>) | undefined;
  readonly untimed: Untimed;
}

const slots = new Slots(archiveLimits, 'archives that are read');

/** @throws PorticoError FORBIDDEN */
function requireArchiveImporter(actor: Actor): void {
  requireRight(actor, 'manageDigitalWorplace');
  requireRight(actor, 'manageUsers');
}

/** @throws PorticoError FORBIDDEN; ValidationError for a faulty archive or definition */
export async function planCommunityArchive(
  scope: Scope,
  body: PlanCommunityArchiveRequest,
  options: ArchiveOptions,
): Promise<PlanCommunityArchiveResponse> {
  requireArchiveImporter(scope.actor);
  await options.takeIn?.(scope, { contentRef: body.contentRef });
  return reading(scope, body.contentRef, options, async (archive, survey) => {
    const file = fileFor(survey.file, body);
    await requireNew(scope.db, file);
    const { changes = [], accessChanges = [], planToken } = await planCommunity(scope, { file });
    const matches = await matchPeople(scope.db, survey.people);
    const shown = survey.people.slice(0, limits.previewedPeople);
    const found = await usersOf(
      scope,
      scope.db,
      shown.flatMap(({ key }) => matches.get(key)?.userId ?? []),
    );
    return {
      portal: archive.head.portal,
      exportTimestamp: archive.head.madeAt,
      name: file.community?.name,
      key: file.community?.key,
      workspaceName: file.workspace?.name,
      workspaceKey: file.workspace?.key,
      postsCount: survey.posts,
      commentsCount: survey.comments,
      eventsCount: survey.events,
      filesCount: archive.filesCount,
      filesSize: archive.filesBytes,
      peopleCount: survey.people.length,
      people: shown.map((person) => {
        const match = matches.get(person.key);
        return { ...person, ...(match && { user: found.get(match.userId), matchedBy: match.by }) };
      }),
      matchedCount: matches.size,
      changes,
      accessChanges,
      planToken,
    };
  });
}

/**
 * Creates the community of an archive, and starts the import of its posts.
 * @throws PorticoError FORBIDDEN, CONFLICT for a plan that no longer holds; ValidationError
 */
export async function importCommunityArchive(
  scope: Scope,
  body: ImportCommunityArchiveRequest,
  options: ArchiveOptions,
): Promise<Import> {
  requireArchiveImporter(scope.actor);
  const { contentRef = '', planToken } = body;
  // Reading may take long, so it runs outside a transaction. An upload does not change.
  return reading(scope, contentRef, options, (_archive, survey) =>
    writeTransaction(scope, 'both', async (write) => {
      requireArchiveImporter(write.actor);
      const usable = await lockUsableUploads(write, [contentRef]);
      if (!usable.has(contentRef)) throw invalid('contentRef', 'CONTENT_REF_INVALID');
      const people = await choosePeople(write, survey, body);
      const file = fileFor(survey.file, body);
      await requireNew(write.tx, file);
      const { communityId } = await applyCommunity(joining(write), {
        file,
        ...(planToken !== undefined && { planToken }),
      });
      await reserveNumbers(write, communityId!, survey.lastNumber);
      await claimUploads(write, [{ contentRef, field: 'contentRef' }]);
      const id = await insertImport(write, {
        communityId: communityId!,
        contentRef,
        fileName: body.fileName || 'archive.zip',
        changesContentRef: null,
        changesFileName: null,
        mapping: '',
        trial: false,
        withHistory: true,
        withPeople: true,
        undoes: null,
        archivedPeople: people,
      });
      const [shown] = await presentImports(write, write.tx, [(await findImport(write.tx, id))!]);
      return shown!;
    }),
  );
}

/**
 * Opens an upload of the caller, reads it whole, and answers faults as errors of the request.
 * @throws ValidationError, TOO_MANY_AT_ONCE
 */
async function reading<T>(
  scope: Scope,
  contentRef: string | undefined,
  { storage, untimed }: ArchiveOptions,
  work: (archive: CommunityArchive, survey: ArchiveSurvey) => Promise<T>,
): Promise<T> {
  requireFields(scope);
  const ref = contentRef ?? '';
  if ((await usableSize(scope.db, ref, scope.actor.userId)) === undefined)
    throw invalid('contentRef', 'CONTENT_REF_INVALID');
  const read = async () => {
    const opened = await openCommunityArchive(scope.db, storage, ref);
    if (!opened) throw invalid('contentRef', 'CONTENT_REF_INVALID');
    try {
      return [opened, await surveyArchive(opened, scope.clock.now())] as const;
    } catch (error) {
      opened.close();
      throw error;
    }
  };
  const release = await slots.take(scope.limits, scope.tenant.id, scope.actor.userId);
  try {
    const [archive, survey] = await answeringFaults(() => untimed(read));
    try {
      return await work(archive, survey);
    } finally {
      archive.close();
    }
  } finally {
    release();
  }
}

/** Returns the definition under the name and key that the request gives it. */
function fileFor(file: CommunityFile, { name, key, workspaceKey }: PlanCommunityArchiveRequest): CommunityFile {
  const workspace = workspaceKey ? { key: workspaceKey, name: workspaceKey } : file.workspace;
  return {
    ...file,
    ...(workspace && { workspace }),
    community: { ...file.community, ...(name && { name }), ...(key && { key }) },
  };
}

/** @throws ValidationError for the key of a community that exists */
async function requireNew(db: TenantExecutor, { community }: CommunityFile): Promise<void> {
  const rows = await db.query(
    `SELECT FROM communities WHERE tenant_id = $1
        AND (${communities.external_id} = $2 OR ${communities.external_id} IS NULL AND ${communities.name} = $2) LIMIT 1`,
    [db.tenantId, community?.key ?? ''],
  );
  if (rows.length > 0)
    throw invalid(
      'key',
      'DUPLICATE_VALUE',
      'A community has this key; an archive becomes a new one: send another key.',
    );
}

/** Returns users by the keys of the archive: the matched ones, and those that the request chooses. */
async function choosePeople(
  write: WriteScope,
  { people }: ArchiveSurvey,
  { people: choices = [] }: ImportCommunityArchiveRequest,
): Promise<Record<string, number>> {
  const matched = await matchPeople(write.tx, people);
  const chosen = new Map([...matched].map(([key, { userId }]) => [key, userId]));
  const known = new Set(people.map(({ key }) => key));
  const wanted = choices.flatMap(({ userId }) => userId ?? []);
  const rows = await write.tx.query<{ id: number }>(
    `SELECT ${users.id} FROM users WHERE tenant_id = $1 AND ${users.id} = ANY ($2::bigint[])
        AND ${users.deleted_at} IS NULL AND NOT ${users.system_account}`,
    [write.tx.tenantId, wanted],
  );
  const there = new Set(rows.map(({ id }) => id));
  const errors = new FieldErrors();
  for (const [index, { key = '', userId }] of choices.entries()) {
    if (!known.has(key)) errors.add(`people[${index}].key`, 'UNKNOWN_REFERENCE', 'A key of the archive.');
    else if (userId === undefined) chosen.delete(key);
    else if (there.has(userId)) chosen.set(key, userId);
    else errors.add(`people[${index}].userId`, 'UNKNOWN_REFERENCE');
  }
  errors.throwIfAny();
  return Object.fromEntries(chosen);
}
