/**
 * Recognises a cluster whose files were copied while its server ran. Such a copy holds files of
 * different moments. A cluster that was killed, or whose machine lost power, looks the same inside,
 * but it is in the same files as before; so is one that was moved, or restored as a whole volume.
 * Only a copy, file by file, has new ones.
 */
import { chownSync, closeSync, openSync, readFileSync, readSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { errno } from './errors.ts';

/** Notes of the last start, in the data directory. */
interface StartNote {
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** Numbers of the files {@link KNOWN} within their file system. */
  readonly files: readonly number[];
}

/** Files and directories that stay the same for as long as a cluster lives. */
const KNOWN = ['.', 'PG_VERSION', 'base', path.join('global', 'pg_control')];
/** Where `pg_control` has the state of the server, an integer of 4 bytes; its values after a clean stop. */
const STATE_OFFSET = 16;
const STOPPED = [1, 2];

const noteFile = (dataDir: string): string => path.join(dataDir, 'postgres-start.json');

/** Notes in which files the server is about to start. */
export function noteStart(dataDir: string, clusterDir: string): void {
  const note: StartNote = { startedAt: Date.now(), files: filesOf(clusterDir) };
  const draft = `${noteFile(dataDir)}.draft`;
  writeFileSync(draft, JSON.stringify(note), { mode: 0o600, flush: true });
  // After a start by root, the owner of the directory starts it again.
  const { uid, gid } = statSync(dataDir);
  if (process.geteuid?.() === 0) chownSync(draft, uid, gid);
  renameSync(draft, noteFile(dataDir));
}

/** Whether a cluster was copied while its server ran; false where there is no note of a start. */
export function wasCopiedRunning(dataDir: string, clusterDir: string): boolean {
  const note = readNote(dataDir);
  if (!note || isStopped(clusterDir)) return false;
  if (filesOf(clusterDir).join() === note.files.join()) return false;
  // Some file systems number their files anew when they are mounted; but a copy is newer than the start.
  return statSync(path.join(clusterDir, 'PG_VERSION')).ctimeMs >= note.startedAt;
}

function readNote(dataDir: string): StartNote | undefined {
  let text: string;
  try {
    text = readFileSync(noteFile(dataDir), 'utf8');
  } catch (error) {
    if (errno(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return JSON.parse(text) as StartNote;
  } catch (error) {
    // Cut off by a loss of power before the server had started.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const filesOf = (clusterDir: string): number[] => KNOWN.map((name) => statSync(path.join(clusterDir, name)).ino);

function isStopped(clusterDir: string): boolean {
  const state = Buffer.alloc(4);
  const fd = openSync(path.join(clusterDir, 'global', 'pg_control'), 'r');
  try {
    readSync(fd, state, 0, state.length, STATE_OFFSET);
  } finally {
    closeSync(fd);
  }
  // Every supported processor writes the lowest byte first.
  return STOPPED.includes(state.readInt32LE());
}
