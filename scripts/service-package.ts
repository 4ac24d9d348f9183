/**
 * Makes the package `portico`: the service with the page and the documents, and the command. Node.js strips no types below `node_modules`, so
 * each TypeScript file becomes a JavaScript file in the same folder, and packages of this repository are imported by path.
 * usage: node scripts/service-package.ts FOLDER
 */
import { execFileSync } from 'node:child_process';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildWeb } from '../apps/web/build.ts';
import { buildDocs, DOCS_DIST } from './docs.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly exports?: Readonly<Record<string, string | { readonly node: string }>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Folders of this repository that the package is made of. */
const PACKAGES = ['contract', 'sdk', 'cli', 'platform', 'embedded-postgres'].map((name) => `packages/${name}`);
const CODE = [...PACKAGES.map((folder) => `${folder}/src`), 'packages/cli/bin', 'apps/server/src'];
const FILES = ['apps/server/start.mjs', 'apps/web/src/addresses.ts', 'LICENSE'];
/** Copied as they are. The manifests tell the version. */
const KEPT = [
  ...['apps/server/package.json', 'packages/cli/package.json'],
  ...['apps/server/migrations', 'apps/web/dist', 'examples/demo'],
];
/** Only for development. */
const LEFT_OUT = /\.test\.tsx?$|\.fixture\.ts$|\/testing\/|\.d\.ts$/;
const IMPORT = /(\bfrom\s*|\bimport\s*\(?\s*|\bnew URL\(\s*|\bimport\.meta\.resolve\(\s*)(['"])([^'"\n]+)\2/g;

const readManifest = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8'));

/** The file that each specifier of a package of this repository leads to, or a pattern of both. */
async function ownModules(): Promise<Map<string, string>> {
  const modules = new Map<string, string>();
  for (const folder of [...PACKAGES, 'apps/server']) {
    const { name, exports = {} } = await readManifest(folder);
    for (const [path, target] of Object.entries(exports)) {
      const file = typeof target === 'string' ? target : target.node;
      modules.set(join(name, path), join(folder, file));
    }
  }
  return modules;
}

/** Returns the path of a file of this repository that a specifier leads to; undefined for other packages. */
function resolveOwn(specifier: string, modules: ReadonlyMap<string, string>): string | undefined {
  const exact = modules.get(specifier);
  if (exact !== undefined) return exact;
  for (const [pattern, file] of modules) {
    const [begin = '', end] = pattern.split('*');
    if (end === undefined || !specifier.startsWith(begin) || !specifier.endsWith(end)) continue;
    return file.replace('*', specifier.slice(begin.length, specifier.length - end.length));
  }
  return undefined;
}

/** Returns the JavaScript of a file. @param path below the root, of the TypeScript or JavaScript file */
function compile(path: string, source: string, modules: ReadonlyMap<string, string>): string {
  const code = path.endsWith('.ts') ? stripTypeScriptTypes(source) : source;
  return code.replaceAll(IMPORT, (whole, before: string, quote: string, specifier: string) => {
    const own = specifier.startsWith('.') ? specifier : resolveOwn(specifier, modules);
    if (own === undefined) return whole;
    const file = own === specifier ? own : relative(dirname(path), own);
    const relativeFile = file.startsWith('.') ? file : `./${file}`;
    return `${before}${quote}${relativeFile.replace(/\.ts$/, '.js')}${quote}`;
  });
}

/** The manifest: the packages that the code imports, in their versions of this repository. */
async function manifestOf(): Promise<Record<string, unknown>> {
  const { version, license } = await readManifest('.');
  const dependencies: Record<string, string> = {};
  const optionalDependencies: Record<string, string> = { ...(await readManifest('.')).optionalDependencies };
  for (const folder of [...PACKAGES, 'apps/server']) {
    const manifest = await readManifest(folder);
    for (const [name, range] of Object.entries(manifest.dependencies ?? {}))
      if (!name.startsWith('@portico/')) dependencies[name] = range;
    Object.assign(optionalDependencies, manifest.optionalDependencies);
  }
  const sorted = (entries: Record<string, string>) =>
    Object.fromEntries(Object.entries(entries).sort(([one], [other]) => (one < other ? -1 : 1)));
  return {
    name: 'portico',
    version,
    description: 'Portico, a self-hosted collaboration portal: the service with its page, and the command.',
    license,
    type: 'module',
    bin: { portico: 'packages/cli/bin/portico.mjs' },
    engines: { node: '>=20' },
    dependencies: sorted(dependencies),
    optionalDependencies: sorted(optionalDependencies),
  };
}

const README = `# Portico

The service with its page and the command, for Node.js 24.2 or newer (the package brings one):

    npx portico serve

The documents are at /portal/docs/ of the running service.
`;

/**
 * Writes the package into a folder, ready for `npm pack`.
 * @param docs folder of the built documents
 */
export async function stageService(folder: string, docs: string): Promise<void> {
  await buildWeb();
  const modules = await ownModules();
  const paths = [...FILES];
  for (const start of CODE)
    for (const entry of await readdir(join(root, start), { recursive: true, withFileTypes: true }))
      if (entry.isFile()) paths.push(relative(root, join(entry.parentPath, entry.name)));
  for (const path of paths.sort()) {
    if (LEFT_OUT.test(path)) continue;
    const target = join(folder, path.replace(/\.ts$/, '.js'));
    await mkdir(dirname(target), { recursive: true });
    if (!/\.(?:ts|mjs)$/.test(path)) await cp(join(root, path), target);
    else await writeFile(target, compile(path, await readFile(join(root, path), 'utf8'), modules), { mode: 0o755 });
  }
  for (const path of KEPT) await cp(join(root, path), join(folder, path), { recursive: true });
  await cp(docs, join(folder, 'docs/dist'), { recursive: true });
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(await manifestOf(), null, 2)}\n`);
  await writeFile(join(folder, 'README.md'), README);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder] = process.argv.slice(2);
  if (!folder) throw new Error('usage: node scripts/service-package.ts FOLDER');
  await buildDocs();
  await stageService(folder, DOCS_DIST);
  process.stdout.write(execFileSync('du', ['-sh', folder], { encoding: 'utf8' }));
}
