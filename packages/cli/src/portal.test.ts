/** The binary, the client library and the example against the real server with its demo content. */
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  ConflictError,
  DiskTokenCache,
  NotFoundError,
  PorticoClient,
  UnknownNameError,
  type UploadProgress,
  ValidationError,
} from '@portico/sdk';
import { type ServerProcess, startServer } from '@portico/server/testing/process';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { describeCommunityFileCommands } from './testing/community-file-commands.ts';
import { ManyCommands, type Ran } from './testing/many-commands.ts';
import { describePeopleCommands } from './testing/people-commands.ts';

const BIN = fileURLToPath(new URL('../bin/portico.mjs', import.meta.url));
const EXAMPLE = fileURLToPath(new URL('../../../examples/sync-community.mjs', import.meta.url));

// Each command is a process of its own; on a busy machine a dozen of them take their time.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

let portal: ServerProcess;
let folder: string;
let client: PorticoClient;
let community: number;
let commands: ManyCommands;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portico-portal-'));
  portal = await startServer(true);
  commands = new ManyCommands({ cwd: folder, env: environment() });
  const { baseUrl, keyPath: keyFile } = portal;
  client = new PorticoClient({
    baseUrl,
    credentials: { serviceAccount: keyFile },
    tokenCache: new DiskTokenCache(join(folder, 'tokens')),
  });
  const { communities = [] } = await client.communities.list({ with: 'write' });
  community = communities.find(({ name }) => name === 'IT Service Desk')?.id as number;
});
afterAll(async () => {
  await commands?.end();
  await portal?.stop();
  await rm(folder, { recursive: true, force: true, maxRetries: 10 });
});

const environment = () => ({
  ...process.env,
  PORTICO_CONFIG: join(folder, 'config.json'),
  PORTICO_CACHE_DIR: join(folder, 'tokens'),
});

function runNode(words: readonly string[], input?: string): Promise<Ran> {
  const env = environment();
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      words,
      { cwd: folder, env, encoding: 'utf8', maxBuffer: 64e6 },
      (error, out, err) => {
        resolve({ code: error ? Number(error.code ?? 1) : 0, out, err });
      },
    );
    child.stdin?.end(input);
  });
}

/** Runs a command in a process of its own. */
const binary = (...words: string[]): Promise<Ran> => runNode([BIN, ...words]);
/** Runs a command in a process that all of them share. */
const portico = (...words: string[]): Promise<Ran> => commands.run(...words);

/** Runs a command in a process of its own, which reads `input`. */
const readInput = (input: string, ...words: string[]): Promise<Ran> => runNode([BIN, ...words], input);

/** The JSON that a command prints. */
async function json<T>(...words: string[]): Promise<T> {
  const { code, out, err } = await portico(...words, '--output', 'json');
  if (code !== 0) throw new Error(`portico ${words.join(' ')} ended with ${code}: ${err}`);
  return JSON.parse(out) as T;
}

const newPost = [
  'api',
  'posts',
  'create',
  '--title',
  'Pump leaks',
  '--description',
  'Under the seal.',
  '--field',
  'Severity=High',
  '--field',
  'Site=Kobe',
];

/** A post of its own for a test. */
async function createPost(...words: string[]): Promise<number> {
  return (await json<{ postId: number }>(...newPost, ...words, String(community))).postId;
}

