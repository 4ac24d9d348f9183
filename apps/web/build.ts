/**
 * Builds the page (`npm run build`, and the start of the server). Does nothing if `dist` was built
 * from the same sources. Only one process builds at a time; the finished folder replaces the old
 * one.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { absent, takeLock } from './build-lock.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '../..');
const dist = join(here, 'dist');
const lock = join(here, 'dist.lock');
/** The sources of the page. */
const SOURCES = [
  'apps/web/src',
  'apps/web/public',
  'packages/sdk/src',
  'packages/contract/src',
  'scripts/slim-contract.ts',
  // The gallery of communities.
  'examples/communities',
];
const FILES = [
  'apps/web/index.html',
  'apps/web/vite.config.ts',
  'apps/web/package.json',
  'apps/web/build.ts',
  'package-lock.json',
];
/** @param say is told when a build begins and ends @returns whether it was built */
export async function buildWeb(say: (line: string) => void = () => undefined): Promise<boolean> {
  const hash = await hashOfSources();
  if (await isBuiltFrom(hash)) return false;
  await takeLock(lock, () => say('Another process builds the page: waiting for it …\n'));
  try {
    if (await isBuiltFrom(hash)) return false;
    const began = Date.now();
    say('Building the page …\n');
    const made = `${dist}.new`;
    await rm(made, { recursive: true, force: true });
    await runVite(made);
    await fillServiceWorker(made);
    await compressFiles(made);
    await writeFile(join(made, 'sources.sha256'), hash);
    await rm(dist, { recursive: true, force: true });
    await rename(made, dist);
    say(`The page was built in ${((Date.now() - began) / 1000).toFixed(1)} s.\n`);
    return true;
  } finally {
    await rm(lock, { recursive: true, force: true });
  }
}

/**
 * Runs Vite as a separate process, because its output depends on NODE_ENV, which the calling
 * process has set for itself.
 */
async function runVite(outDir: string): Promise<void> {
  const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin/vite.js');
  const env = { ...process.env, NODE_ENV: 'production' };
  const args = [vite, 'build', here, '--outDir', outDir, '--logLevel', 'warn'];
  await promisify(execFile)(process.execPath, args, { env });
}

/** Files that the page needs without a network: other alphabets of the font are loaded when they are used. */
const isKept = (name: string): boolean => ['.js', '.css'].includes(extname(name)) || name.includes('-latin-wght-');

/** Names the files to keep, and the version of the page, in its service worker. */
async function fillServiceWorker(folder: string): Promise<void> {
  const files = (await readdir(join(folder, 'assets'))).filter(isKept).map((name) => `assets/${name}`);
  const html = await readFile(join(folder, 'index.html'));
  const version = createHash('sha256').update(files.join(' ')).update(html).digest('hex').slice(0, 16);
  const path = join(folder, 'sw.js');
  const script = await readFile(path, 'utf8');
  await writeFile(path, script.replace('__FILES__', files.join(' ')).replace('__VERSION__', version));
}

async function isBuiltFrom(hash: string): Promise<boolean> {
  return (await readFile(join(dist, 'sources.sha256'), 'utf8').catch(absent)) === hash;
}

async function hashOfSources(): Promise<string> {
  const paths = [...FILES];
  for (const folder of SOURCES) {
    const path = join(root, folder);
    if (!(await stat(path)).isDirectory()) paths.push(folder);
    else
      for (const entry of await readdir(path, { recursive: true, withFileTypes: true }))
        if (entry.isFile() && !entry.name.includes('.test.'))
          paths.push(relative(root, join(entry.parentPath, entry.name)));
  }
  const hash = createHash('sha256');
  for (const path of paths.sort()) hash.update(`${path}\0`).update(await readFile(join(root, path)));
  return hash.digest('hex');
}

async function compressFiles(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !['.js', '.css', '.svg'].includes(extname(entry.name))) continue;
    const path = join(entry.parentPath, entry.name);
    const content = await readFile(path);
    const params = { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
    await writeFile(`${path}.br`, await promisify(brotliCompress)(content, { params }));
    await writeFile(`${path}.gz`, await promisify(gzip)(content, { level: 9 }));
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!(await buildWeb((line) => process.stdout.write(line)))) process.stdout.write('The page is up to date.\n');
}
