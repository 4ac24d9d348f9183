/**
 * Shared setup of the tests of this folder: a tenant with an administrator, a workspace and
 * communities.
 */
import type { OperationId, OperationIo } from '@portico/contract';
import { type CallInput, callOperation } from '../../../test/support/call-operation.ts';
import type { TestPortal, TestTenant } from '../../../test/support/index.ts';
import { PorticoError, ValidationError } from '../../kernel/errors.ts';
import type { CommunityRole, Scope } from '../../kernel/scope.ts';
import { catalogHandlers } from './catalogs/catalogs.routes.ts';
import { communityHandlers } from './communities.routes.ts';
import type { NewCommunity } from './create-community.ts';
import { createCommunity } from './create-community.ts';
import { hashtagHandlers } from './hashtags/hashtags.routes.ts';
import { setCommunityRole } from './set-community-roles.ts';
import { createWorkspace } from './workspaces/create-workspace.ts';

const handlers = { ...catalogHandlers, ...communityHandlers, ...hashtagHandlers };

export interface Stage {
  tenant: TestTenant;
  adminId: number;
  workspaceId: number;
  /** Returns a scope with the present versions, as at the start of a request. */
  as(userId: number): Promise<Scope>;
  admin(): Promise<Scope>;
  community(name: string, more?: Partial<NewCommunity>): Promise<number>;
  /** Creates a user with a role in a community. */
  member(communityId: number, role: CommunityRole): Promise<number>;
  call<K extends OperationId>(userId: number, operation: K, input?: CallInput<K>): Promise<OperationIo[K]['response']>;
  /** Inserts a post straight into its table. */
  post(communityId: number, customNo: number): Promise<number>;
}

export async function createStage(portal: TestPortal): Promise<Stage> {
  const tenant = await portal.createTenant();
  const adminId = await tenant.createUser({ firstName: 'Ada', lastName: 'Rossi', admin: true });
  const as = (userId: number) => tenant.scope(userId);
  const admin = () => as(adminId);
  const workspaceId = await createWorkspace(await admin(), { name: 'Workspace' });
  return {
    tenant,
    adminId,
    workspaceId,
    as,
    admin,
    community: async (name, more = {}) => createCommunity(await admin(), { workspaceId, name, ...more }),
    member: async (communityId, role) => {
      const userId = await tenant.createUser();
      await setCommunityRole(await admin(), communityId, [userId], role);
      return userId;
    },
    call: async (userId, operation, input) => callOperation(handlers, operation, await as(userId), input),
    post: async (communityId, customNo) => {
      const { db } = await admin();
      const now = new Date();
      const [row] = await db.query<{ id: number }>(
        `INSERT INTO posts (tenant_id, community_id, custom_no, visibility, creator_id, created_at, modifier_id, modified_at,
           token_by, token_at, operated_at, active_at, recent_at)
         VALUES ($1, $2, $3, 2, $4, $5, $4, $5, $4, $5, $5, $5, $5) RETURNING id`,
        [db.tenantId, communityId, customNo, adminId, now],
      );
      return row!.id;
    },
  };
}

/** Returns the error with which the promise rejects. */
export async function failure(work: Promise<unknown>): Promise<PorticoError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof PorticoError)) throw error ?? new Error('it should have failed');
  return error;
}

/** Returns the error code of each field that the promise rejects. */
export async function faults(work: Promise<unknown>): Promise<Record<string, string>> {
  const error = await failure(work);
  if (!(error instanceof ValidationError)) throw error;
  return Object.fromEntries(error.errors.map(({ field, code }) => [field, code]));
}
