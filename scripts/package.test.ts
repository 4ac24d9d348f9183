/**
 * The published packages in their published form: packed, installed in an empty folder, run with
 * each available Node.js.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { type ServerProcess, startServer } from '@portico/server/testing/process';
import { build as rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const TSC = join(root, 'node_modules/typescript/bin/tsc');
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

/** Maximum size of the client library in a browser, compressed, in bytes. */
const BROWSER_BYTES = 25_000;

let folder: string;
let portal: ServerProcess;

/** The Node.js that runs this, and any other of version 20 or newer on the path. */
function nodes(): { version: string; path: string }[] {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const paths = [process.execPath, ...(process.env['PATH'] ?? '').split(delimiter).map((entry) => join(entry, name))];
  const found = new Map<string, string>();
  for (const path of paths.filter(existsSync)) {
    const version = execFileSync(realpathSync(path), ['--version'], { encoding: 'utf8' }).trim();
    const major = version.split('.')[0] as string;
    if (Number(major.slice(1)) >= 20 && !found.has(major)) found.set(major, realpathSync(path));
  }
  return [...found].map(([version, path]) => ({ version, path }));
}

function npm(cwd: string, ...words: string[]): string {
  // Nothing is fetched: the packages depend on nothing.
  const { status, stdout, stderr } = spawnSync('npm', [...words, '--offline', '--no-audit', '--no-fund'], {
    cwd,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error(`npm ${words.join(' ')}: ${stderr}`);
  return stdout;
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'portico-packed-'));
  mkdirSync(join(folder, 'empty'));
  writeFileSync(join(folder, 'empty/package.json'), '{"private": true, "type": "module"}');
  // A copy of the repository: packing changes the folder of a package to its published form, and
  // back.
  const copy = join(folder, 'repository');
  for (const part of ['packages', 'scripts', 'LICENSE', 'package.json', 'tsconfig.json'])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
  for (const name of ['sdk', 'cli']) {
    const manifest = readFileSync(join(copy, 'packages', name, 'package.json'), 'utf8');
    npm(join(copy, 'packages', name), 'pack', '--pack-destination', folder);
    expect(readFileSync(join(copy, 'packages', name, 'package.json'), 'utf8')).toBe(manifest);
  }
  const tarballs = readdirSync(folder).filter((file) => file.endsWith('.tgz'));
  npm(join(folder, 'empty'), 'install', '--omit=optional', ...tarballs.map((file) => join(folder, file)));
  portal = await startServer(true);
});
afterAll(async () => {
  await portal?.stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
});

const modules = () => join(folder, 'empty/node_modules');

it('installs the two packages and nothing else', () => {
  expect(readdirSync(modules()).filter((name) => !name.startsWith('.'))).toEqual(['@portico']);
  expect(readdirSync(join(modules(), '@portico')).sort()).toEqual(['cli', 'sdk']);
  for (const name of ['cli', 'sdk']) {
    const manifest = JSON.parse(readFileSync(join(modules(), '@portico', name, 'package.json'), 'utf8')) as Record<
      string,
      unknown
    >;
    expect(manifest['dependencies']).toBeUndefined();
    expect(Object.keys(manifest['optionalDependencies'] ?? {})).toEqual(name === 'cli' ? ['@napi-rs/keyring'] : []);
    expect(manifest['engines']).toEqual({ node: '>=20' });
    for (const file of ['LICENSE', 'README.md']) expect(existsSync(join(modules(), '@portico', name, file))).toBe(true);
  }
});

