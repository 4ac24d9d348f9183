/** The backups of a place: which there are, and which are removed. */
import { OperatorError } from '../operator-error.ts';
import { type BackupManifest, beginOf, ownBytesOf, readManifest } from './manifest.ts';
import { type BackupPlace, BEGUN, MANIFEST, readText } from './place.ts';

/** An unfinished backup may still be written to for so long. Milliseconds. */
const UNFINISHED_MS = 24 * 3_600_000;
const DAY_MS = 86_400_000;

/** A backup as a list shows it. */
export interface ListedBackup {
  readonly name: string;
  /** `unfinished`: it runs, or was interrupted. `damaged`: its manifest cannot be read. */
  readonly state: 'whole' | 'unfinished' | 'damaged';
  readonly kind?: string;
  /** The time whose state it holds. */
  readonly moment?: string;
  readonly tenants?: number;
  readonly files?: number;
  /** Bytes of the backup itself, without files that earlier backups hold. */
  readonly bytes?: number;
  readonly holders?: readonly string[];
}

/**
 * @returns undefined for an unfinished backup  @throws OperatorError for a damaged manifest
 */
export async function readManifestOf(place: BackupPlace, name: string): Promise<BackupManifest | undefined> {
  const text = await readText(place, name === '' ? MANIFEST : `${name}/${MANIFEST}`);
  if (text === undefined) return undefined;
  const manifest = readManifest(text, name === '' ? place.address : `the backup ${name}`);
  if (name !== '' && manifest.name !== name)
    throw new OperatorError(`The manifest of the backup ${name} is another one's: ${manifest.name}.`);
  return manifest;
}

/** Lists the backups of a place, the oldest first. */
export async function listBackups(place: BackupPlace): Promise<ListedBackup[]> {
  const listed: ListedBackup[] = [];
  for (const name of await place.names()) {
    try {
      const manifest = await readManifestOf(place, name);
      listed.push(manifest ? listedOf(manifest) : { name, state: 'unfinished' });
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
      listed.push({ name, state: 'damaged' });
    }
  }
  return listed;
}

function listedOf(manifest: BackupManifest): ListedBackup {
  const { name, kind, moment, tenants, files } = manifest;
  const { count, holders } = files;
  return { name, state: 'whole', kind, moment, tenants, files: count, bytes: ownBytesOf(manifest), holders };
}

/** The manifests of the whole backups, the oldest first. */
export async function wholeBackups(place: BackupPlace): Promise<BackupManifest[]> {
  const whole: BackupManifest[] = [];
  for (const { name, state } of await listBackups(place)) {
    if (state === 'whole') whole.push((await readManifestOf(place, name))!);
  }
  return whole;
}

/**
 * Finds a backup.
 * @param name undefined: the newest whole one, or the place itself where it is an unpacked backup
 * @returns its manifest and its folder below the place
 * @throws OperatorError when there is none, or it is unfinished or damaged
 */
export async function findBackup(
  place: BackupPlace,
  name: string | undefined,
): Promise<{ manifest: BackupManifest; folder: string }> {
  if (name === undefined) {
    const unpacked = await readManifestOf(place, '');
    if (unpacked) return { manifest: unpacked, folder: '.' };
    const newest = (await wholeBackups(place)).at(-1);
    if (newest) return { manifest: newest, folder: newest.name };
    throw new OperatorError(`${place.address} has no backup that is whole.`);
  }
  if (!(await place.names()).includes(name)) throw new OperatorError(`${place.address} has no backup "${name}".`);
  const manifest = await readManifestOf(place, name);
  if (!manifest) throw new OperatorError(`The backup ${name} is unfinished: it runs, or was interrupted.`);
  return { manifest, folder: name };
}

/** Which backups are kept: those that one of the two rules keeps. */
export interface Retention {
  /** Number of the newest backups that are kept; undefined: no number. */
  readonly count?: number | undefined;
  /** Age up to which backups are kept, in days; undefined: no age. */
  readonly days?: number | undefined;
}

/**
 * Says which backups a retention removes. The newest whole one stays, and so does every backup that
 * holds files of one that stays. Unfinished ones go after a day.
 * @param now epoch milliseconds
 */
export function chooseRemoved(
  listed: readonly ListedBackup[],
  pending: readonly string[],
  { count, days }: Retention,
  now: number,
): string[] {
  const whole = listed.filter(({ state }) => state === 'whole');
  const kept = new Set(whole.slice(-Math.max(1, count ?? 1)).map(({ name }) => name));
  for (const { name } of whole) {
    if (days !== undefined && beginOf(name) >= now - days * DAY_MS) kept.add(name);
  }
  const held = new Set(pending);
  for (const { name, holders = [] } of whole) if (kept.has(name)) for (const holder of holders) held.add(holder);
  return listed
    .filter(({ name, state }) => {
      if (state === 'whole') return !kept.has(name) && !held.has(name);
      return state === 'unfinished' && beginOf(name) < now - UNFINISHED_MS;
    })
    .map(({ name }) => name);
}

/**
 * Removes the backups that a retention does not keep.
 * @param options.dryRun only says which
 * @returns their names
 */
export async function pruneBackups(
  place: BackupPlace,
  retention: Retention,
  { dryRun = false, now = Date.now() } = {},
): Promise<string[]> {
  const choose = async () => {
    const listed = await listBackups(place);
    return chooseRemoved(listed, await pendingHolders(place, listed, now), retention, now);
  };
  const removed = await choose();
  if (dryRun) return removed;
  for (const name of removed) {
    // An incremental backup may have begun meanwhile that refers to it.
    if ((await choose()).includes(name)) await place.remove(name);
  }
  return removed;
}

/** Backups that hold files of the ones that may still be written. */
async function pendingHolders(place: BackupPlace, listed: readonly ListedBackup[], now: number): Promise<string[]> {
  const holders: string[] = [];
  for (const { name, state } of listed) {
    if (state !== 'unfinished' || beginOf(name) < now - UNFINISHED_MS) continue;
    const text = await readText(place, `${name}/${BEGUN}`);
    if (text !== undefined) holders.push(...(JSON.parse(text) as { holders: string[] }).holders);
  }
  return holders;
}
