/**
 * Makes the packages that are published: compiled, with the contract (and for the command, everything else) bundled in.
 * usage: node scripts/package.ts sdk|cli FOLDER    writes the complete package into FOLDER
 *        node scripts/package.ts --prepack          (npm runs it in the package's folder) turns the folder into what is packed
 *        node scripts/package.ts --postpack         … and back
 */
import { spawnSync } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';
import { slimContract } from './slim-contract.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const KEPT = '.package.json.source';

type Manifest = Record<string, unknown>;

/** Writes the compiled package of `packages/<name>` into a folder. */
async function buildPackage(name: 'sdk' | 'cli', folder: string): Promise<void> {
  const source = join(root, 'packages', name);
  await rm(join(folder, 'dist'), { recursive: true, force: true });
  await (name === 'sdk' ? buildSdk(source, folder) : buildCli(source, folder));
  for (const file of ['LICENSE', 'README.md']) {
    const own = file === 'LICENSE' ? root : source;
    if (own !== folder) await cp(join(own, file), join(folder, file));
  }
}

/** Returns the manifest to publish, from the repository's manifest, which refers to the sources. */
function publishedManifest(name: 'sdk' | 'cli', manifest: Manifest): Manifest {
  const { devDependencies: _, dependencies: __, scripts: ___, private: ____, ...rest } = manifest;
  const common = { ...rest, engines: { node: '>=20' }, files: ['dist'] };
  if (name === 'cli') return { ...common, bin: { portico: 'dist/portico.mjs' } };
  return {
    ...common,
    exports: {
      '.': {
        browser: { types: './dist/types/sdk/src/index.d.ts', default: './dist/index.js' },
        node: { types: './dist/types/sdk/src/node.d.ts', default: './dist/node.js' },
        // Compilers that resolve like bundlers set neither condition, also for programs on Node.js.
        default: { types: './dist/types/sdk/src/node.d.ts', default: './dist/index.js' },
      },
    },
    types: './dist/types/sdk/src/node.d.ts',
  };
}

const common = { logLevel: 'warn' as const, resolve: { conditionNames: ['node', 'import'] } };

async function buildSdk(source: string, folder: string): Promise<void> {
  await build({
    ...common,
    plugins: [slimContract],
    // Properties here have no getters: the bundler can remove unused reads.
    treeshake: { propertyReadSideEffects: false },
    input: { node: join(source, 'src/node.ts'), index: join(source, 'src/index.ts') },
    platform: 'neutral',
    external: /^node:/,
    // Bundlers of pages put a module aside until it is needed only if it is a file.
    output: {
      dir: join(folder, 'dist'),
      format: 'esm',
      preserveModules: true,
      preserveModulesRoot: join(source, 'src'),
    },
  });
  await emitTypes(join(folder, 'dist/types'));
}

async function buildCli(source: string, folder: string): Promise<void> {
  await build({
    ...common,
    input: { portico: join(source, 'src/main.ts') },
    platform: 'node',
    // The keychain has a binary for each system; it is an optional dependency.
    external: [/^node:/, /^@portico\/server/, '@napi-rs/keyring'],
    output: {
      dir: join(folder, 'dist'),
      format: 'esm',
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name]-[hash].mjs',
      banner: (chunk) => (chunk.isEntry ? '#!/usr/bin/env node' : ''),
      minify: { compress: false, mangle: false, codegen: true },
    },
  });
  await chmod(join(folder, 'dist/portico.mjs'), 0o755);
  await writeFile(
    join(folder, 'dist/THIRD-PARTY-LICENSES'),
    await licences(['@michaelhomer/jqjs', 'chardet', 'commander', 'mustache', 'yaml']),
  );
}

/** The licences of the bundled packages, which require that they are included. */
async function licences(names: readonly string[]): Promise<string> {
  const parts = names.map(async (name) => {
    const folder = join(root, 'node_modules', name);
    const file = (await readdir(folder)).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
    if (file === undefined) throw new Error(`${name} has no licence file.`);
    return `${name}\n\n${await readFile(join(folder, file), 'utf8')}\n`;
  });
  return (await Promise.all(parts)).join('\n');
}

/** Declarations of the client library and the contract beside it, which refer to each other by path. */
async function emitTypes(folder: string): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'portico-types-'));
  try {
    const project = join(work, 'tsconfig.json');
    await writeFile(
      project,
      JSON.stringify({
        extends: join(root, 'tsconfig.json'),
        compilerOptions: {
          noEmit: false,
          emitDeclarationOnly: true,
          declaration: true,
          stripInternal: true,
          allowImportingTsExtensions: true,
          rootDir: join(root, 'packages'),
          outDir: folder,
          typeRoots: [join(root, 'node_modules/@types')],
        },
        include: [],
        files: ['sdk/src/node.ts', 'sdk/src/index.ts', 'contract/src/index.ts'].map((file) =>
          join(root, 'packages', file),
        ),
      }),
    );
    const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
    const { status, stdout, stderr } = spawnSync(process.execPath, [compiler, '-p', project], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`tsc failed:\n${stdout}${stderr}`);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  for (const file of await readdir(folder, { recursive: true })) {
    if (!file.endsWith('.d.ts')) continue;
    const path = join(folder, file);
    const contract = relative(dirname(path), join(folder, 'contract/src/index.js'));
    const text = (await readFile(path, 'utf8'))
      .replaceAll(/(['"])@portico\/contract\1/g, `'${contract.startsWith('.') ? contract : `./${contract}`}'`)
      .replaceAll(/((?:from|import)\s*\(?\s*['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2');
    await writeFile(path, text);
  }
}

/** Makes a whole package in an empty folder, ready for `npm pack`. */
export async function stagePackage(name: 'sdk' | 'cli', folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await buildPackage(name, folder);
  const manifest = JSON.parse(await readFile(join(root, 'packages', name, 'package.json'), 'utf8')) as Manifest;
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(publishedManifest(name, manifest), null, 2)}\n`);
}

function nameOf(folder: string): 'sdk' | 'cli' {
  const name = basename(folder);
  if (name === 'sdk' || name === 'cli') return name;
  throw new Error(`${folder} is not a package that is published`);
}

/**
 * `npm pack` packs the folder as it is when the script ends; the sources' manifest is kept beside
 * it.
 */
async function prepack(folder: string): Promise<void> {
  const name = nameOf(folder);
  await buildPackage(name, folder);
  const text = await readFile(join(folder, 'package.json'), 'utf8');
  await writeFile(join(folder, KEPT), text);
  await writeFile(
    join(folder, 'package.json'),
    `${JSON.stringify(publishedManifest(name, JSON.parse(text) as Manifest), null, 2)}\n`,
  );
}

async function postpack(folder: string): Promise<void> {
  await rename(join(folder, KEPT), join(folder, 'package.json'));
  await rm(join(folder, 'LICENSE'), { force: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [what, folder] = process.argv.slice(2);
  if (what === '--prepack') await prepack(process.cwd());
  else if (what === '--postpack') await postpack(process.cwd());
  else if ((what === 'sdk' || what === 'cli') && folder) await stagePackage(what, folder);
  else throw new Error('usage: node scripts/package.ts sdk|cli FOLDER');
}
