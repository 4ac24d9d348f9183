/** Documents of older office programs: compound files, told apart by the names of the streams inside. */

/** A file whose bytes can be looked at. */
export interface SniffedFile {
  readonly size: number;
  /** @returns fewer bytes than asked for at the end of the file */
  read(start: number, length: number): Promise<Buffer>;
}

const SIGNATURE = 'd0cf11e0a1b11ae1';
const DIRECTORY_BYTES = 4096;

const BY_STREAM: readonly [name: string, mimeType: string][] = [
  ['WordDocument', 'application/msword'],
  ['Workbook', 'application/vnd.ms-excel'],
  ['Book', 'application/vnd.ms-excel'],
  ['PowerPoint Document', 'application/vnd.ms-powerpoint'],
  ['VisioDocument', 'application/vnd.visio'],
  ['__properties_version1.0', 'application/vnd.ms-outlook'],
];

export function isCompoundFile(head: Buffer): boolean {
  return head.length >= 512 && head.toString('hex', 0, 8) === SIGNATURE;
}

/** The media type by the first entries of the directory; most files have few. */
export async function sniffCompoundFile(file: SniffedFile, head: Buffer): Promise<string> {
  const shift = head.readUInt16LE(30);
  const directory = head.readUInt32LE(48);
  // Sectors have 2^9 or 2^12 bytes; anything else is a broken file, which is no document.
  const start = shift === 9 || shift === 12 ? (directory + 1) * 2 ** shift : file.size;
  const entries = start < file.size ? await file.read(start, DIRECTORY_BYTES) : Buffer.alloc(0);
  const names = new Set<string>();
  for (let at = 0; at + 128 <= entries.length; at += 128) {
    const length = Math.min(64, entries.readUInt16LE(at + 64));
    names.add(entries.toString('utf16le', at, at + Math.max(0, length - 2)));
  }
  return BY_STREAM.find(([name]) => names.has(name))?.[1] ?? 'application/x-ole-storage';
}