describe('the binary', () => {
  it('signs in, and keeps no secret in the profile', async () => {
    const { code, out } = await binary('login', '--url', portal.baseUrl, '--key', portal.keyPath);
    expect([code, out]).toEqual([0, expect.stringContaining('Signed in')]);
    expect(await readFile(join(folder, 'config.json'), 'utf8')).not.toContain('PRIVATE');
    const me = await json<{ url: string; serviceAccount: boolean }>('whoami');
    expect(me).toMatchObject({ url: portal.baseUrl, serviceAccount: true });
    // The token, and nothing else, for the page of the interface.
    const token = (await binary('token')).out;
    expect(token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    const answer = await fetch(`${portal.baseUrl}/portal/api/core/auth/current-user-data`, {
      headers: { Authorization: `Bearer ${token.trim()}` },
    });
    expect(answer.status).toBe(200);
  });

  it('takes numbers by their names', async () => {
    const postId = await createPost('--visibility', 'private');
    expect(await client.posts.get({ postId })).toMatchObject({ visibility: 1 });
    const { code, err } = await portico('api', 'posts', 'list', String(community), '--visibility', 'nobody');
    expect([code, err]).toEqual([2, expect.stringContaining('it must be one of PRIVATE, PUBLIC, or its number')]);
  });

  it('lists by the labels of fields, as the client library does', async () => {
    const counted = await portico('api', 'posts', 'list', String(community), '--where', 'Severity=High', '--count');
    const found: number[] = [];
    for await (const { id } of client.posts.iterate({
      communityId: community,
      where: { severity: 'High' },
      pageSize: 7,
    }))
      found.push(id as number);
    const all = await json<{ id: number; customData: Record<string, unknown> }[]>(
      'api',
      'posts',
      'list',
      String(community),
      '--all',
      '--page-size',
      '100',
    );
    const severity = (await client.definition(community)).fieldDefinitions?.find(({ label }) => label === 'Severity');
    const high = severity?.enumValues?.find(({ label }) => label === 'High')?.id;
    const expected = all.filter(({ customData }) => customData[String(severity?.id)] === high);
    expect(found.length).toBeGreaterThan(0);
    expect(found.sort()).toEqual(expected.map(({ id }) => id).sort());
    expect(Number(counted.out)).toBe(found.length);
    const dated = {
      communityId: community,
      where: { 'Broken since': { from: '2024-01-01', to: null } },
      orderBy: 'Broken since',
      orderDesc: false,
      pinnedFirst: false,
    };
    const since: number[] = [];
    for await (const { customData } of client.posts.iterate(dated))
      since.push(
        ...Object.values(customData ?? {}).filter(
          (value): value is number => typeof value === 'number' && value > 1e12,
        ),
      );
    expect(since.length).toBeGreaterThan(0);
    expect(since).toEqual([...since].sort((a, b) => a - b));
    await expect(client.posts.list({ communityId: community, where: { Severity: 'Hihg' } })).rejects.toBeInstanceOf(
      UnknownNameError,
    );
  });

  it('writes a post with a file, comments, reads both back', async () => {
    await writeFile(join(folder, 'seal.txt'), 'The seal, in words.\n');
    const postId = await createPost('--attach', 'seal.txt');
    const [attachment] = await json<{ id: number; name: string }[]>('api', 'attachments', 'list', String(postId));
    expect(attachment?.name).toBe('seal.txt');
    expect((await portico('api', 'attachments', 'download', String(attachment?.id))).out).toBe('The seal, in words.\n');
    expect((await portico('api', 'attachments', 'download', String(attachment?.id), '--out', 'copy.txt')).code).toBe(0);
    expect(await readFile(join(folder, 'copy.txt'), 'utf8')).toBe('The seal, in words.\n');
    await json('api', 'comments', 'create', String(postId), '--comment', 'On order.');
    const comments = await json<{ commentPlainText: string }[]>('api', 'comments', 'list', String(postId));
    expect(comments.map(({ commentPlainText }) => commentPlainText.trim())).toEqual(['On order.']);
    const event = await json<{ items?: unknown }[]>('api', 'posts', 'history', String(postId), '--all');
    expect(event.length).toBeGreaterThan(0);
  });

  it('edits what was named only, and explains a conflict', async () => {
    const postId = await createPost();
    const before = await client.posts.readForEdit({ postId });
    expect(
      (await portico('api', 'posts', 'edit', String(postId), '--field', 'Severity=Low', '--dry-run')).out,
    ).toContain('would change');
    expect((await client.posts.readForEdit({ postId })).occToken).toBe(before.occToken);
    expect((await portico('api', 'posts', 'edit', String(postId), '--field', 'Severity=Low')).code).toBe(0);
    const after = await client.posts.get({ postId });
    expect(after.title).toBe('Pump leaks');
    expect(after.descriptionDelta).toBe(before.contentData?.descriptionDelta);
    const severity = (await client.definition(community)).fieldDefinitions?.find(({ label }) => label === 'Severity');
    const low = severity?.enumValues?.find(({ label }) => label === 'Low')?.id;
    expect(after.customData?.[String(severity?.id)]).toBe(low);
    expect(JSON.stringify(after.customData)).toContain('"Kobe"');

    const stale = await portico(
      'api',
      'posts',
      'edit',
      String(postId),
      '--title',
      'Mine',
      '--occ-token',
      String(before.occToken),
    );
    expect(stale.code).toBe(9);
    expect(stale.err).toMatch(/changed it at .* Nothing was written\./);
    await expect(
      client.posts.replace({ postId, occToken: before.occToken as number, title: 'x', description: '' }),
    ).rejects.toBeInstanceOf(ConflictError);
  });

  it('runs transitions by name and edits screens', async () => {
    const postId = await createPost();
    // The field takes people of one group only.
    const { workflowPermittedOperations = [] } = await client.posts.capabilities({ postId });
    const fields = workflowPermittedOperations.find(({ name }) => name === 'Take over')?.screen?.fieldMetadatas;
    const group = Number(fields?.find(({ label }) => label === 'Owner')?.metadata?.['user_picker_from_group']);
    const [person] = (await client.groups.members({ groupId: group, pageSize: 1 })).items ?? [];
    const owner = `Owner=${person?.id}`;
    const answer = await json<{ newCurrentState: { name: string } }>(
      'api',
      'workflow',
      'execute',
      String(postId),
      'take over',
      '--field',
      owner,
    );
    expect(answer.newCurrentState.name).toBe('In progress');
    const edited = await portico('api', 'workflow', 'edit-screen', String(postId), '--field', 'Visit on=2030-01-31');
    expect([edited.code, edited.err]).toEqual([0, '']);
    const { screen, screenData } = await client.workflow.screen({ postId });
    const shown = (label: string) =>
      screenData?.[String(screen?.fieldMetadatas?.find((field) => field.label === label)?.id)];
    expect(shown('Visit on')).toBe(Date.UTC(2030, 0, 31));
    expect(shown('Owner')).toEqual([expect.objectContaining({ id: person?.id })]);
    const wrong = await portico('api', 'workflow', 'execute', String(postId), 'No such step');
    expect([wrong.code, wrong.err]).toEqual([
      2,
      expect.stringContaining('There is no transition that is possible now'),
    ]);
  });

  it('makes, edits and deletes tasks and groups', async () => {
    const postId = await createPost();
    const { id: me } = await json<{ id: number }>('whoami');
    const expiration = '{"datetime": "2030-12-31T18:00:00", "timezone": "Europe/Rome"}';
    const { taskId } = await json<{ taskId: number }>(
      'api',
      'tasks',
      'create',
      String(postId),
      '--title',
      'Order',
      '--assignee-user-id',
      String(me),
      '--expiration',
      expiration,
    );
    await json('api', 'tasks', 'edit', String(taskId), '--title', 'Order two');
    const task = await client.tasks.get({ taskId });
    expect([task.title, task.expiration?.localDatetime, task.assigneeUser?.id]).toEqual([
      'Order two',
      expect.stringContaining('2030-12-31T18:00'),
      me,
    ]);
    expect((await portico('api', 'tasks', 'delete', String(taskId), '--yes')).code).toBe(0);

    const { groupId } = await json<{ groupId: number }>(
      'api',
      'groups',
      'create',
      '--name',
      'Night shift',
      '--visible',
    );
    await json('api', 'groups', 'edit-members', String(groupId), '--add-user-ids', String(me));
    await json('api', 'groups', 'edit', String(groupId), '--name', 'Night and day');
    const form = await client.groups.readForEdit({ groupId });
    expect([form.name, form.visible, form.members?.map(({ id }) => id)]).toEqual(['Night and day', true, [me]]);
    expect(
      (
        await portico(
          'api',
          'groups',
          'edit-members',
          String(groupId),
          '--delete-user-ids',
          String(me),
          '--occ-token',
          '1',
        )
      ).code,
    ).toBe(9);
    const refused = await portico('api', 'groups', 'edit-members', String(groupId), '--add-user-ids', '999999999');
    expect([refused.code, refused.err]).toEqual([6, 'UNKNOWN_REFERENCE: There is no user 999999999.\n']);
    expect((await portico('api', 'groups', 'delete', String(groupId), '--yes')).code).toBe(0);
  });

  it('ends with the documented codes', async () => {
    expect((await binary('api', 'posts', 'get', '999999999')).code).toBe(5);
    const refused = await binary('api', 'posts', 'create', String(community), '--title', 'No more');
    expect([refused.code, refused.err]).toEqual([6, expect.stringContaining('REQUIRED_FIELD')]);
    expect((await binary('api', 'posts', 'list', 'x')).code).toBe(2);
    expect((await binary('whoami', '--profile', 'none')).code).toBe(2);
    expect((await binary('api', 'GET', 'nowhere')).code).toBe(5);
    const { code, out } = await binary('api', 'get', 'core/auth/current-user-data', '--fields', 'userData.id');
    expect([code, JSON.parse(out)]).toEqual([0, { 'userData.id': expect.any(Number) }]);
  });

  it('exports the audit log as lines of JSON, into a new file only', async () => {
    const printed = await binary('api', 'audit', 'export');
    const lines = printed.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number; timestamp: number });
    // More than a page.
    expect(lines.length).toBeGreaterThan(20);
    const times = lines.map(({ timestamp }) => timestamp);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    const file = join(folder, 'audit.ndjson');
    const upTo = String(times.at(-1));
    expect((await binary('api', 'audit', 'export', '--to', upTo, '--file', file)).code).toBe(0);
    expect((await readFile(file, 'utf8')).trim().split('\n')).toEqual(
      printed.out
        .trim()
        .split('\n')
        .filter((_line, index) => times[index]! < Number(upTo)),
    );
    expect(await binary('api', 'audit', 'export', '--file', file)).toMatchObject({
      code: 2,
      err: expect.stringContaining('already exists'),
    });
  });

  it('follows the stream for pipelines, from where it stopped', async () => {
    const first = await binary('api', 'changes', 'follow', '--ndjson', '--once', '--state-file', 'token');
    const lines = first.out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number; status: string });
    expect(lines.length).toBeGreaterThan(400);
    const postId = await createPost();
    const second = await binary(
      'api',
      'changes',
      'follow',
      '--ndjson',
      '--once',
      '--state-file',
      'token',
      '--fields',
      'id,status',
    );
    expect(second.out).toBe(`${JSON.stringify({ id: postId, status: 'CREATED' })}\n`);
  });

  it('prints changes while they happen, and ends when interrupted', async () => {
    const words = [BIN, 'api', 'changes', 'listen', '--community-ids', String(community)];
    const child = spawn(process.execPath, words, { env: environment() });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    const closed = new Promise<number | null>((resolve) => child.on('close', resolve));
    await expect.poll(() => out, { timeout: 60_000 }).toContain('"event":"ready"');
    const postId = await createPost();
    await expect.poll(() => out, { timeout: 60_000 }).toContain(`"postId":${postId},`);
    child.kill('SIGINT');
    expect(await closed).toBe(130);
  });
});

