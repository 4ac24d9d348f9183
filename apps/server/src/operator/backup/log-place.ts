/**
 * The archived log of an embedded database in a place of backups, and the files that were stored since the newest base:
 *   log/<system>/wal/<segment>.gz
 *   log/<system>/files/<time>/<key>     in the order of their times
 * Encrypted ones end with `.age`.
 */
import { listBackups, readManifestOf } from './inventory.ts';
import type { BackupManifest } from './manifest.ts';
import { type BackupPlace, unsealedPath } from './place.ts';

/** Folders of a system in the place. @param system identifier of the cluster */
export const logFolder = (system: string): string => `log/${system}`;

/** Folder of the files of a time, which sorts by time. */
export function filesFolder(system: string, at: Date): string {
  return `${logFolder(system)}/files/${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

/** Number of a segment, the same in every timeline; undefined for a history of timelines. */
export function segmentNumber(name: string): string | undefined {
  return /^[0-9A-F]{8}([0-9A-F]{16})/.exec(name)?.[1];
}

/** The whole backups of a place that are the base of restores to a point in time, the oldest first. */
export async function listBases(
  place: BackupPlace,
): Promise<(BackupManifest & Required<Pick<BackupManifest, 'base'>>)[]> {
  const bases = [];
  for (const { name, state } of await listBackups(place)) {
    if (state !== 'whole') continue;
    const manifest = await readManifestOf(place, name);
    if (manifest?.base) bases.push({ ...manifest, base: manifest.base });
  }
  return bases;
}

/** Files of the log, by key: their paths in the place. */
export async function listLogFiles(place: BackupPlace, system: string): Promise<Map<string, string>> {
  const prefix = `${logFolder(system)}/files/`;
  const files = new Map<string, string>();
  for await (const path of place.list(prefix)) {
    const rest = unsealedPath(path.slice(prefix.length));
    files.set(rest.slice(rest.indexOf('/') + 1), path);
  }
  return files;
}

/** Removes what no base of the place needs: older segments of the log, and files that the oldest base holds or outlived. */
export async function pruneLog(place: BackupPlace): Promise<void> {
  const oldest = new Map<string, { start: string; before: string }>();
  for (const { base, moment } of await listBases(place)) {
    if (!oldest.has(base.system))
      oldest.set(base.system, {
        start: segmentNumber(base.start)!,
        before: filesFolder(base.system, new Date(moment)),
      });
  }
  for (const [system, { start, before }] of oldest) {
    for await (const path of place.list(`${logFolder(system)}/`)) {
      const number = segmentNumber(path.slice(path.lastIndexOf('/') + 1));
      const unneeded = path.includes('/wal/') ? number !== undefined && number < start : path < before;
      if (unneeded) await place.removeFile(path);
    }
  }
}