it.each([
  ['nodenext', ['--module', 'nodenext']],
  ['bundlers', ['--module', 'esnext', '--moduleResolution', 'bundler']],
  ['exact optional members', ['--module', 'nodenext', '--exactOptionalPropertyTypes']],
  ['CommonJS', ['--module', 'nodenext', '--exactOptionalPropertyTypes']],
])('gives types that need neither the sources nor those of Node.js, with %s', (consumer, settings) => {
  const file = join(folder, consumer === 'CommonJS' ? 'empty/types.cts' : 'empty/types.mts');
  writeFileSync(
    file,
    `import { ConflictError, DiskTokenCache, PorticoClient, type Community } from '@portico/sdk';
export async function main() {
const credentials = { accessToken: 'x' };
const client = new PorticoClient({ baseUrl: 'https://a.example', credentials, tokenCache: new DiskTokenCache() });
const { communities } = await client.communities.list();
const first: Community | undefined = communities?.[0];
for await (const post of client.posts.iterate({ communityId: first?.id ?? 0, where: { Status: 'Draft' }, limit: 3 })) {
  const title: string | undefined = post.title;
  const id: number = post.id;
  console.log(id, title, post.creatorUser.firstName.length, ConflictError);
}
for await (const { title } of client.posts.list({ communityId: 1, pageSize: undefined })) console.log(title);
const { postId } = await client.posts.create({ communityId: 1, title: 'A', description: 'B', announcement: false });
const text: string = (await client.comments.create({ postId, comment: 'C' })).comment.creatorUser.lastName;
const part = await client.posts.get({ postId, fields: ['title'] });
// @ts-expect-error a selection has the id and the selected members alone
const author: object = part.creatorUser;
console.log(text, part.id, author);
await client.posts.update(1, { title: undefined, customData: { Due: new Date(), Size: 12n } });
// @ts-expect-error a change needs the version
await client.posts.patch({ postId: 3, title: 'x' });
// @ts-expect-error there is no such parameter
await client.posts.get({ postIdentifier: 3 });
const { customData } = await client.posts.get({ postId: 3 }, { labels: true });
console.log(customData?.['Due date']);
}
`,
  );
  const { stdout } = spawnSync(
    process.execPath,
    [
      TSC,
      '--noEmit',
      '--strict',
      ...settings,
      '--target',
      'es2022',
      '--lib',
      'es2022,dom,dom.iterable,dom.asynciterable',
      '--types',
      '',
      file,
    ],
    { cwd: join(folder, 'empty'), encoding: 'utf8' },
  );
  expect(stdout).toBe('');
});

it('is small in a bundle: without what is not used, and without the texts of the interface', async () => {
  const bundle = async (code: string) => {
    const input = join(folder, 'empty/entry.mjs');
    writeFileSync(input, code);
    // One file, also with the parts that a page loads later.
    const { output } = await rolldown({
      input,
      platform: 'browser',
      write: false,
      output: { minify: true, codeSplitting: false },
    });
    return output[0].code;
  };
  const errors = await bundle(`import { ConflictError } from '@portico/sdk'; console.log(ConflictError);`);
  const client = await bundle(`import { PorticoClient } from '@portico/sdk'; console.log(PorticoClient);`);
  expect(errors).not.toContain('communication/');
  expect(errors.length).toBeLessThan(4_000);
  expect(client).toContain('communication/');
  // Summaries and descriptions are for documents, not for programs.
  expect(client).not.toContain('The starting values of a new post');
  const compressed = gzipSync(client).length;
  process.stdout.write(
    `a page gets ${client.length} bytes of the client library, ${compressed} compressed; ${errors.length} for one error\n`,
  );
  expect(compressed).toBeLessThan(BROWSER_BYTES);
});

