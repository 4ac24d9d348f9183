/** Names of response fields that the specification mentions, read from the document where it is at hand. */
import { readFile } from 'node:fs/promises';

const FILE = new URL('../../shared/spec/portal-api-specification.md', import.meta.url);

/** @returns names in tables, in lists of fields, in code quotes and JSON examples; undefined where the document is absent */
export async function namedBySpecification(): Promise<ReadonlySet<string> | undefined> {
  let text: string;
  try {
    text = await readFile(FILE, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const names = new Set<string>();
  for (const [, quoted] of text.matchAll(/`([^`\n]+)`/g)) {
    for (const [word] of (quoted as string).matchAll(/\b[a-z][A-Za-z0-9]*\b/g)) names.add(word);
  }
  for (const [, key] of text.matchAll(/"([a-z][A-Za-z0-9]*)"\s*:/g)) names.add(key as string);
  for (const line of text.split('\n')) {
    const cells = line.startsWith('|') ? line.split('|')[1] : undefined;
    const listed = /^(?:Fields|[A-Z][\w -]+):/.test(line) ? line : '';
    for (const [word] of `${cells ?? ''} ${listed}`.matchAll(/\b[a-z][a-z0-9]*(?:[A-Z][A-Za-z0-9]*)+\b/g))
      names.add(word);
  }
  return names;
}
