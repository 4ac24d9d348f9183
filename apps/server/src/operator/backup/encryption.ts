/**
 * Encryption of backups for public keys, in the format of age (https://age-encryption.org): whoever makes backups cannot read
 * them, and other tools that know the format can.
 */
import { writeFile } from 'node:fs/promises';
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { OperatorError } from '../operator-error.ts';
import { type BackupCipher, BackupDamage } from './place.ts';

/** Keys of backups: public ones to write with, private ones to read with. */
export interface BackupKeys {
  /** Public keys: `age1…`. */
  readonly recipients: readonly string[];
  /** Private keys: `AGE-SECRET-KEY-1…`. */
  readonly identities: readonly string[];
}

/** @throws OperatorError for a key that is none */
export async function openCipher({ recipients, identities }: BackupKeys): Promise<BackupCipher> {
  const encrypter = new Encrypter();
  for (const recipient of recipients) {
    try {
      encrypter.addRecipient(recipient);
    } catch (error) {
      throw new OperatorError(`PORTICO_BACKUP_RECIPIENTS has no public key of age in "${recipient}".`, {
        cause: error,
      });
    }
  }
  const decrypter = new Decrypter();
  const opens: string[] = [];
  for (const identity of identities) {
    try {
      decrypter.addIdentity(identity);
      opens.push(await identityToRecipient(identity));
    } catch (error) {
      // The key itself is never told.
      throw new OperatorError('PORTICO_BACKUP_IDENTITY has a line that is no private key of age.', { cause: error });
    }
  }
  return {
    key: recipients.length === 0 ? null : [...recipients].sort().join(','),
    opens,
    seal: async (bytes) => {
      const sealed = await encrypter.encrypt(streamOf(bytes));
      return { bytes: bytesOf(sealed), size: (of) => sealed.size(of) };
    },
    open: (bytes) => opened(decrypter, bytes),
  };
}

/** Decrypts. Failures of the source stay as they are. @throws BackupDamage */
async function* opened(decrypter: Decrypter, source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let failure: unknown;
  const watched = async function* () {
    try {
      yield* source;
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  try {
    yield* bytesOf(await decrypter.decrypt(streamOf(watched())));
  } catch (error) {
    if (failure !== undefined) throw failure;
    throw new BackupDamage(`a part cannot be decrypted: ${(error as Error).message}`, { cause: error });
  }
}

function streamOf(bytes: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  return ReadableStream.from(bytes) as ReadableStream<Uint8Array>;
}

/** Chunks of a stream. A reader that ends early cancels it. */
async function* bytesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* stream as ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>;
}

/**
 * Writes a new private key into a file that only its owner reads.
 * @returns the public key
 * @throws OperatorError when there is such a file
 */
export async function writeBackupKey(file: string, now = new Date()): Promise<string> {
  const identity = await generateX25519Identity();
  const recipient = await identityToRecipient(identity);
  const text = `# created: ${now.toISOString()}\n# public key: ${recipient}\n${identity}\n`;
  try {
    await writeFile(file, text, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw new OperatorError(`The key cannot be written to ${file}: ${(error as Error).message}.`, { cause: error });
  }
  return recipient;
}
