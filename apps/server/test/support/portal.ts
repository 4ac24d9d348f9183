/**
 * A whole portal for a test file: a clone of the migrated database, the services, and the application on a loopback
 * port. Tenants and people come from factories; every test makes its own.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sealer } from '@portico/platform/sealing';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { writeTransaction } from '../../src/kernel/access/index.ts';
import type { Clock, Log, Scope, Tenant } from '../../src/kernel/scope.ts';
import { createUserRecord } from '../../src/modules/people/index.ts';
import { sequenceChanges } from '../../src/modules/records/index.ts';
import { createTenant, systemScope, tenantScope } from '../../src/modules/tenants/index.ts';
import { type AppOptions, buildApp } from '../../src/process/app.ts';
import { type Config, readConfig } from '../../src/process/config/config.ts';
import { createServices, type Services } from '../../src/process/services.ts';
import { createTestDatabase, currentCluster, type TestDatabase } from './cluster.ts';
import { testSealer } from './encryption.ts';

export interface TestPortal {
  readonly database: TestDatabase;
  /** The owner's connection: for fixtures and for looking at rows past row security (set app.tenant_id: FORCE binds it too). */
  readonly owner: pg.Client;
  readonly services: Services;
  readonly app: FastifyInstance;
  /** `http://127.0.0.1:PORT` */
  readonly origin: string;
  /** Statements sent since the last {@link takeStatements}. */
  takeStatements(): string[];
  /** As {@link takeStatements}, without statements that were sent along with others. */
  takeWaited(): string[];
  /** @param host named by requests; default: made from the name */
  createTenant(name?: string, host?: string): Promise<TestTenant>;
  close(): Promise<void>;
}

