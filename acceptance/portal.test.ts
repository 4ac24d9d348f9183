/**
 * The portal as a stranger meets it after the first start: the printed key, and a walk over every
 * operation on the demo tenant. It uses the client library and the command; raw requests are for
 * cases that those cannot express.
 */
import { readFile, stat } from 'node:fs/promises';
import { type OperationId, operationById, operationList } from '@portico/contract';
import { NotFoundError, type PorticoClient } from '@portico/sdk';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assertion, type Json, PREFIXES, RawClient } from './client.ts';
import { type RunningPortal, startPortal } from './portal-process.ts';
import { all, Command, libraryClient } from './portico.ts';
import { filledNames, neverFilled } from './responses.ts';
import { namedBySpecification } from './specification.ts';
import { Walk } from './walk.ts';
import { type CommandRun, walkCommands } from './walk-commands.ts';
import { type Found, walkReads } from './walk-reads.ts';
import { walkWrites } from './walk-writes.ts';

let portal: RunningPortal;

beforeAll(async () => {
  portal = await startPortal();
});

afterAll(async () => {
  await portal?.stop();
});

const listOf = async (name: string) => JSON.parse(await readFile(new URL(name, import.meta.url), 'utf8')) as Json;

describe('a start', () => {
  it('prints the administrator and the path of a key that only its owner may read', async () => {
    expect(portal.output).toMatch(/Administrator:\s+\S+@\S+/);
    const path = /Service-account key:\s*(\S.*)/.exec(portal.output)?.[1]?.trim() ?? '';
    if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(portal.keyFile).toMatchObject({ type: 'service_account' });
    expect(typeof portal.keyFile.private_key_id).toBe('number');
    expect(typeof portal.keyFile.client_id).toBe('number');
  });
});

