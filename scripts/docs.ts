/**
 * `npm run docs`: builds the documentation site into `docs/dist`, which the server serves at `/portal/docs/`. Nothing is read from
 * a network. Fails on a link that leads nowhere.
 * usage: node scripts/docs.ts
 */
import { createHash } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vitepress';
import { faultsOfSite } from './docs/links.ts';
import { stageDocuments } from './docs/stage.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const BASE = '/portal/docs/';

/** Folder of the built site. */
export const DOCS_DIST = join(root, 'docs/dist');

/** Moves scripts out of the pages into files: the Content-Security-Policy of the server allows no others. */
async function moveScripts(folder: string): Promise<void> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.html'));
  for (const name of names) {
    const html = await readFile(join(folder, name), 'utf8');
    const scripts = new Map<string, string>();
    const moved = html.replace(/<script([^>]*)>([^<]+)<\/script>/g, (_, attributes: string, code: string) => {
      const file = `assets/script-${createHash('sha256').update(code).digest('hex').slice(0, 12)}.js`;
      scripts.set(file, code);
      return `<script${attributes} src="${BASE}${file}"></script>`;
    });
    for (const [file, code] of scripts) await writeFile(join(folder, file), code);
    await writeFile(join(folder, name), moved);
  }
}

/** Builds the site. @throws if a link leads nowhere */
export async function buildDocs(): Promise<void> {
  await stageDocuments(root, join(root, 'docs/.vitepress/pages'));
  const built = join(root, 'docs/.vitepress/built');
  await build(join(root, 'docs'), { base: BASE, outDir: built });
  await moveScripts(built);
  const faults = await faultsOfSite(built, BASE);
  if (faults.length > 0) throw new Error(`The site has faults:\n${faults.join('\n')}`);
  await rm(DOCS_DIST, { recursive: true, force: true });
  await rename(built, DOCS_DIST);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildDocs();
