/** Encodings of files of rows: detected from their first bytes, or named by the mapping. */
import {
  encodingByMark,
  type FoundEncoding,
  likelyEncoding as likelyBy,
  utf16ByZeroBytes,
} from '@portico/contract/encodings';
import { ImportError } from './errors.ts';

/**
 * Finds the encoding of a file: from its byte-order mark, else from the mapping, else from its zero
 * bytes; the default is UTF-8.
 * @param head the first bytes of the file, as many as `HEAD_BYTES`, or all of it
 * @param given the encoding that the mapping names
 * @throws ImportError for UTF-32, and for zero bytes that the given encoding does not explain
 */
export function findEncoding(name: string, head: Buffer, given: string | undefined): FoundEncoding {
  const found = encodingByMark(head);
  if (found?.encoding.startsWith('utf-32'))
    throw new ImportError(`${name} is ${found.encoding}, which is not read: save it as UTF-8.`);
  if (found) return found;
  const wide = utf16ByZeroBytes(head);
  if (wide && given && !given.startsWith('utf-16')) {
    throw new ImportError(`${name} is likely ${wide}: every other byte is zero; csv.encoding names ${given}.`);
  }
  return { encoding: given ?? wide ?? 'utf-8', mark: 0 };
}

/**
 * Guesses the encoding of a text, for a message.
 * @param sample some of the text that `inForce` cannot decode
 */
export async function likelyEncoding(sample: Buffer, inForce: string): Promise<string | undefined> {
  const { analyse } = await import('chardet');
  return likelyBy(analyse, sample, inForce);
}
