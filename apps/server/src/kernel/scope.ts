/**
 * Scope of a piece of work for one tenant: the tenant, its database, the actor, and the time. Reads
 * and write verbs take a {@link Scope} and work the same for a request, the demo generator, an
 * import and a job.
 */
import type { AdminCapability, RequiredSecondFactor, RoleId } from '@portico/contract';
import type { TenantDb } from '@portico/platform/db/tenant-db';
import type { DirectAccess } from '@portico/platform/files/storage';
import type { Sealer } from '@portico/platform/sealing';
import type { TokenSigner } from '@portico/platform/tokens';
import type { FieldError } from './errors.ts';
import type { NodeLimits } from './node-limits.ts';

/** A role in a community; the lower the number, the more it allows. */
export type CommunityRole = Exclude<RoleId, typeof RoleId.WORKSPACE_ADMINISTRATOR>;

/**
 * A role that fields, transitions and screens can be open to, with every stronger one: a built-in role that is stronger than a guest, or
 * a role of the tenant, than which managers alone are stronger.
 */
export type OpenToRole = number;

/** A named right to administer the tenant, as the interface names it. */
export type AdministrativeRight = AdminCapability;

/** Limits that a personal access token puts on the rights of its holder. */
export interface ActorLimits {
  /** The communities that are left; null for all. */
  readonly communityIds: readonly number[] | null;
  /** Whether the right `manageUsers` is left. */
  readonly managesUsers: boolean;
}

/**
 * The acting user with everything that decides their rights. Loaded once per version of the
 * tenant's access rules.
 */
export interface Actor {
  readonly userId: number;
  /** First and last name, for conflict errors and the audit log. */
  readonly name: string;
  readonly groupIds: readonly number[];
  /**
   * The user's id and the negated ids of their groups: the principals of grants (migration 0002).
   */
  readonly principals: readonly number[];
  /** Per community the strongest built-in role all of whose permissions they have (docs/decisions/people.md). */
  readonly roles: ReadonlyMap<number, CommunityRole>;
  /** Ids of the tenant's roles that they hold, by community; absent: none. */
  readonly ownRoles?: ReadonlyMap<number, readonly number[]>;
  /**
   * Permissions (kernel/access/permissions.ts) by community, where they differ from the permissions
   * of the role; omitted if they differ nowhere.
   */
  readonly permissions?: ReadonlyMap<number, number>;
  /** Administrative rights, directly or by a group. */
  readonly rights: ReadonlySet<AdministrativeRight>;
  readonly accessVersion: number;
  /** Neither a service account nor the system account. */
  readonly person: boolean;
  /** The break-glass administrator. */
  readonly breakGlass: boolean;
  /** Whether they have an authenticator app or a passkey. */
  readonly secondFactor: boolean;
  /** Applied already; kept for when the actor is read again. Absent for sign-ins. */
  readonly limits?: ActorLimits;
}

/** An organisation, as the registry names it. */
export interface Tenant {
  readonly id: number;
  readonly name: string;
  readonly displayName: string;
}

/** Settings of a tenant that requests need (table tenant_settings). */
export interface TenantSettings {
  readonly audiences: readonly string[];
  readonly accessTokenSeconds: number | null;
  readonly providerClientIds: readonly string[];
  readonly loginDomains: readonly string[];
  readonly corsOrigins: readonly string[];
  readonly defaultLanguage: string;
  readonly defaultTimezone: string;
  /** Users who need a second factor. */
  readonly requireSecondFactor: RequiredSecondFactor;
  /** Whether people sign in by an identity provider only. */
  readonly requireProvider: boolean;
  /** Whether notifications are sent by mail. */
  readonly notificationMails: boolean;
  /** Whether browsers show notifications. */
  readonly notificationPush: boolean;
  /** How people read the tenant's name; null: as the operator named it. */
  readonly name: string | null;
  /** Seconds without use, and in any case, after which a session ends; null: the default. */
  readonly sessionIdleSeconds: number | null;
  readonly sessionSeconds: number | null;
  /** Days that notifications are kept; null: the default. */
  readonly notificationRetentionDays: number | null;
  /** Looks of the page (contract: GetBrandingResponse); null: not set. */
  readonly accentColor: string | null;
  readonly logoContentRef: string | null;
  readonly signInNotice: string | null;
  readonly imprintUrl: string | null;
  readonly privacyUrl: string | null;
  readonly attachmentQuotaBytes: number | null;
  /** The registered host name that links in mail lead to, with a port where it has one; null without any. */
  readonly primaryHost: string | null;
  /** Requests within a minute that one process serves; null: no limit. */
  readonly requestsPerMinute: number | null;
  /** The same for each account. */
  readonly accountRequestsPerMinute: number | null;
  /** Key that signs page and sync tokens. */
  readonly opaqueTokens: TokenSigner;
  /** Key that signs links to files. */
  readonly links: TokenSigner;
}

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}