export interface TestTenant {
  readonly tenant: Tenant;
  readonly host: string;
  readonly systemUserId: number;
  /** A person; `admin` gives both administrative rights. */
  createUser(options?: {
    firstName?: string;
    lastName?: string;
    caption?: string;
    email?: string;
    username?: string;
    admin?: boolean;
    service?: boolean;
  }): Promise<number>;
  /** The scope of one of the tenant's users, as requests get it. */
  scope(userId: number, clock?: Clock): Promise<Scope>;
  /** An access token of one of the tenant's users. */
  token(userId: number): Promise<string>;
  /** Sends a request as one of the tenant's users (or as nobody). */
  request(
    userId: number | null,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<TestAnswer>;
  /**
   * Waits until the stream holds every committed change. A transaction of any database of the cluster holds the numbers
   * of changes back while it runs, and other test files have some.
   */
  settleStream(): Promise<void>;
}

export interface TestAnswer {
  bytes: Buffer;
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
  body: any;
}

export interface TestPortalOptions {
  /** Environment variables of the configuration. */
  env?: Record<string, string>;
  /** Default: every answer is checked against the contract. */
  checkAnswers?: boolean;
  log?: Log;
  /** Gets the lines of requests. */
  logger?: NonNullable<AppOptions['logger']>;
  clock?: Clock;
  /** The portal in a browser; default none. */
  web?: AppOptions['web'];
  /**
   * Time limit, in milliseconds, of a statement, and of a request; default: the limits of the
   * service.
   */
  statementMs?: number;
  requestMs?: number;
  /** How fast clients must take answers, and how long exports may take; default as the service. */
  answers?: AppOptions['answers'];
  exportMs?: number;
  /** Most live connections of a tenant; default as the service. */
  liveOfTenant?: number;
  /** A database of the test's own; default one of the run's cluster. */
  database?: TestDatabase;
  /** False where the database has tenants already. */
  bystander?: boolean;
  /** Default: the one of all tests. */
  sealer?: Sealer;
  /** How to reach the database instead of directly. */
  through?: (service: pg.ClientConfig) => Promise<pg.ClientConfig>;
}

const silent: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * Waits until a portal has read the settings of a tenant, its secrets included, after a test wrote them: it keeps them for
 * about a second. Nobody else may ask for the tenant meanwhile.
 */
export async function settingsReadAnew({ tenants }: Pick<Services, 'tenants'>, tenant: Tenant): Promise<void> {
  const before = await tenants.settings(tenant);
  while ((await tenants.settings(tenant)) === before) await new Promise((resolve) => setTimeout(resolve, 20));
}

/**
 * Registry, settings and keys are read again, and tenants marked, after a while, by any request:
 * this belongs to no request.
 */
const NOW_AND_THEN = /FROM tenants t|FROM tenant_settings|signing_keys|INTO tenant_work/;

/** The portal that all files of a worker use which ask for no options; a worker runs many files. */
let shared: Promise<TestPortal> | undefined;

/**
 * Returns the worker's portal, which starts on first use and serves all its test files, or, with
 * options, starts a portal for the caller alone. Tests keep apart by tenant; a test that reads or
 * changes data shared by all tenants asks for its own. Close it when the test file ends: the
 * worker's portal goes on.
 */
export async function createTestPortal(options?: TestPortalOptions): Promise<TestPortal> {
  if (options !== undefined) return startPortal(options);
  shared ??= startPortal({});
  const portal = await shared;
  portal.takeStatements();
  return { ...portal, close: async () => undefined };
}

async function startPortal(options: TestPortalOptions): Promise<TestPortal> {
  const database = options.database ?? (await createTestDatabase());
  const dataDir = await mkdtemp(join(tmpdir(), 'portico-portal-'));
  const config: Config = {
    ...readConfig({
      PORTICO_DATA_DIR: dataDir,
      PORTICO_LOG_LEVEL: 'silent',
      ...(currentCluster().citus && { PORTICO_DATABASE_SCOPE: 'transaction' }),
      ...options.env,
    }),
    checkAnswers: options.checkAnswers ?? true,
  };
  let statements: { text: string; sent: boolean }[] = [];
  const services = await createServices({
    config,
    database: (await options.through?.(database.service)) ?? database.service,
    sealer: options.sealer ?? testSealer,
    ...(options.statementMs !== undefined && { statementMs: options.statementMs }),
    log: options.log ?? silent,
    ...(options.clock && { clock: options.clock }),
    onStatement: (text, _milliseconds, sent) => {
      if (!NOW_AND_THEN.test(text)) statements.push({ text, sent });
    },
  });
  const app = await buildApp({
    services,
    ...(options.requestMs !== undefined && { requestMs: options.requestMs }),
    ...(options.answers && { answers: options.answers }),
    ...(options.exportMs !== undefined && { exportMs: options.exportMs }),
    ...(options.liveOfTenant !== undefined && { liveOfTenant: options.liveOfTenant }),
    ...(options.logger && { logger: options.logger }),
    ...(options.web && { web: options.web }),
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const address = app.server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the test server has no port');
  const origin = `http://127.0.0.1:${address.port}`;
  const owner = new pg.Client(database.owner);
  await owner.connect();
  // A second tenant always exists, so that hosts count from the first test on.
  if (options.bystander !== false)
    await createTenant(owner, testSealer, { name: 'bystander', hosts: ['bystander.test'] });
  const take = () => {
    const taken = statements;
    statements = [];
    return taken;
  };
  return {
    database,
    owner,
    services,
    app,
    origin,
    takeStatements: () => take().map(({ text }) => text),
    takeWaited: () => take().flatMap(({ text, sent }) => (sent ? [] : text)),
    createTenant: (name = `t-${randomBytes(5).toString('hex')}`, host = `${name}.test`) =>
      makeTenant(services, owner, origin, name, host),
    close: async () => {
      await app.close();
      await owner.end();
      await services.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

async function makeTenant(
  services: Services,
  owner: pg.Client,
  origin: string,
  name: string,
  host: string,
): Promise<TestTenant> {
  const { id, systemUserId } = await createTenant(owner, testSealer, {
    name,
    hosts: [host],
    defaultTimezone: 'Europe/Rome',
  });
  const tenant: Tenant = { id, name, displayName: name };
  let counter = 0;
  const token = async (userId: number) =>
    services.tokens.issue(await tenantScope(services, tenant, `http://${host}`), {
      userId,
      keyId: null,
      sessionVersion: 1,
    });
  const requestTokens = new Map<number, string>();
  /** The token of a user's requests, for as long as the service accepts it: signing one costs more than many requests do. */
  const requestToken = async (userId: number) => {
    const known = requestTokens.get(userId);
    if (known && (await services.tokens.verify(await tenantScope(services, tenant, `http://${host}`), known)))
      return known;
    const made = await token(userId);
    requestTokens.set(userId, made);
    return made;
  };
  return {
    tenant,
    host,
    systemUserId,
    createUser: async (options = {}) => {
      const number = ++counter;
      const firstName = options.firstName ?? `First${number}`;
      const lastName = options.lastName ?? `Last${number}`;
      const scope = await systemScope(services, tenant, systemUserId);
      return writeTransaction(scope, 'access', (within) =>
        createUserRecord(within, {
          firstName,
          lastName,
          contactEmail: options.email ?? `user${number}@${host}`,
          ...(options.caption !== undefined && { caption: options.caption }),
          ...(options.username !== undefined && { customUsername: options.username }),
          managesUsers: options.admin ?? false,
          managesWorkplace: options.admin ?? false,
          ...(options.service && { serviceAccount: true }),
        }),
      );
    },
    scope: (userId, clock) => systemScope(services, tenant, userId, clock),
    token,
    request: async (userId, method, path, body, headers = {}) => {
      const response = await send(
        `${origin}${path}`,
        method,
        {
          Host: host,
          ...(userId !== null && { Authorization: `Bearer ${await requestToken(userId)}` }),
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...headers,
        },
        body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
      );
      return response;
    },
    settleStream: async () => {
      const db = services.databases.for(id);
      for (;;) {
        await sequenceChanges(db);
        const [row] = await db.query<{ pending: number }>(
          'SELECT count(*) AS pending FROM changes WHERE tenant_id = $1 AND seq IS NULL',
          [db.tenantId],
        );
        if (row!.pending === 0) return;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
  };
}

/** fetch does not let a client choose its Host; node:http does. */
async function send(
  url: string,
  method: string,
  headers: Record<string, string>,
  body: string | Buffer | undefined,
): Promise<TestAnswer> {
  const { request } = await import('node:http');
  const { promise, resolve, reject } = Promise.withResolvers<TestAnswer>();
  const outgoing = request(
    url,
    {
      method,
      headers: { ...headers, ...(body !== undefined && { 'Content-Length': String(Buffer.byteLength(body)) }) },
    },
    (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.once('error', reject);
      incoming.once('end', () => {
        const bytes = Buffer.concat(chunks);
        const text = bytes.toString('utf8');
        const json = /[/+]json/.test(incoming.headers['content-type'] ?? '') && text !== '';
        const answerHeaders = new Headers();
        for (const [name, value] of Object.entries(incoming.headersDistinct))
          for (const item of value ?? []) answerHeaders.append(name, item);
        resolve({
          status: incoming.statusCode ?? 0,
          headers: answerHeaders,
          text,
          bytes,
          body: json ? JSON.parse(text) : undefined,
        });
      });
    },
  );
  outgoing.once('error', reject);
  outgoing.end(body);
  return promise;
}
