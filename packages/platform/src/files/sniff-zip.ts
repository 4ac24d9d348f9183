/** Documents that are zip archives, told apart by the names of their entries. Nothing is unpacked. */

/**
 * Media type of an archive with an entry of this name (or below this folder); the first rule that
 * matches decides.
 */
const BY_ENTRY: readonly [prefix: string, mimeType: string][] = [
  ['word/', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['xl/', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['ppt/', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ['visio/', 'application/vnd.ms-visio.drawing.main+xml'],
  ['AndroidManifest.xml', 'application/vnd.android.package-archive'],
  ['META-INF/MANIFEST.MF', 'application/java-archive'],
];

/** Types that an archive may claim by an entry `mimetype`. */
const CLAIMED = /^application\/(?:vnd\.oasis\.opendocument\.[a-z-]+|epub\+zip)/;

/**
 * The media type of a zip archive.
 * @param head its beginning  @param tail its end, which contains the directory of entries
 */
export function sniffZip(head: Buffer, tail: Buffer): string {
  const names = [...entryNames(head, 'PK\x03\x04', 26, 30), ...entryNames(tail, 'PK\x01\x02', 28, 46)];
  if (names[0] === 'mimetype') {
    const start = 30 + head.readUInt16LE(26) + head.readUInt16LE(28);
    const claimed = CLAIMED.exec(head.toString('latin1', start, start + 100))?.[0];
    if (claimed) return claimed;
  }
  // Office documents have this entry; without it a folder of that name is just a folder.
  const office = names.includes('[Content_Types].xml');
  for (const [prefix, mimeType] of BY_ENTRY) {
    if (prefix.endsWith('/') && !office) continue;
    if (names.some((name) => name.startsWith(prefix))) return mimeType;
  }
  return 'application/zip';
}

/** Names of the entries whose headers are in the bytes. */
function entryNames(data: Buffer, signature: string, lengthAt: number, nameAt: number): string[] {
  const names: string[] = [];
  for (let at = data.indexOf(signature, 0, 'latin1'); at !== -1; at = data.indexOf(signature, at + 4, 'latin1')) {
    if (at + nameAt > data.length) break;
    const length = data.readUInt16LE(at + lengthAt);
    names.push(data.toString('utf8', at + nameAt, at + nameAt + length));
  }
  return names;
}