export interface Log {
  debug(fields: object, message?: string): void;
  info(fields: object, message?: string): void;
  warn(fields: object, message?: string): void;
  error(fields: object, message?: string): void;
}

export interface TenantScope {
  readonly tenant: Tenant;
  readonly settings: TenantSettings;
  /** The only handle on the database. In work that joins a running transaction, the handle of that transaction. */
  readonly db: TenantDb;
  readonly clock: Clock;
  /** Encrypts and decrypts secrets in the database. */
  readonly sealer: Sealer;
  readonly log: Log;
  /** Counts and limits that all processes of the node share. */
  readonly limits: NodeLimits;
  /** `https://host[:port]` of the tenant as the caller reached it, without trailing slash; links are absolute on it. */
  readonly baseUrl: string;
  /**
   * The tenant's own base address, without trailing slash: of its registered host, whatever host the caller named. Null where
   * it has none.
   */
  readonly ownAddress: string | null;
  /** Whether there is a mail server. */
  readonly sendsMail: boolean;
  /** How long links to files are valid. Seconds. */
  readonly linkSeconds?: number;
  /** Makes links straight into a storage that clients read from themselves; left out where the server serves all files. */
  readonly directLinks?: Pick<DirectAccess, 'link'>;
  /**
   * Scheme and host that files are served from, without trailing slash; default {@link baseUrl}.
   */
  readonly filesOrigin?: string;
  /** The version of all community definitions that this work began with (table tenant_versions). */
  readonly definitionsVersion: number;
  /**
   * Errors of required fields that the request lacks, for the verb to report with its own
   * (`FieldErrors`); absent without any. No write commits with them.
   */
  readonly missing?: readonly FieldError[];
}

export interface Scope extends TenantScope {
  readonly actor: Actor;
  /** The session of the browser that asks; absent for other callers. */
  readonly sessionId?: number;
  /** The personal access token of the request; absent for other callers. */
  readonly personalTokenId?: number;
  /** Version of the sign-ins of the account that the request came with; absent for work that no request asked for. */
  readonly sessionVersion?: number;
  /** Runs a part of a write of many objects; absent for other writes. */
  readonly runPart?: RunPart;
  /** Set while writes are rehearsed (`rehearseWrites`): they are undone afterwards. */
  readonly rehearsal?: Rehearsal;
}

/** State of a rehearsal of writes. */
interface Rehearsal {
  /** Whether the last write may have changed rights, so that the next one reads its actor again. */
  accessChanged: boolean;
}

/** A scope without its handle on the database, for functions that read through the executor of their caller. */
export type Context = Omit<Scope, 'db'>;
export type TenantContext = Omit<TenantScope, 'db'>;

/**
 * Runs a part of a write of many objects in a transaction of its own, which the verbs within join.
 * A repeated request with the same `Idempotency-Key` gets the stored result of the part; in a dry
 * run all of it is undone.
 * @param index of the part @param asked input of the part @param work returns JSON
 */
export type RunPart = <T>(index: number, asked: unknown, work: (scope: Scope) => Promise<T>) => Promise<T>;
