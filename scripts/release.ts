/**
 * `npm run release`: writes the release archive with the built page and documents, the packages for npm, a bill of materials and checksums
 * to `release/`. The same commit gives the same bytes.
 * usage: node scripts/release.ts [FOLDER]
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildWeb } from '../apps/web/build.ts';
import { buildDocs, DOCS_DIST } from './docs.ts';
import { generateSources } from './generate-sources.ts';
import { stagePackage } from './package.ts';
import { stageService } from './service-package.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Output of a program; its failure ends the release. */
function run(command: string, args: readonly string[], cwd = root): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 28, env: { ...process.env, TZ: 'UTC' } });
}

const say = (line: string) => process.stdout.write(`${line}\n`);

/** Refuses a working tree that is not the commit whose version it would carry. */
async function readVersion(): Promise<{ version: string; seconds: string }> {
  const changed = run('git', ['status', '--porcelain']);
  if (changed !== '') throw new Error(`The working tree has changes that are not committed:\n${changed}`);
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  if (!(await readFile(join(root, 'CHANGELOG.md'), 'utf8')).includes(`\n## ${version} - `))
    throw new Error(`CHANGELOG.md has no part for ${version}.`);
  return { version, seconds: run('git', ['log', '-1', '--format=%ct']).trim() };
}

/** The tracked files, the generated sources, the built page and documents, with the commit's time. */
async function writeArchive(work: string, name: string, seconds: string): Promise<void> {
  const folder = join(work, name);
  await mkdir(folder);
  execFileSync('tar', ['-x', '-C', folder], {
    input: execFileSync('git', ['archive', 'HEAD'], { cwd: root, maxBuffer: 2 ** 30 }),
  });
  for (const built of ['apps/web/dist', 'docs/dist'])
    await cp(join(root, built), join(folder, built), { recursive: true });
  const generated = run('git', ['ls-files', '--others', '--ignored', '--exclude-standard', '*.generated.ts']);
  for (const path of generated.split('\n').filter((line) => line !== '' && !line.includes('node_modules')))
    await cp(join(root, path), join(folder, path));
  const owner = ['--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX'];
  const order = ['--sort=name', `--mtime=@${seconds}`, '--format=ustar'];
  run('tar', [...order, ...owner, '-cf', `${name}.tar`, name], work);
  run('gzip', ['-n', '-9', `${name}.tar`], work);
}

/** Packs a staged package. @param name of the archive, without its end */
async function pack(folder: string, work: string, name: string): Promise<void> {
  const [made] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', work], folder)) as {
    filename: string;
  }[];
  await rename(join(work, made!.filename), join(work, `${name}.tgz`));
}

/** The packages of the lock file, without development; its time and number follow from the content. */
async function writeBill(work: string, name: string, seconds: string): Promise<void> {
  const bill = JSON.parse(run('npm', ['sbom', '--sbom-format=cyclonedx', '--omit=dev', '--package-lock-only'])) as {
    serialNumber: string;
    metadata: { timestamp: string; tools?: unknown; component: { name: string } };
    components: unknown[];
  };
  bill.metadata.timestamp = new Date(Number(seconds) * 1_000).toISOString();
  // npm takes the name of the folder.
  bill.metadata.component.name = 'portico';
  // The version of npm on this machine.
  delete bill.metadata.tools;
  const digest = createHash('sha256').update(JSON.stringify(bill.components)).digest('hex');
  const [a, b, c, d, e] = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(digest)!.slice(1);
  bill.serialNumber = `urn:uuid:${a}-${b}-5${c}-8${d}-${e}`;
  await writeFile(join(work, `${name}.cdx.json`), `${JSON.stringify(bill, null, 2)}\n`);
}

async function writeSums(folder: string): Promise<void> {
  const lines: string[] = [];
  for (const file of (await readdir(folder)).sort())
    lines.push(
      `${createHash('sha256')
        .update(await readFile(join(folder, file)))
        .digest('hex')}  ${file}\n`,
    );
  await writeFile(join(folder, 'SHA256SUMS'), lines.join(''));
}

/** Writes a release. @param target folder that is replaced @returns names of its files */
async function release(target: string): Promise<string[]> {
  const { version, seconds } = await readVersion();
  await generateSources(false);
  await buildWeb((line) => process.stdout.write(line));
  await buildDocs();
  const work = await mkdtemp(join(tmpdir(), 'portico-release-'));
  const out = join(work, 'out');
  try {
    await mkdir(out);
    await writeArchive(work, `portico-${version}`, seconds);
    await rename(join(work, `portico-${version}.tar.gz`), join(out, `portico-${version}.tar.gz`));
    for (const name of ['cli', 'sdk'] as const) {
      await stagePackage(name, join(work, name));
      await pack(join(work, name), out, `portico-${name}-${version}`);
    }
    await stageService(join(work, 'service'), DOCS_DIST);
    await pack(join(work, 'service'), out, `portico-${version}`);
    await writeBill(out, `portico-${version}`, seconds);
    await writeSums(out);
    await rm(target, { recursive: true, force: true });
    await cp(out, target, { recursive: true });
    return (await readdir(target)).sort();
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

const target = resolve(process.argv[2] ?? join(root, 'release'));
for (const file of await release(target)) say(join(target, file));
