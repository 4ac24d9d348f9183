/** The manifest of a backup: the last file that a backup writes. Without one, a backup is unfinished. */
import { createHash, randomBytes } from 'node:crypto';
import { OperatorError } from '../operator-error.ts';

/** Version of the layout of a backup, and of one that is encrypted. */
const FORMAT = 1;
const ENCRYPTED_FORMAT = 2;
const NAME = /^portico-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z-[0-9a-f]{6}$/;

/** Tells how far something long is: a label, and a part from 0 to 1 if that is known. */
export type Progress = (label: string, part: number | undefined) => void;

/** A file of the backup. */
export interface BackupPart {
  /** Path below the folder of the backup. */
  readonly path: string;
  readonly bytes: number;
  /** SHA-256 in hexadecimal. */
  readonly sha256: string;
}

/** Rows of a table, as COPY writes them, compressed by gzip and cut into parts. */
export interface BackupTable {
  readonly name: string;
  /** Names of the columns in the order of the rows, ready for SQL. */
  readonly columns: string;
  readonly refersToItself: boolean;
  readonly rows: number;
  readonly parts: readonly BackupPart[];
}

/** State of a sequence; `value` is a bigint as text. */
export interface BackupSequence {
  readonly name: string;
  readonly value: string;
  readonly used: boolean;
}

/** The database of a backup: rows by table, or an archive of pg_dump cut into parts. */
export type BackupDatabase =
  | {
      readonly method: 'rows';
      readonly tables: readonly BackupTable[];
      readonly sequences: readonly BackupSequence[];
    }
  | { readonly method: 'pg_dump'; readonly parts: readonly BackupPart[] };

/** A stored file, as a line of the list of files. */
export interface BackupFile {
  readonly key: string;
  readonly bytes: number;
  readonly sha256: string;
  /** Bytes of the file before it was encrypted: `bytes` and `sha256` are of the encrypted one; absent: it is not encrypted. */
  readonly size?: number;
  /** Name of the earlier backup that holds the bytes; absent: this one does. */
  readonly from?: string;
}

/** Files of the embedded database, from which its archived log leads to a later moment. */
export interface BackupBase {
  /** Identifier of the cluster. */
  readonly system: string;
  /** The first file of the log that is needed. */
  readonly start: string;
  /** The earliest moment that can be restored. ISO 8601. */
  readonly finishedAt: string;
  readonly parts: readonly BackupPart[];
}

export type BackupKind = 'full' | 'incremental';

export interface BackupManifest {
  readonly format: number;
  readonly name: string;
  readonly kind: BackupKind;
  /** The time whose state the backup holds. ISO 8601, as `finishedAt`. */
  readonly moment: string;
  readonly finishedAt: string;
  /** Version of the schema (the last migration). */
  readonly schema: number;
  /** Version of the database server. */
  readonly postgres: string;
  readonly tenants: number;
  readonly database: BackupDatabase;
  readonly files: {
    readonly count: number;
    /** Bytes of all files, and of the files that this backup holds itself. */
    readonly bytes: number;
    readonly ownBytes: number;
    /** Lines of JSON, each a {@link BackupFile}, compressed by gzip. */
    readonly list: readonly BackupPart[];
    /** Files that the storage had lost already. */
    readonly missing: readonly string[];
    /** Earlier backups that hold files of this one. */
    readonly holders: readonly string[];
  };
  /** Only in full backups of an embedded database whose log is archived. */
  readonly base?: BackupBase;
  /** Ids of the keys that open the secrets in the database. The keys are never in a backup. */
  readonly encryptionKeys: readonly string[];
  /** The public keys, separated by commas, that the parts and files are encrypted for; null: they are not encrypted. */
  readonly backupKey: string | null;
}

/** A name that begins with the time and is used once. */
export function newBackupName(at: Date): string {
  const stamp = at.toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return `portico-${stamp}-${randomBytes(3).toString('hex')}`;
}

export const isBackupName = (text: string): boolean => NAME.test(text);

/** When a backup of this name began. Epoch milliseconds. */
export function beginOf(name: string): number {
  const [, ...parts] = NAME.exec(name) ?? [];
  const [year, month, day, hour, minute, second] = parts.map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** Bytes of a backup: its database, lists and own files. */
export function ownBytesOf({ database, files, base }: BackupManifest): number {
  const parts = [...files.list, ...partsOf(database), ...(base?.parts ?? [])];
  return parts.reduce((sum, { bytes }) => sum + bytes, files.ownBytes);
}

/** The parts of the database. */
function partsOf(database: BackupDatabase): readonly BackupPart[] {
  return database.method === 'rows' ? database.tables.flatMap(({ parts }) => parts) : database.parts;
}

/** The manifest as text, with its own checksum. */
export function writeManifest(manifest: object): string {
  const text = JSON.stringify(manifest);
  return `${JSON.stringify({ sha256: sha256(text), manifest })}\n`;
}

/** @throws OperatorError for a text that is no manifest, was changed, or is of a later layout */
export function readManifest(text: string, where: string): BackupManifest {
  const manifest = readChecksummed<BackupManifest>(text, where);
  if (![FORMAT, ENCRYPTED_FORMAT].includes(manifest.format))
    throw new OperatorError(`${where} has the layout ${manifest.format}, which only a later version of Portico reads.`);
  return manifest;
}

/** Reads what {@link writeManifest} wrote. @throws OperatorError for a text that was changed */
export function readChecksummed<T extends object>(text: string, where: string): T {
  let read: { sha256?: unknown; manifest?: T };
  try {
    read = JSON.parse(text) as typeof read;
  } catch (error) {
    throw new OperatorError(`The manifest of ${where} is damaged: it is no JSON.`, { cause: error });
  }
  const { manifest } = read;
  if (manifest === undefined || read.sha256 !== sha256(JSON.stringify(manifest)))
    throw new OperatorError(`The manifest of ${where} is damaged: its checksum differs.`);
  return manifest;
}

/** The layout of a new backup. */
export const layoutOf = (backupKey: string | null): number => (backupKey === null ? FORMAT : ENCRYPTED_FORMAT);

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