it('leads browsers to a build without Node.js in it', () => {
  const dist = join(modules(), '@portico/sdk/dist');
  const { exports } = JSON.parse(readFileSync(join(modules(), '@portico/sdk/package.json'), 'utf8')) as {
    exports: { '.': { default: { default: string } } };
  };
  expect(exports['.'].default.default).toBe('./dist/index.js');
  const reached = new Set(['index.js']);
  for (const file of reached) {
    const text = readFileSync(join(dist, file), 'utf8');
    expect(text).not.toMatch(/from\s*["']node:|require\(/);
    for (const [, next] of text.matchAll(/(?:from\s*|import\()["']\.\/([^"']+)["']/g)) reached.add(next as string);
  }
  expect(reached.size).toBeGreaterThan(1);
});

it('signs in, reads and uploads with the build for browsers', async () => {
  // The same file that a page gets; fetch, Web Crypto and FormData are here too.
  const build = pathToFileURL(join(modules(), '@portico/sdk/dist/index.js')).href;
  const { PorticoClient, ConfigurationError } = (await import(build)) as typeof import('@portico/sdk');
  const serviceAccount = JSON.parse(readFileSync(portal.keyPath, 'utf8')) as {
    type: string;
    private_key_id: number;
    private_key: string;
    client_id: number;
  };
  const client = new PorticoClient({ baseUrl: portal.baseUrl, credentials: { serviceAccount } });
  expect((await client.auth.currentUser()).userData?.serviceAccount).toBe(true);
  const sent: number[] = [];
  const onProgress = ({ sentBytes }: { sentBytes: number }) => sent.push(sentBytes);
  const { contentRef } = await client.files.upload(new File(['text'], 'note.txt'), { onProgress });
  expect([contentRef.length, sent]).toEqual([64, [4]]);
  const byPath = new PorticoClient({ baseUrl: portal.baseUrl, credentials: { serviceAccount: portal.keyPath } });
  await expect(byPath.auth.currentUser()).rejects.toBeInstanceOf(ConfigurationError);
});

describe.each(nodes())('Node.js $version', ({ path }) => {
  const run = (words: string[]) => {
    const env = {
      ...process.env,
      PORTICO_URL: portal.baseUrl,
      PORTICO_KEY_FILE: portal.keyPath,
      PORTICO_CONFIG: join(folder, 'none.json'),
      PORTICO_CACHE_DIR: join(folder, 'tokens'),
    };
    const { status, stdout, stderr } = spawnSync(path, words, {
      cwd: join(folder, 'empty'),
      env,
      encoding: 'utf8',
      maxBuffer: 64e6,
    });
    return { status, out: stdout, err: stderr };
  };
  const portico = (...words: string[]) => run([join(modules(), '@portico/cli/dist/portico.mjs'), ...words]);

  it('runs the command', () => {
    expect(portico('--version')).toEqual({ status: 0, out: '0.2.0\n', err: '' });
    expect(JSON.parse(portico('whoami', '--output', 'json').out)).toMatchObject({ url: portal.baseUrl });
    const list = portico('api', 'communities', 'list', '--output', 'yaml', '--fields', 'name');
    expect([list.status, list.out]).toEqual([0, expect.stringContaining('- name: IT Service Desk')]);
    writeFileSync(join(folder, 'empty/file.txt'), 'text');
    expect(JSON.parse(portico('api', 'attachments', 'upload', 'file.txt', '--output', 'json').out)).toMatchObject({
      name: 'file.txt',
    });
    expect(portico('admin', 'tenant', 'list')).toMatchObject({
      status: 2,
      err: expect.stringContaining('where the server is installed'),
    });
  });

  it('runs the client library', () => {
    const script = join(folder, 'empty/use.mjs');
    writeFileSync(
      script,
      `import { DiskTokenCache, PorticoClient } from '@portico/sdk';
const client = new PorticoClient({
  baseUrl: process.env.PORTICO_URL,
  credentials: { serviceAccount: process.env.PORTICO_KEY_FILE },
  tokenCache: new DiskTokenCache(process.env.PORTICO_CACHE_DIR),
});
let posts = 0;
for await (const item of client.changes.follow({ once: true })) if (item.status === 'CREATED') posts++;
const { contentRef } = await client.files.upload(new Blob(['x']), { name: 'x.txt' });
console.log(posts > 400, contentRef.length);
`,
    );
    expect(run([script])).toEqual({ status: 0, out: 'true 64\n', err: '' });
  });

  it('starts without loading a command or the client library', () => {
    const loaded = (...words: string[]) => {
      const directory = mkdtempSync(join(folder, 'loaded-'));
      // Node.js tells in its coverage report which files it ran.
      execFileSync(path, [join(modules(), '@portico/cli/dist/portico.mjs'), ...words], {
        env: { ...process.env, NODE_V8_COVERAGE: directory },
      });
      const reports = readdirSync(directory).map((file) => JSON.parse(readFileSync(join(directory, file), 'utf8')));
      const urls = (reports as { result: { url: string }[] }[]).flatMap(({ result }) => result.map(({ url }) => url));
      return new Set(
        urls.filter((url) => url.startsWith('file:')).map((url) => basename(url).replace(/-[^.]*(?=\.mjs$)/, '')),
      );
    };
    expect([...loaded('--version')].sort()).toEqual(['errors.mjs', 'portico.mjs', 'version.mjs']);
    // The modules loaded by other words show that the report is complete.
    expect([...loaded('completion', 'bash')]).toContain('program.mjs');
  });

  it('starts in little time: that of --version beside that of the bare runtime is printed', () => {
    const median = (words: string[]) =>
      Array.from({ length: 3 }, () => {
        const started = performance.now();
        expect(run(words).status).toBe(0);
        return performance.now() - started;
      }).sort((a, b) => a - b)[1] as number;
    const bare = median(['-e', '0']);
    const version = median([join(modules(), '@portico/cli/dist/portico.mjs'), '--version']);
    process.stdout.write(`portico --version ${version.toFixed(0)} ms, bare runtime ${bare.toFixed(0)} ms\n`);
  });
});
