/** The package of the service as npm installs it: below `node_modules`, without sources, beside its packages. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Running } from '@portico/server/testing/process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { stageService } from './service-package.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

let folder: string;
let staged: string;
let command: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'portico-service-'));
  const modules = join(folder, 'node_modules');
  staged = join(modules, 'portico');
  mkdirSync(staged, { recursive: true });
  // scripts/docs.test.ts builds the whole site.
  const docs = join(folder, 'docs');
  mkdirSync(docs);
  writeFileSync(join(docs, 'index.html'), '<title>Documents</title>');
  await stageService(staged, docs);
  const { dependencies, optionalDependencies } = JSON.parse(
    readFileSync(join(staged, 'package.json'), 'utf8'),
  ) as Record<string, Record<string, string>>;
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const source = join(root, 'node_modules', name);
    if (!existsSync(source)) continue;
    if (name.includes('/')) mkdirSync(join(modules, name, '..'), { recursive: true });
    symlinkSync(source, join(modules, name));
  }
  command = join(staged, 'packages/cli/bin/portico.mjs');
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));

test('holds no sources, tests or packages of this repository', () => {
  const files = readdirSync(staged, { recursive: true }).map(String);
  expect(files.filter((file) => /\.tsx?$|\.test\.|fixture|node_modules/.test(file))).toEqual([]);
  const { dependencies, bin } = JSON.parse(readFileSync(join(staged, 'package.json'), 'utf8'));
  expect(Object.keys(dependencies).filter((name) => name.startsWith('@portico/'))).toEqual([]);
  expect(bin).toEqual({ portico: 'packages/cli/bin/portico.mjs' });
});

test('loads the script of isolated processes with the files that these may read', () => {
  const platform = join(staged, 'packages/platform');
  const flags = ['--permission', `--allow-fs-read=${platform}/`, `--allow-fs-read=${join(folder, 'node_modules')}/`];
  // It ends by itself where no server waits for it.
  execFileSync(process.execPath, [...flags, join(platform, 'src/files/isolation/isolated-child.js')], {
    stdio: 'pipe',
  });
});

test('serves the interface, the page and the documents by its command, and stops', async () => {
  expect(execFileSync(process.execPath, [command, '--version'], { encoding: 'utf8' })).toBe(`${version}\n`);
  const service = new Running(
    process.execPath,
    [command, 'serve'],
    {
      PORT: '0',
      PORTICO_DATA_DIR: join(folder, 'data'),
      PORTICO_DEMO: 'false',
      PORTICO_DRAIN_MS: '0',
      PORTICO_PROCESSES: '2',
    },
    folder,
  );
  try {
    const origin = await service.ready();
    expect(await (await fetch(`${origin}/healthz`)).json()).toEqual({ status: 'ok', version });
    expect(await (await fetch(`${origin}/portal/`, { headers: { Accept: 'text/html' } })).text()).toContain('<title>');
    const documents = await fetch(`${origin}/portal/docs/`, { headers: { Accept: 'text/html' } });
    expect(await documents.text()).toBe('<title>Documents</title>');
    const samples = (await (await fetch(`${origin}/portal/api/docs/samples.json`)).json()) as object;
    expect(Object.keys(samples)).toContain('POST /communication/posts/manage/create-post/{communityId}');
    expect(service.log).toContainEqual(expect.objectContaining({ msg: `Portico ${version} serves` }));
  } finally {
    expect((await service.end()).code).toBe(0);
  }
});

test('every part of the repository has the version of the release', () => {
  const chart = readFileSync(join(root, 'deploy/helm/portico/Chart.yaml'), 'utf8');
  expect(chart).toContain(`\nversion: ${version}\nappVersion: ${version}\n`);
  expect(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')).toContain(`\n## ${version} - `);
  const folders = ['packages', 'apps'].flatMap((part) => readdirSync(join(root, part)).map((name) => join(part, name)));
  for (const place of [...folders, 'acceptance', 'bench']) {
    const manifest = JSON.parse(readFileSync(join(root, place, 'package.json'), 'utf8'));
    expect([place, manifest.version]).toEqual([place, version]);
    // Only the command and the client library are published besides.
    expect([place, manifest.private === true]).toEqual([place, !['packages/cli', 'packages/sdk'].includes(place)]);
  }
});
