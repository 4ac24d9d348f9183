/** Creates communities, for generators and imports (not an operation of the interface). */

import { sortKey } from '@portico/platform/text';
import { type WriteScope, writeTransaction } from '../../kernel/access/index.ts';
import { FieldErrors, notFound } from '../../kernel/errors.ts';
import type { Scope } from '../../kernel/scope.ts';
import { insertPostCounter } from '../records/index.ts';
import { requireDefinitionRight } from './communities.policy.ts';
import { settingColumns } from './community-rows.ts';
import { checkLabel } from './definition-input.ts';
import type { CommunitySettings } from './definition-types.ts';

/** A new community. Omitted settings take the defaults of the schema. */
export interface NewCommunity extends Partial<CommunitySettings> {
  workspaceId: number;
  name: string;
  description?: string | null;
  /** `#rrggbb`. */
  colorCode?: string | null;
  coverContentRef?: string | null;
  /** Unique within the tenant. */
  externalId?: string | null;
  /** A workflow created with `createWorkflow`. */
  workflowId?: number;
}

/**
 * Creates a community. Members of its workspace have their role in it at once; other roles come
 * from `setCommunityRole`.
 * @returns its id
 * @throws PorticoError FORBIDDEN, NOT_FOUND for the workspace or workflow; ValidationError
 */
export async function createCommunity(scope: Scope, community: NewCommunity): Promise<number> {
  return writeTransaction(scope, 'both', (write) => insertCommunity(write, community));
}

/**
 * Finds a community by its external id, else by its name within the workspace, or creates it. An
 * existing community is not changed.
 * @returns its id
 */
export async function ensureCommunity(scope: Scope, community: NewCommunity): Promise<number> {
  const find = async (write: Pick<WriteScope, 'tx'>) => {
    const [row] = await write.tx.query<{ id: number }>(
      community.externalId === undefined
        ? `SELECT id FROM communities WHERE tenant_id = $1 AND workspace_id = $2 AND name = $3 ORDER BY id LIMIT 1`
        : `SELECT id FROM communities WHERE tenant_id = $1 AND external_id = $3 AND $2::bigint IS NOT NULL`,
      [write.tx.tenantId, community.workspaceId, community.externalId ?? community.name.trim()],
    );
    return row?.id;
  };
  // Look it up first: the second transaction raises the version of all definitions for everybody.
  const known = await writeTransaction(scope, 'none', find);
  return (
    known ??
    (await writeTransaction(scope, 'both', async (write) => (await find(write)) ?? insertCommunity(write, community)))
  );
}

/** Rejects an invalid colour. */
export function checkColor(field: string, color: string, errors: FieldErrors): void {
  if (!/^#[0-9a-fA-F]{6}$/.test(color)) errors.add(field, 'INVALID_VALUE', 'A colour is # and six hexadecimal digits.');
}

/**
 * Creates a community within a write. @throws PorticoError FORBIDDEN, NOT_FOUND; ValidationError
 */
export async function insertCommunity(write: WriteScope, community: NewCommunity): Promise<number> {
  requireDefinitionRight(write.actor);
  const errors = new FieldErrors();
  const name = checkLabel('name', community.name, errors);
  if (community.colorCode != null) checkColor('colorCode', community.colorCode, errors);
  errors.throwIfAny();
  const [found] = await write.tx.query<{ workspace: boolean; workflow: boolean }>(
    `SELECT EXISTS (SELECT FROM workspaces WHERE tenant_id = $1 AND id = $2) AS workspace,
            $3::bigint IS NULL OR EXISTS (SELECT FROM workflows WHERE tenant_id = $1 AND id = $3) AS workflow`,
    [write.tx.tenantId, community.workspaceId, community.workflowId ?? null],
  );
  if (!found?.workspace || !found.workflow) throw notFound();
  const columns: Record<string, unknown> = {
    tenant_id: write.tx.tenantId,
    workspace_id: community.workspaceId,
    workflow_id: community.workflowId ?? null,
    name,
    name_key: sortKey(name),
    description: community.description ?? null,
    color_code: community.colorCode ?? null,
    cover_content_ref: community.coverContentRef ?? null,
    external_id: community.externalId ?? null,
    creator_id: write.actor.userId,
    created_at: new Date(write.now),
  };
  Object.assign(columns, settingColumns(community));
  const names = Object.keys(columns);
  const [row] = await write.tx.create<{ id: number }>(
    'communities',
    `INSERT INTO communities (${names.join(', ')}) VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')})
     RETURNING id`,
    Object.values(columns),
  );
  await insertPostCounter(write.tx, row!.id);
  return row!.id;
}
