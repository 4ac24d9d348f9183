/**
 * Operator commands. They work whether or not the server runs: on the same database, through the same verbs, as the
 * tenant's system account.
 */
import { access } from 'node:fs/promises';
import { userInfo } from 'node:os';
import type { UserLinkResponse } from '@portico/contract';
import type pg from 'pg';
import { joining, writeTransaction } from '../kernel/access/index.ts';
import { PorticoError, ValidationError } from '../kernel/errors.ts';
import type { AdministrativeRight, CommunityRole, Scope, Tenant } from '../kernel/scope.ts';
import { setCommunityRole, setStandingRole, voidMarksSql } from '../modules/communities/index.ts';
import {
  changeRights,
  createServiceAccount,
  createUserRecord,
  giveOneTimePassword,
  giveServiceAccountKey,
  type LinkPurpose,
  listMails,
  type MailReport,
  type MailState,
  type OneTimePassword,
  type PrintedLink,
  printPasswordLink,
  retryMails,
  sendPasswordLink,
  setUserBlocked,
  signOutUser,
  withdrawServiceAccountKey,
} from '../modules/people/index.ts';
import { renewStream } from '../modules/records/index.ts';
import { tables } from '../modules/tables.ts';
import {
  type ChainHead,
  type ChainReport,
  changeHosts,
  changeTenantSettings,
  type HostChanges,
  readTenantSettings,
  systemAccountOf,
  systemScope,
  type TenantServices,
  type TenantSettingValues,
  verifyChain,
} from '../modules/tenants/index.ts';
import { breakGlassOf } from './break-glass.ts';
import { type EncryptionReport, encryptAnew, type LostSecretsReport, replaceLostSecrets } from './encryption.ts';
import { noTenant, TenantLife } from './end-of-tenants.ts';
import { findUser, type ListedAccount, listAccounts } from './find-user.ts';
import { writeKeyFile } from './key-file.ts';
import { type KeyKind, type KeyState, listKeys, rotateKey, withdrawKey } from './keys.ts';
import { type ClusterReport, drainNode, moveTenant, reportCluster, withMoveLock } from './nodes/index.ts';
import { OperatorError } from './operator-error.ts';
import { pruneAuditLog } from './prune-audit-log.ts';
import { createTenantWithAdministrator, listTenants, type NewTenant } from './tenants.ts';

export class OperatorSession {
  readonly services: TenantServices;
  readonly #owner: pg.Client;
  readonly #ownerConfig: pg.ClientConfig;

  /**
   * @param ownerConfig how to connect as the owner once more, for work that needs a separate
   *   connection
   */
  constructor(services: TenantServices, owner: pg.Client, ownerConfig: pg.ClientConfig) {
    this.services = services;
    this.#owner = owner;
    this.#ownerConfig = ownerConfig;
  }