describePeopleCommands(() => ({ client, folder, run: portico }));
describeCommunityFileCommands(() => ({ client, folder, run: portico, readInput }));

describe('the client library', () => {
  it('listens to changes, and continues with what it missed', async () => {
    const stop = new AbortController();
    const first = client.changes.listen({ communityIds: [community], signal: stop.signal });
    const { value: ready } = await first.next();
    expect(ready).toMatchObject({ event: 'ready', lastEventId: expect.any(String) });
    stop.abort();
    expect(await first.next()).toEqual({ done: true, value: undefined });
    const postId = await createPost();
    for await (const event of client.changes.listen({ lastEventId: ready?.lastEventId })) {
      expect(event).toMatchObject({ event: 'post', postId, communityId: community, status: 'CREATED' });
      break;
    }
  });

  it('uploads paths and Blobs, telling how far it is, and downloads', async () => {
    const text = 'x'.repeat(300_000);
    await writeFile(join(folder, 'long.txt'), text);
    const seen: UploadProgress[] = [];
    const fromPath = await client.files.upload(join(folder, 'long.txt'), {
      onProgress: (progress) => seen.push(progress),
    });
    const fromBlob = await client.files.upload(new Blob(['b']), { name: 'b.txt' });
    const empty = await client.files.upload(new Blob([]), { name: 'empty.bin' });
    expect(seen.length).toBeGreaterThan(1);
    expect(seen.at(-1)).toEqual({ sentBytes: 300_000, totalBytes: 300_000 });
    const postId = await createPost();
    await client.attachments.updateOnPost({ postId, addAttachments: [fromPath, fromBlob, empty] });
    const { items } = await client.attachments.list({ postId, orderBy: 'size', orderDesc: true });
    expect(items?.map(({ name, size }) => [name, size])).toEqual([
      ['long.txt', 300_000],
      ['b.txt', 1],
      ['empty.bin', 0],
    ]);
    expect(await (await client.files.download(items?.[0]?.id as number)).text()).toBe(text);
  });

  it('tells every fault of a write, and what is gone', async () => {
    const error = await client.posts
      .create({ communityId: community, announcement: false, title: 'x' })
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ValidationError);
    expect((error as ValidationError).errors.map(({ code }) => code)).toContain('REQUIRED_FIELD');
    const postId = await createPost();
    await client.posts.delete({ postId });
    await expect(client.posts.get({ postId })).rejects.toBeInstanceOf(NotFoundError);
  });

  it('follows the stream until it is told to stop', async () => {
    let syncToken: string | undefined;
    const keep = (token: string) => {
      syncToken = token;
    };
    for await (const _ of client.changes.follow({ once: true, onSync: keep }));
    const controller = new AbortController();
    const seen: (number | undefined)[] = [];
    const made = createPost();
    for await (const { id } of client.changes.follow({ syncToken, intervalMs: 50, signal: controller.signal })) {
      seen.push(id);
      controller.abort();
    }
    expect(seen).toContain(await made);
  });
});

