/** Small archives of communities, for tests of their import. */
import type { Readable } from 'node:stream';
import type { CommunityFile } from '@portico/contract';
import { ZipFile } from 'yazl';
import type { Scope } from '../../src/kernel/scope.ts';
import { storeFile } from '../../src/modules/files/index.ts';
import type { TestPortal } from './portal.ts';

/** Writes the archive of a community with a post by one person. @param more parts of its definition */
export async function smallArchive(key: string, more: Partial<CommunityFile> = {}): Promise<Buffer> {
  const at = Date.UTC(2024, 1, 29);
  const lines = {
    'archive.json': { kind: 'community', format: 1, portal: 'Elsewhere', madeAt: at },
    'community.json': { version: 1, workspace: { key, name: key }, community: { key, name: key }, ...more },
    'posts.ndjson': { number: 3, by: 'p1', at, modifiedBy: 'p1', modifiedAt: at, title: 'Old', visibility: 'public' },
    'people.ndjson': { key: 'p1', firstName: 'Ada', lastName: 'Rossi' },
  };
  const zip = new ZipFile();
  for (const [name, line] of Object.entries(lines)) zip.addBuffer(Buffer.from(`${JSON.stringify(line)}\n`), name);
  zip.end();
  return Buffer.concat(await (zip.outputStream as unknown as Readable).toArray());
}

/** Stores an archive as an upload of the scope's user. @returns its contentRef */
export async function uploadArchive(
  { services }: Pick<TestPortal, 'services'>,
  scope: Scope,
  archive: Buffer,
): Promise<string> {
  return (await storeFile(scope, services.storage, archive)).contentRef;
}
