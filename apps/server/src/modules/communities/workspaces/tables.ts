/** Tables of workspaces. */
import { byPrincipal, CREATED, defineTables, internal, MODIFIED, OWN } from '../../../kernel/tables/define-tables.ts';

export const workspaceTables = defineTables({
  workspaces: {
    distribution: 'distributed',
    entity: 'workspace',
    audit: {},
    constraints: {
      workspaces__external_id: {
        field: 'externalId',
        code: 'DUPLICATE_VALUE',
        message: 'Another workspace has this external id.',
      },
    },
    files: ['cover_content_ref', 'logo_content_ref'],
    columns: {
      ...OWN,
      ...CREATED,
      ...MODIFIED,
      version: 'occToken',
      name: 'name',
      translations: 'translations',
      description: 'description',
      cover_content_ref: 'coverImageContentRef',
      logo_content_ref: 'logoContentRef',
      external_id: 'externalId',
      archived_at: 'archivedTimestamp',
    },
  },
  workspace_members: {
    distribution: 'distributed',
    parent: { table: 'workspaces', column: 'workspace_id' },
    auditList: {
      of: 'workspaces',
      column: 'workspace_id',
      field: 'members',
      value: `jsonb_build_object('principal', l.principal, 'role', l.role_id)`,
    },
    field: `CASE WHEN role_id IS NULL THEN ${byPrincipal('memberUsers', 'memberGroups')}
                 ELSE ${byPrincipal('adminUsers', 'adminGroups')} END`,
    people: { principal: 'keep' },
    columns: internal('tenant_id', 'id', 'workspace_id', 'principal', 'role_id', 'given_by', 'given_at'),
  },
});