describe('examples/sync-community.mjs', () => {
  it('keeps a community in step', async () => {
    const out = join(folder, 'community.ndjson');
    const sync = async () => {
      const { code, err } = await runNode([EXAMPLE, portal.baseUrl, portal.keyPath, String(community), out, '--once']);
      expect([code, err]).toEqual([0, '']);
      const lines = (await readFile(out, 'utf8')).trim().split('\n');
      return new Map(
        lines.map((line) => JSON.parse(line) as { id: number; title: string }).map((post) => [post.id, post]),
      );
    };
    const ids = async () => {
      const found: number[] = [];
      for await (const { id } of client.posts.iterate({ communityId: community, pageSize: 500 }))
        found.push(id as number);
      return found.sort();
    };
    expect([...(await sync()).keys()].sort()).toEqual(await ids());
    const [kept, gone] = [await createPost(), await createPost()];
    await sync();
    await client.posts.delete({ postId: gone });
    expect((await portico('api', 'posts', 'edit', String(kept), '--title', 'Renamed')).code).toBe(0);
    const posts = await sync();
    expect([...posts.keys()].sort()).toEqual(await ids());
    expect([posts.get(kept)?.title, posts.has(gone)]).toEqual(['Renamed', false]);
  });

  it('follows what happens for as long as it runs', async () => {
    const out = join(folder, 'followed.ndjson');
    const words = [EXAMPLE, portal.baseUrl, portal.keyPath, String(community), out];
    const child = spawn(process.execPath, words, { stdio: 'ignore' });
    try {
      const text = () => readFile(out, 'utf8').catch(() => '');
      await expect.poll(text, { timeout: 50_000 }).not.toBe('');
      const postId = await createPost();
      await expect.poll(text, { timeout: 50_000 }).toContain(`"id":${postId},`);
    } finally {
      child.kill('SIGTERM');
    }
  });

  it('is no longer than 30 lines', async () => {
    expect((await readFile(EXAMPLE, 'utf8')).trimEnd().split('\n').length).toBeLessThanOrEqual(30);
  });
});
