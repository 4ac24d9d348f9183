/** Detects encrypted documents. */
import * as CFB from 'cfb';
import { ENCRYPTED } from './encrypted.ts';

/** Streams that hold encrypted content: a package with a password, and content with rights management. */
const ENCRYPTED_STREAMS = ['EncryptedPackage', '\tDRMContent', 'EncryptedSummary'];

/** Marks of encryption in compound files: [MS-DOC] 2.5.2, [MS-PPT] 2.3.2, [MS-XLS] 2.4.117. */
const WORD_ENCRYPTED = 0x01_00;
const SLIDES_ENCRYPTED = 0xf3d1_c4df;
const FILEPASS = 0x2f;
const END_OF_SHEET = 0x0a;

/**
 * Checks a compound file: a document of an older office program, or an encrypted newer one.
 * @throws Error for an encrypted document, and for a file that cannot be read
 */
export function refuseEncryptedCompound(data: Buffer): void {
  const file = CFB.read(data, { type: 'buffer' });
  const stream = (name: string) => {
    const entry = file.FileIndex.find((candidate) => candidate.name === name && candidate.content);
    return entry && Buffer.from(entry.content as Uint8Array);
  };
  const hidden =
    file.FileIndex.some(({ name }) => ENCRYPTED_STREAMS.includes(name)) ||
    isWordEncrypted(stream('WordDocument')) ||
    isSheetEncrypted(stream('Workbook') ?? stream('Book')) ||
    isSlidesEncrypted(stream('Current User'));
  if (hidden) throw new Error(ENCRYPTED);
}

function isWordEncrypted(stream: Buffer | undefined): boolean {
  return stream !== undefined && stream.length >= 12 && (stream.readUInt16LE(10) & WORD_ENCRYPTED) !== 0;
}

function isSlidesEncrypted(stream: Buffer | undefined): boolean {
  return stream !== undefined && stream.length >= 16 && stream.readUInt32LE(12) === SLIDES_ENCRYPTED;
}

/** The record of the password is among the first ones of the workbook, before its first end. */
function isSheetEncrypted(stream: Buffer | undefined): boolean {
  for (let at = 0; stream && at + 4 <= stream.length; at += 4 + stream.readUInt16LE(at + 2)) {
    const record = stream.readUInt16LE(at);
    if (record === FILEPASS) return true;
    if (record === END_OF_SHEET) return false;
  }
  return false;
}
