/**
 * Environment of the tests in this folder: a tenant, scopes of its users, and operations called
 * like requests.
 */
import { randomBytes } from 'node:crypto';
import type { OperationId, OperationIo } from '@portico/contract';
import { ajvOptions, strictResponse, strictSharedSchemas } from '@portico/contract/schemas';
import { ScopedPool } from '@portico/platform/db/scoped-pool';
import { TenantDatabases } from '@portico/platform/db/tenant-db';
import { createTokenSigner } from '@portico/platform/tokens';
import { Ajv } from 'ajv';
import pg from 'pg';
import { askedScope } from '../../../../test/support/call-operation.ts';
import { createTestDatabase, currentCluster } from '../../../../test/support/cluster.ts';
import { testSealer } from '../../../../test/support/encryption.ts';
import { loadActor, type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { PorticoError, ValidationError } from '../../../kernel/errors.ts';
import { LocalLimits } from '../../../kernel/node-limits.ts';
import type { Handlers } from '../../../kernel/operations.ts';
import type { Scope, TenantSettings } from '../../../kernel/scope.ts';
import type { Invalidates } from '../../../kernel/write-transaction.ts';
import { createTenant } from '../../tenants/index.ts';
import { areaHandlers } from '../areas/areas.routes.ts';
import { ownProfileHandlers } from '../auth/auth.routes.ts';
import { businessUnitHandlers } from '../business-units/business-units.routes.ts';
import { groupHandlers } from '../groups/groups.routes.ts';
import { createUserRecord, createUserRecords, type UserRecord } from './accounts.ts';
import { userHandlers } from './users.routes.ts';

const handlers: Handlers = {
  ...userHandlers,
  ...groupHandlers,
  ...areaHandlers,
  ...businessUnitHandlers,
  ...ownProfileHandlers,
};

const signer = createTokenSigner(randomBytes(32));
const strict = new Ajv({ ...ajvOptions, keywords: [...ajvOptions.keywords] }).addSchema(strictSharedSchemas());
const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

export interface PeoplePortal {
  owner: pg.Client;
  tenant(settings?: Partial<TenantSettings>): Promise<PeopleTenant>;
  close(): Promise<void>;
}

export interface PeopleTenant {
  id: number;
  /** Scope of one of the tenant's users, with the rights they have now. */
  scope(userId: number): Promise<Scope>;
  /** Scope of a test administrator. */
  admin: Scope;
  user(record?: Partial<UserRecord>): Promise<number>;
  users(records: UserRecord[]): Promise<number[]>;
  write<T>(invalidates: Invalidates, work: (write: WriteScope) => Promise<T>): Promise<T>;
  /** Runs SQL as the owner with row security bound to this tenant. */
  sql<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<R[]>;
}

type Inputs<K extends OperationId> = Partial<Pick<OperationIo[K], 'params' | 'query' | 'body'>>;

/** Calls an operation; its response must be exactly as the contract declares. */
export async function call<K extends OperationId>(
  operation: K,
  scope: Scope,
  inputs: Inputs<K> = {},
): Promise<OperationIo[K]['response']> {
  const handler = handlers[operation] as ((request: object) => Promise<OperationIo[K]['response']>) | undefined;
  if (!handler) throw new Error(`${operation} is not answered by people`);
  const asked = askedScope(operation, scope, inputs.body);
  const answer = await handler({ scope: asked, params: {}, query: {}, afterAnswer: () => undefined, ...inputs });
  const schema = strictResponse(operation);
  if (schema && answer !== undefined && !strict.validate(schema, JSON.parse(JSON.stringify(answer)))) {
    throw new Error(`${operation} answers what the contract does not declare: ${strict.errorsText()}`);
  }
  return answer;
}

/** The refusal of a piece of work. @returns code, status and, of a validation, `field: code` of each fault */
export async function refusal(
  work: Promise<unknown>,
): Promise<{ code: string; status: number; faults: string[]; details: object }> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof PorticoError)) throw error;
    const faults = error instanceof ValidationError ? error.errors.map((fault) => `${fault.field}: ${fault.code}`) : [];
    return { code: error.code, status: error.status, faults, details: error.details };
  }
  throw new Error('the work was not refused');
}

/** The refusals of several pieces of work that run at once. */
export function refusals(work: readonly Promise<unknown>[]) {
  return Promise.all(work.map(refusal));
}

/** A database of its own with tenants on demand. Close it when the test file ends. */
export async function openPeoplePortal(): Promise<PeoplePortal> {
  const database = await createTestDatabase();
  const owner = new pg.Client(database.owner);
  await owner.connect();
  const pool = new ScopedPool({
    connection: database.service,
    mode: currentCluster().citus ? 'transaction' : 'connection',
    max: 8,
  });
  const databases = new TenantDatabases(pool);
  let counter = 0;
  return {
    owner,
    async tenant(settings = {}) {
      const name = `people-${++counter}`;
      const { id, systemUserId } = await createTenant(owner, testSealer, { name, hosts: [`${name}.test`] });
      const db = databases.for(id);
      const scope = async (userId: number): Promise<Scope> => {
        const actor = await loadActor(db, userId);
        if (!actor) throw new Error(`the tenant has no active user ${userId}`);
        return {
          tenant: { id, name, displayName: name },
          settings: {
            audiences: [],
            accessTokenSeconds: null,
            name: null,
            requireProvider: false,
            notificationMails: false,
            notificationPush: false,
            accentColor: null,
            logoContentRef: null,
            signInNotice: null,
            imprintUrl: null,
            privacyUrl: null,
            sessionIdleSeconds: null,
            sessionSeconds: null,
            notificationRetentionDays: null,
            providerClientIds: [],
            loginDomains: [],
            corsOrigins: [],
            defaultLanguage: 'en',
            defaultTimezone: 'Europe/Rome',
            requireSecondFactor: 'nobody',
            attachmentQuotaBytes: null,
            primaryHost: `${name}.test`,
            requestsPerMinute: null,
            accountRequestsPerMinute: null,
            opaqueTokens: signer,
            links: signer,
            ...settings,
          },
          db,
          clock: { now: () => Date.now() },
          sealer: testSealer,
          log: quiet,
          baseUrl: `https://${name}.test`,
          ownAddress: `https://${name}.test`,
          sendsMail: false,
          limits: new LocalLimits(),
          definitionsVersion: 1,
          actor,
        };
      };
      const system = await scope(systemUserId);
      const run = <T>(invalidates: Invalidates, work: (write: WriteScope) => Promise<T>) =>
        writeTransaction(system, invalidates, work);
      const adminId = await run('none', (write) =>
        createUserRecord(write, { firstName: 'Ada', lastName: 'Admin', managesUsers: true, managesWorkplace: true }),
      );
      let people = 0;
      return {
        id,
        scope,
        admin: await scope(adminId),
        user: (record = {}) =>
          run('none', (write) => createUserRecord(write, { lastName: `Person ${++people}`, ...record })),
        users: (records) => run('none', (write) => createUserRecords(write, records)),
        write: run,
        async sql<R extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
          await owner.query(`SELECT set_config('app.tenant_id', $1, false)`, [String(id)]);
          return (await owner.query<R>(text, values)).rows;
        },
      };
    },
    async close() {
      await pool.end();
      await owner.end();
      await database.drop();
    },
  };
}