describe.each(PREFIXES)('below %s', (prefix) => {
  let client: PorticoClient;
  let communities: Json[];

  beforeAll(async () => {
    client = libraryClient(portal.baseUrl, portal.keyFile, prefix);
    communities = (await client.communities.list()).communities as Json[];
  });

  /** All posts of a community that match filters. */
  const posts = (community: Json | undefined, input: Json = {}) =>
    all<Json>(client.posts.iterate({ communityId: community?.id as number, pageSize: 200, ...input }));

  it('gives a token that clients can decode, to the key of the first start', async () => {
    const [header, claims] = (await client.accessToken())
      .split('.')
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
    expect(['RS256', 'RS512', 'HS256', 'ES256']).toContain(header.alg);
    expect(claims.exp).toBeGreaterThan(Date.now() / 1000 + 60);
  });

  it('uses an assertion once', async () => {
    // The library creates a new token each time; the header of the refusal is checked, too.
    const raw = new RawClient(portal.baseUrl, prefix);
    const body = { jwtAssertion: assertion(portal.keyFile) };
    const path = '/core/auth/create-access-token-by-service-account';
    expect((await raw.send('POST', path, { body })).status).toBe(200);
    const again = await raw.send('POST', path, { body });
    expect(again.status).toBe(401);
    expect(again.headers.get('WWW-Authenticate')).toBe('INVALID_AUTH_TOKEN');
  });

  it('knows who signed in', async () => {
    const { userData } = await client.auth.currentUser();
    expect(userData).toMatchObject({ id: portal.keyFile.client_id, serviceAccount: true });
  });

  it('lists posts of every community page by page, each once, as many as it counts', async () => {
    expect(communities).toHaveLength(8);
    for (const community of communities) {
      const items = await posts(community, { pageSize: 40 });
      const { totalItemsCount } = await client.posts.list({
        communityId: community.id,
        pageSize: 1,
        calculateTotalItemsCount: true,
      });
      expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
      expect(items.length).toBe(totalItemsCount);
    }
  });

  it('filters by text, author, visibility, state and kind', async () => {
    const community = communities.find(({ name }) => name === 'IT Service Desk');
    const every = await posts(community);
    const filtered = (communityPostFilters: Json) => posts(community, { communityPostFilters });
    const ids = (items: Json[]) => items.map(({ id }) => id as number).sort((a, b) => a - b);
    const where = (test: (post: Json) => boolean) => ids(every.filter(test));
    expect(ids(await filtered({ title: 'PRINTER' }))).toEqual(where(({ title }) => /printer/i.test(title)));
    const author = every[0]?.creatorUser.id;
    expect(ids(await filtered({ createdByUserIds: [author] }))).toEqual(
      where(({ creatorUser }) => creatorUser.id === author),
    );
    expect(ids(await filtered({ visibility: 1 }))).toEqual(where(({ visibility }) => visibility === 1));
    const state = every.find(({ currentWorkflowState }) => currentWorkflowState?.terminal)?.currentWorkflowState;
    const inState = where(({ currentWorkflowState }) => currentWorkflowState?.id === state?.id);
    expect(ids(await filtered({ currentWorkflowStatusIds: [state?.id] }))).toEqual(inState);
    expect(ids(await posts(community, { state: state?.name }))).toEqual(inState);
    const from = every[30]?.creationTimestamp;
    expect(ids(await filtered({ creationTimestampFrom: from }))).toEqual(
      where(({ creationTimestamp }) => creationTimestamp >= from),
    );
    const surveys = await filtered({ postTypes: [3] });
    expect(surveys.length).toBeGreaterThan(0);
    expect(surveys.length).toBeLessThan(every.length);
    // Empty filters, nulls and false filter nothing.
    expect(ids(await filtered({ mentioned: false, hashtagIds: [], title: null, postTypes: [] }))).toEqual(ids(every));
  });

  it('sorts by number, time and title', async () => {
    const community = communities.find(({ name }) => name === 'Acquisti');
    const sorted = (orderBy: string, orderDesc: boolean) =>
      posts(community, { pageSize: 30, orderBy, orderDesc, pinnedFirst: false });
    const numbers = (await sorted('postCustomId', false)).map(({ customId }) => Number(customId));
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    const times = (await sorted('postCreationTimestamp', true)).map(
      ({ creationTimestamp }) => creationTimestamp as number,
    );
    expect(times).toEqual([...times].sort((a, b) => b - a));
    const titles = (await sorted('postTitle', false)).map(({ title }) => title as string);
    const collator = new Intl.Collator('en', { sensitivity: 'base' });
    for (const [index, title] of titles.slice(1).entries()) {
      const before = (titles[index] as string).replaceAll(/[^\p{L}\p{N}]+/gu, ' ');
      expect(
        collator.compare(before, title.replaceAll(/[^\p{L}\p{N}]+/gu, ' ')),
        `${titles[index]} | ${title}`,
      ).toBeLessThanOrEqual(0);
    }
  });

  it('opens posts by id and by client uid, and knows no others', async () => {
    const [post] = await posts(communities[0], { pageSize: 5, limit: 1 });
    const detail = await client.posts.get({ postId: post?.id });
    expect(detail).toMatchObject({ id: post?.id, title: post?.title, customId: post?.customId });
    const named = await client.posts.getByClientUid({ clientUid: 'demo-servicedesk-0' });
    expect((await client.posts.get({ postId: named.id as number })).title).toBe(named.title);
    const unknown = (await client.posts.get({ postId: 999_999_999 }).catch((error: unknown) => error)) as NotFoundError;
    expect(unknown).toBeInstanceOf(NotFoundError);
    expect(unknown.body).toMatchObject({
      code: expect.any(String),
      message: expect.any(String),
      requestId: unknown.requestId,
    });
  });

  it('refuses what is no request of the interface, in its own form', async () => {
    const raw = new RawClient(portal.baseUrl, prefix);
    const headers = { Authorization: `Bearer ${await client.accessToken()}` };
    const path = `/communication/posts/data/list/community/${communities[0]?.id}`;
    const refusals = [
      await raw.send('POST', path, { body: {} }),
      await raw.send('POST', path, { body: {}, headers: { Authorization: 'Bearer of.no.body' } }),
      await raw.send('POST', path, { body: { pageSize: 'many' }, headers }),
      await raw.send('POST', path, { body: [], headers }),
      await raw.send('PATCH', path, { body: {}, headers }),
      await raw.send('GET', '/communication/nowhere', { headers }),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([401, 401, 400, 400, 405, 404]);
    for (const { body, headers: answered } of refusals) {
      expect(body).toMatchObject({ code: expect.any(String), message: expect.any(String) });
      expect(body?.requestId).toBe(answered.get('X-Request-Id'));
    }
  });
});

/**
 * Fields of notifications that the worker creates when tasks become due, which may be during the
 * walk.
 */
const BY_THE_CLOCK: ReadonlySet<string> = new Set([
  'GetWebhookForEditResponse.failingTimestamp',
  'GetWebhookForEditResponse.missedFromNumber',
  'Webhook.failingTimestamp',
  'Webhook.lastAttemptTimestamp',
  'Import.phase',
  'Notification.expirationTimestamp',
  'Notification.mail',
  'Notification.overdue',
  // The attempt to send the message of the walk.
  ...['durationMs', 'error', 'lastAttemptTimestamp'].flatMap((field) => [
    `WebhookDelivery.${field}`,
    `WebhookMessage.${field}`,
  ]),
]);

describe('the walk over every operation', () => {
  let walk: Walk;
  let found: Found;
  let command: Command;
  let runs: CommandRun[];

  beforeAll(async () => {
    walk = new Walk(libraryClient(portal.baseUrl, portal.keyFile), portal.keyFile);
    found = await walkReads(walk);
    await walkWrites(walk, found);
    command = await Command.at(portal.baseUrl, portal.keyPath);
    runs = await walkCommands(command, walk, found);
  }, 600_000);

  afterAll(() => command?.end());

  it('finds the demo: 3 workspaces, 8 communities with every type of field, 60 people, some 500 posts of all kinds', () => {
    expect(found.workspaceIds).toHaveLength(3);
    expect(found.communities).toHaveLength(8);
    expect(found.communities.filter(({ draft }) => draft)).toHaveLength(1);
    const fields = Object.values(found.definitions as Record<string, Json>).flatMap(
      (definition) => definition.fieldDefinitions as Json[],
    );
    expect(new Set(fields.map(({ type }) => type))).toEqual(
      new Set(Array.from({ length: 15 }, (_, index) => index + 1)),
    );
    expect(found.users.filter(({ systemAccount, serviceAccount }) => !systemAccount && !serviceAccount)).toHaveLength(
      60,
    );
    expect([...found.posts.values()].flat().length).toBeGreaterThan(450);
  });

  it('gets what the contract declares, in strict mode', () => {
    expect([...new Set(walk.faults)]).toEqual([]);
  });

  it('gets an answer to everything it may ask', () => {
    expect(walk.surprises).toEqual([]);
  });

  it('fills every field but those that are listed with a reason', async () => {
    // Uses of keys are written twice a minute.
    const program = { params: { serviceAccountId: portal.keyFile.client_id } };
    await expect
      .poll(async () => (await walk.read('getServiceAccountForEdit', program)).keys, {
        timeout: 90_000,
        interval: 1_000,
      })
      .toContainEqual(expect.objectContaining({ lastUseTimestamp: expect.any(Number) }));
    const listed = Object.keys(await listOf('never-filled.json')).sort();
    expect(
      neverFilled().filter((field) => !BY_THE_CLOCK.has(field)),
      'fields that no call of the walk fills; acceptance/never-filled.json lists those that need not be, with the reason',
    ).toEqual(listed);
  });

  it('lists no field that the specification names', async (context) => {
    const named = await namedBySpecification();
    if (!named) return context.skip('the specification is not at hand');
    // The specification names fields of resources, not of types: a name is honoured if some type
    // fills it.
    const filled = filledNames();
    const missing = (path: string) => {
      const name = path.split('.')[1] as string;
      return named.has(name) && !filled.has(name);
    };
    expect(Object.keys(await listOf('never-filled.json')).filter(missing)).toEqual([]);
  });

  it('reaches every operation by the command too, which prints what the contract declares', () => {
    const run = runs.map(({ id }) => id).sort();
    expect(run, 'the commands of walk-commands.ts').toEqual(operationList.map(({ id }) => id).sort());
    for (const { id, words, code, err, sent, faults } of runs) {
      const { method, path } = operationById(id);
      const pattern = `${method} (?:${PREFIXES.join('|')})${path.replace(/\{\w+\}/g, '[^/]+')}`;
      expect(sent, `portico ${words.join(' ')}: ${err}`).toMatch(new RegExp(`^${pattern}$`));
      expect(code, `portico ${words.join(' ')}, from walk-commands.ts: ${err}`).toBe(REFUSED.get(id) ?? 0);
      expect([words.join(' '), faults]).toEqual([words.join(' '), []]);
    }
  });

  it('gets the same from the command as from the library', async () => {
    const communityId = found.communities.find(({ name }) => name === 'IT Service Desk')?.id as number;
    const printed = await command.json<Json[]>(
      'api',
      'posts',
      'list',
      String(communityId),
      '--where',
      'Severity=High',
      '--all',
    );
    const read = await all(walk.client.posts.iterate({ communityId, where: { Severity: 'High' } }));
    expect(read.length).toBeGreaterThan(20);
    expect(printed.map(({ id }) => id)).toEqual(read.map(({ id }) => id));
    const counted = await command.run(
      'api',
      'posts',
      'list',
      String(communityId),
      '--where',
      'Severity=High',
      '--count',
    );
    expect(counted).toEqual({ code: 0, out: `${read.length}\n`, err: '' });
    expect((await command.run('api', 'posts', 'get', '999999999')).code).toBe(5);
  });

  it('called every operation', () => {
    for (const { id } of operationList) {
      if (id === 'createAccessTokenByServiceAccount' || REFUSED.has(id)) continue;
      const statuses = walk.statuses.get(id) ?? new Map<number, number>();
      const called = `acceptance/walk-*.ts: ${id} needs a call that succeeds; answers by status: ${JSON.stringify([...statuses])}`;
      expect(statuses.get(200) ?? 0, called).toBeGreaterThan(0);
    }
  });
});

/**
 * Refused operations, with the exit codes of their commands: operations that need a person with a
 * password, a contact address or an identity provider, a failed mail, an import that wrote, or a request to
 * acknowledge a post, and deletions of objects in use.
 */
const REFUSED: ReadonlyMap<string, number> = new Map<OperationId, number>([
  ['createAccessTokenByGoogleOAuth2', 3],
  ['undoImport', 6],
  ['planCommunityArchive', 6],
  ['importCommunityArchive', 6],
  ['createAccessTokenByCredentials', 3],
  ['startSession', 3],
  ['revokeSession', 5],
  ['createPersonalToken', 4],
  ['revokePersonalToken', 5],
  ['readDeviceSignIn', 4],
  ['confirmDeviceSignIn', 4],
  ['refuseDeviceSignIn', 4],
  ['revokeCalendarFeed', 5],
  ['createPushSubscription', 4],
  ['deletePushSubscription', 5],
  ['createAccessTokenByPasskey', 3],
  ['startSessionByPasskey', 3],
  ['startPasskey', 4],
  ['confirmPasskey', 4],
  ['renamePasskey', 5],
  ['removePasskey', 5],
  ['setPasswordByLink', 6],
  ['startTotp', 4],
  ['confirmTotp', 5],
  ['confirmSession', 4],
  ['removeTotp', 5],
  ['removeMyIdentity', 5],
  ['removeUserIdentity', 5],
  ['revokeUserSession', 5],
  ['finishIdentityProviderTest', 6],
  ['acknowledgePost', 4],
  ['cancelImport', 6],
  ['retryMail', 5],
  ['sendTestMail', 6],
  ['discardMail', 5],
  ['deleteArea', 9],
  ['deleteBusinessUnit', 9],
  ['deleteWorkspace', 9],
  ['deleteCommunity', 9],
  ['createCommunityWorkflow', 9],
  ['cancelDefinitionChange', 5],
]);
