// `npm run web:size`: what the first visit of each page loads, compressed with Brotli. Fails above the limit.
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildWeb } from './build.ts';

/** Bytes. */
const LIMIT = 200_000;

await buildWeb((line) => process.stdout.write(line));
const dist = fileURLToPath(new URL('dist/', import.meta.url));
interface Chunk {
  file: string;
  css?: string[];
  imports?: string[];
  dynamicImports?: string[];
}

const manifest: Readonly<Record<string, Chunk>> = JSON.parse(await readFile(join(dist, '.vite/manifest.json'), 'utf8'));

/** Files that a chunk needs before it runs. */
function filesOf(name: string, found = new Set<string>()): Set<string> {
  const { file, css = [], imports = [] } = manifest[name]!;
  if (found.has(file)) return found;
  for (const path of [file, ...css]) found.add(path);
  for (const other of imports) filesOf(other, found);
  return found;
}

const entry = 'index.html';
let largest = 0;
// Parts that open by an action, for example the panel for a new post, load after the page.
const pages = (manifest[entry]!.dynamicImports ?? []).filter((name) => name.endsWith('-page.tsx'));
for (const page of [entry, ...pages]) {
  let total = 0;
  for (const path of new Set([...filesOf(entry), ...filesOf(page)]))
    total += (await stat(join(dist, `${path}.br`))).size;
  largest = Math.max(largest, total);
  process.stdout.write(`${page.padEnd(48)} ${String(total).padStart(8)} of ${LIMIT}\n`);
}
if (largest > LIMIT) process.exitCode = 1;