  /** As {@link createTenantWithAdministrator}. */
  createTenant(options: NewTenant) {
    return createTenantWithAdministrator(this.services, this.#owner, options);
  }

  /** Disabling, renaming and deleting tenants. */
  get tenantLife(): TenantLife {
    return new TenantLife(this.services, this.#owner, this.#ownerConfig);
  }

  listTenants() {
    return listTenants(this.services, this.#owner);
  }

  /**
   * Changes the host names of a tenant. @returns its host names afterwards, the primary one first
   */
  async changeHosts(tenant: string, changes: HostChanges): Promise<string[]> {
    const { db } = await this.systemScope(tenant);
    return changeHosts(this.#owner, db.tenantId, changes, userInfo().username);
  }

  /** Changes some settings of a tenant. @returns all settings as they are afterwards */
  async changeTenantSettings(tenant: string, changes: Partial<TenantSettingValues>): Promise<TenantSettingValues> {
    const { db } = await this.systemScope(tenant);
    await changeTenantSettings(db, changes);
    return readTenantSettings(db);
  }

  /** Makes a service account, gives it roles if asked, and writes its key file. */
  async createServiceAccount(options: {
    tenant: string;
    name: string;
    out: string;
    admin: boolean;
    role?: CommunityRole | undefined;
    /**
     * Gives the role in every community, including communities created later; otherwise in the
     * existing communities.
     */
    allCommunities?: boolean | undefined;
  }) {
    if (options.allCommunities && !options.role)
      throw new OperatorError('--all-communities says where a role holds; name the role with --role.');
    await this.#refuseExisting(options.out);
    const scope = await this.systemScope(options.tenant);
    const userId = await writeTransaction(scope, 'access', async (within) => {
      const made = await createServiceAccount(within, { name: options.name, admin: options.admin });
      if (options.role && options.allCommunities) {
        await setStandingRole(joining(within), made, options.role);
      } else if (options.role) {
        const communities = await within.tx.query<{ id: number }>(
          'SELECT id FROM communities WHERE tenant_id = $1 ORDER BY id',
          [within.tenant.id],
        );
        for (const { id } of communities) await setCommunityRole(joining(within), id, [made], options.role);
      }
      return made;
    });
    const key = await giveServiceAccountKey(scope, userId);
    await writeKeyFile(options.out, key, { replace: false });
    return { userId, keyId: key.private_key_id };
  }

  /**
   * Gives a service account a role in every community, including communities created later, or
   * removes the role.
   * @param who id, user name or contact address @param role null removes the role
   */
  async setStandingRole(tenant: string, who: string, role: CommunityRole | null): Promise<number> {
    const scope = await this.systemScope(tenant);
    const userId = await findUser(scope, who);
    try {
      await setStandingRole(scope, userId, role);
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      throw new OperatorError(`The account "${who}" is not a service account.`, { cause: error });
    }
    return userId;
  }

  async revokeKey(tenant: string, keyId: number): Promise<void> {
    try {
      if (await withdrawServiceAccountKey(await this.systemScope(tenant), keyId)) return;
    } catch (error) {
      if (!(error instanceof PorticoError && error.code === 'NOT_FOUND')) throw error;
    }
    throw new OperatorError(`The tenant ${tenant} has no key ${keyId} that is not revoked already.`);
  }

  async createUser(options: {
    tenant: string;
    email: string;
    firstName: string;
    lastName: string;
    username?: string | undefined;
    admin: boolean;
    link?: string | undefined;
  }): Promise<number> {
    const scope = await this.systemScope(options.tenant);
    return writeTransaction(scope, 'access', (within) =>
      createUserRecord(within, {
        firstName: options.firstName,
        lastName: options.lastName,
        contactEmail: options.email,
        managesUsers: options.admin,
        managesWorkplace: options.admin,
        ...(options.username && { customUsername: options.username, customCanManage: true }),
        ...(options.link && { googleAccountId: options.link }),
      }),
    );
  }

  /**
   * The accounts that an operator names.
   * @param whom ids, user names or contact addresses @returns their ids, in the same order
   * @throws OperatorError for the first name without an account
   */
  async findUsers(tenant: string, whom: readonly string[]): Promise<number[]> {
    const scope = await this.systemScope(tenant);
    const ids: number[] = [];
    for (const who of whom) ids.push(await findUser(scope, who));
    return ids;
  }

  /** The accounts of a tenant, or only the accounts with an administrative right. */
  async listAccounts(tenant: string, options: { admin: boolean }): Promise<ListedAccount[]> {
    return listAccounts(await this.systemScope(tenant), options);
  }

  /**
   * Gives an account administrative rights of its own, or takes them.
   * @param who id, user name or contact address
   * @returns the account, and the rights that it holds itself afterwards
   */
  async changeRights(
    tenant: string,
    who: string,
    change: { give?: readonly AdministrativeRight[]; take?: readonly AdministrativeRight[] },
  ): Promise<{ userId: number; rights: AdministrativeRight[] }> {
    const scope = await this.systemScope(tenant);
    const userId = await findUser(scope, who);
    return { userId, rights: await changeRights(scope, userId, change) };
  }

  /** Blocks or unblocks a person or service account. @param who id, user name or contact address */
  async setUserBlocked(tenant: string, who: string, blocked: boolean): Promise<number> {
    const scope = await this.systemScope(tenant);
    const userId = await findUser(scope, who);
    await setUserBlocked(scope, userId, blocked);
    return userId;
  }

  /** Ends every sign-in of a person or service account. @param who id, user name or contact address */
  async signOutUser(tenant: string, who: string): Promise<number> {
    const scope = await this.systemScope(tenant);
    const userId = await findUser(scope, who);
    await signOutUser(scope, userId);
    return userId;
  }

  /**
   * Replaces a person's password by a generated one, which signs in only together with the one that takes its place. Ends
   * every sign-in of the person.
   * @param who id, user name or contact address
   * @throws OperatorError for an account without a user name
   */
  async resetPassword(tenant: string, who: string): Promise<OneTimePassword> {
    return this.#forPerson(tenant, who, giveOneTimePassword);
  }

  /**
   * Sends a person the link by which they choose a password.
   * @param who id, user name or contact address
   * @throws OperatorError for an account that a link cannot let in
   */
  async sendPasswordLink(tenant: string, who: string, purpose: LinkPurpose): Promise<UserLinkResponse> {
    return this.#forPerson(tenant, who, (scope, userId) => sendPasswordLink(scope, userId, purpose));
  }

  /** Makes the same link and returns it instead. */
  async printPasswordLink(tenant: string, who: string, purpose: LinkPurpose): Promise<PrintedLink> {
    return this.#forPerson(tenant, who, (scope, userId) => printPasswordLink(scope, userId, purpose));
  }

  async #forPerson<T>(tenant: string, who: string, work: (scope: Scope, userId: number) => Promise<T>): Promise<T> {
    const scope = await this.systemScope(tenant);
    const userId = await findUser(scope, who);
    try {
      return await work(scope, userId);
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      const { defaultMessage = 'it is refused' } = error.errors[0] ?? {};
      throw new OperatorError(`"${who}": ${defaultMessage}`, { cause: error });
    }
  }

  /** Encrypts all secrets with the newest key. */
  encryptAnew(): Promise<EncryptionReport> {
    return encryptAnew(this.services, this.#owner);
  }

  /** Replaces every secret that no configured key opens. */
  replaceLostSecrets(): Promise<LostSecretsReport> {
    return replaceLostSecrets(this.services, this.#owner);
  }

  /** The keys of a tenant. */
  async listKeys(tenant: string): Promise<KeyState[]> {
    return listKeys((await this.systemScope(tenant)).db);
  }

  /** Replaces keys of a tenant. @returns the ids of the new ones, in the order of the kinds */
  async rotateKeys(tenant: string, kinds: readonly KeyKind[], options: { withdrawOthers: boolean }): Promise<string[]> {
    const { db, clock, sealer } = await this.systemScope(tenant);
    const ids: string[] = [];
    for (const kind of kinds) ids.push(await rotateKey(db, sealer, kind, clock.now(), options));
    return ids;
  }

  /** Removes a key that another one has replaced. */
  async withdrawKey(tenant: string, id: string): Promise<void> {
    await withdrawKey((await this.systemScope(tenant)).db, id);
  }

  /** Mails of a tenant, the newest first. @param state undefined: all */
  async listMails(tenant: string, state: MailState | undefined, limit: number): Promise<MailReport[]> {
    const { db, clock } = await this.systemScope(tenant);
    return listMails(db, { now: clock.now(), state, limit });
  }

  /**
   * Has failed mails sent again, by the service.
   * @param ids undefined: all that can be  @returns their ids
   * @throws OperatorError when one cannot be; none is then sent
   */
  async retryMails(tenant: string, ids: readonly number[] | undefined): Promise<number[]> {
    const { db, clock } = await this.systemScope(tenant);
    return db.transaction(async (tx) => {
      const retried = await retryMails(tx, clock.now(), ids);
      const other = ids?.find((id) => !retried.includes(id));
      if (other !== undefined)
        throw new OperatorError(
          `The mail ${other} cannot be sent again: it did not fail, or its link has expired. Have a new link sent.`,
        );
      return retried;
    });
  }

  /** The break-glass administrator of a tenant. */
  async breakGlass(tenant: string): Promise<ReturnType<typeof breakGlassOf>> {
    return breakGlassOf(await this.systemScope(tenant));
  }

  /**
   * Verifies the audit log of a tenant.
   * @param kept head that an earlier verification gave
   */
  async verifyAuditLog(tenant: string, kept?: ChainHead): Promise<ChainReport> {
    return verifyChain((await this.systemScope(tenant)).db, kept);
  }

  /**
   * Removes the old entries of every tenant whose settings say how long they are kept.
   * @returns by tenant how many were removed, or the sentence that says why none was
   */
  async pruneAuditLogs(): Promise<{ tenant: string; removed: number; problem?: string }[]> {
    const results: { tenant: string; removed: number; problem?: string }[] = [];
    for (const { name } of await this.services.tenants.all()) {
      const { db } = await this.systemScope(name);
      if ((await readTenantSettings(db)).auditRetentionDays === null) continue;
      try {
        results.push({ tenant: name, removed: await this.pruneAuditLog(name, undefined) });
      } catch (error) {
        // A log that is not intact keeps its entries, and the others do not wait for it.
        if (!(error instanceof OperatorError)) throw error;
        results.push({ tenant: name, removed: 0, problem: error.message });
      }
    }
    return results;
  }

  /**
   * Deletes entries of the audit log older than an age. The remaining entries are verified from the
   * new checkpoint.
   * @returns number of deleted entries
   * @throws OperatorError when the log is not whole: nothing is deleted then
   */
  async pruneAuditLog(tenant: string, olderThanDays: number | undefined): Promise<number> {
    return pruneAuditLog(this.#owner, await this.systemScope(tenant), olderThanDays);
  }

  /** The scope of a tenant's system account. @throws OperatorError when there is no such tenant */
  async systemScope(tenantName: string): Promise<Scope> {
    const { rows } = await this.#owner.query<{ id: string; displayName: string }>(
      'SELECT id, display_name AS "displayName" FROM tenants WHERE name = $1',
      [tenantName],
    );
    const row = rows[0];
    if (!row) throw new OperatorError(noTenant(tenantName));
    const tenant: Tenant = { id: Number(row.id), name: tenantName, displayName: row.displayName };
    const origin = { operator: userInfo().username };
    return systemScope(this.services, tenant, await systemAccountOf(this.services, tenant), undefined, origin);
  }

  /**
   * Tells followers of every tenant's change stream that this database was restored or moved: their positions are void,
   * and they start afresh. @returns how many tenants there are
   */
  async markRestored(): Promise<number> {
    const { rows } = await this.#owner.query<{ id: string }>('SELECT id FROM tenants ORDER BY id');
    for (const { id } of rows) {
      const db = this.services.databases.for(Number(id));
      await renewStream(db);
      await db.execute(`${voidMarksSql} AND tenant_id = $1`, [db.tenantId]);
    }
    return rows.length;
  }

  /** The nodes of the cluster with their contents. @throws OperatorError without Citus */
  readNodes(): Promise<ClusterReport> {
    return reportCluster(this.#owner);
  }

  /** Moves a tenant to a worker while it works, see {@link moveTenant}. */
  async moveTenant(tenant: string, to: string, tell: (sentence: string) => void): Promise<void> {
    await withMoveLock(this.#ownerConfig, (owner) => moveTenant({ ...this.services, owner, tell }, tenant, to));
  }

  /** Moves everything off a worker, see {@link drainNode}. */
  async drainNode(node: string, tell: (sentence: string) => void): Promise<number> {
    return withMoveLock(this.#ownerConfig, (owner) => drainNode({ ...this.services, owner, tell }, node));
  }

  /**
   * Tells the planner how large the tables of posts are by now. Plans that were made when they were empty (foreign keys
   * are checked by such) continue to read whole tenants, until autovacuum runs: longer than an import takes.
   */
  async refreshStatistics(): Promise<void> {
    const filled = [...tables.values()].filter((table) => table.analyze);
    await this.#owner.query(`ANALYZE ${filled.map(({ name }) => name).join(', ')}`);
  }

  async #refuseExisting(path: string): Promise<void> {
    const exists = await access(path).then(
      () => true,
      () => false, // ENOENT is what we hope for; anything else is told when the file is written
    );
    if (exists) throw new OperatorError(`${path} exists already; choose another name, so that no key is overwritten.`);
  }
}
