/** Parts of office documents, which are zip archives. */
import { ENCRYPTED } from './encrypted.ts';
import { attributeOf, localName, scanMarkup } from './markup.ts';
import { readEntries } from './zip-entries.ts';

/** Limit on the unpacked size of the parts of a document. Bytes. */
const MAX_UNPACKED = 128 * 1024 ** 2;

/**
 * Each of the matching parts as text, by name.
 * @throws Error for an archive that is broken or encrypted, or that unpacks to too much
 */
export async function partsOf(data: Buffer, wanted: RegExp): Promise<Map<string, string>> {
  const entries = await readEntries(data, wanted, MAX_UNPACKED);
  return new Map([...entries].map(([name, bytes]) => [name, bytes.toString('utf8')]));
}

/** The list of files of an OpenDocument package, which names the encrypted files. */
const MANIFEST = 'META-INF/manifest.xml';

/**
 * The parts of an OpenDocument package.
 * @throws Error for an encrypted document
 */
export async function openDocumentParts(data: Buffer, wanted: RegExp): Promise<Map<string, string>> {
  const parts = await partsOf(data, new RegExp(`${wanted.source}|^${MANIFEST}$`));
  if (hidesContent(parts.get(MANIFEST) ?? '')) throw new Error(ENCRYPTED);
  return parts;
}

/** Whether the manifest says that the content, or the whole package within the package (ODF 1.4), is encrypted. */
function hidesContent(manifest: string): boolean {
  let path: string | undefined;
  let hides = false;
  scanMarkup(
    manifest,
    (name, tag) => {
      const local = localName(name);
      if (local === 'file-entry') path = attributeOf(tag, 'full-path');
      if (local === 'encryption-data') hides ||= path === 'content.xml' || path === 'encrypted-package';
    },
    () => undefined,
  );
  return hides;
}
