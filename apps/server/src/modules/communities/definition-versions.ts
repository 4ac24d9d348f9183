/**
 * Versions of definitions (table `definition_versions`). Before a change, the rows of the
 * definition are saved, so that a later change can restore them. The token of the community
 * identifies a version.
 */

import { definitionLimits } from '@portico/contract';
import type { TenantExecutor, TenantTx } from '@portico/platform/db/tenant-db';
import { sortKey } from '@portico/platform/text';
import type { WriteScope } from '../../kernel/access/index.ts';
import { fullNameSql } from '../../kernel/full-name.ts';
import { sqlColumns } from '../columns.ts';
import { refuseWhileChanging } from './background-changes.ts';
import { type DefinitionList, definitionRows } from './definition-rows.ts';
import { refuseTooLarge } from './definition-size.ts';

const u = sqlColumns('users', 'u');

/** The rows of a definition, by table, with the names of their columns. */
export interface StoredDefinition {
  readonly community: Row;
  readonly fields: readonly Row[];
  readonly values: readonly Row[];
  readonly validations: readonly Row[];
  readonly states: readonly Row[];
  readonly transitions: readonly Row[];
  readonly screens: readonly Row[];
  readonly screenFields: readonly Row[];
  readonly views: readonly Row[];
}
export type Row = Readonly<Record<string, unknown>>;

interface StoredVersion {
  readonly version: number;
  readonly madeById: number;
  readonly madeByName: string;
  /** Epoch milliseconds. */
  readonly madeAt: number;
}

/** Columns of communities outside the definition: location, counters and cover. */
const NOT_DEFINED = `'{tenant_id,id,etag,workspace_id,workflow_id,name_key,cover_content_ref,external_id,draft,archived_at,creator_id,created_at,modifier_id,modified_at}'::text[]`;

const ORDERS: Readonly<Record<DefinitionList, string>> = {
  fields: 'r.position, r.id',
  values: 'r.id',
  validations: 'r.id',
  states: 'r.position, r.id',
  transitions: 'r.position, r.id',
  screens: 'r.id',
  screenFields: 'r.screen_id, r.position, r.field_id',
  views: 'r.id',
};

/** SQL of the definition of the community `c`, as {@link StoredDefinition}. */
const DEFINITION = `jsonb_build_object(
  'community', to_jsonb(c) - ${NOT_DEFINED},
  ${Object.entries(definitionRows)
    .map(
      ([list, rows]) =>
        `'${list}', (SELECT coalesce(jsonb_agg(to_jsonb(r) - 'tenant_id' ORDER BY ${ORDERS[list as DefinitionList]}), '[]') FROM ${rows})`,
    )
    .join(',\n  ')})`;

/**
 * Communities whose version a transaction has saved: a transaction creates one new version of each,
 * however many edits it makes.
 */
const kept = new WeakMap<TenantTx, Set<number>>();

/**
 * Changes the definitions of communities: keeps their present versions, runs `work`, and raises
 * their tokens. The audit log records the difference.
 * @throws PorticoError CONFLICT while a change that takes effect at its end goes over their posts;
 * ValidationError where a definition has grown above the limit
 */
export async function changeDefinitions<T>(
  write: WriteScope,
  communityIds: readonly number[],
  work: () => Promise<T>,
): Promise<T> {
  await keepDefinitions(write, communityIds);
  const result = await work();
  if (communityIds.length === 0) return result;
  await write.tx.sendChange(
    'communities',
    communityIds,
    `UPDATE communities SET etag = etag + 1, modifier_id = $3, modified_at = $4
      WHERE tenant_id = $1 AND id = ANY ($2::bigint[])`,
    [write.tx.tenantId, communityIds, write.actor.userId, new Date(write.now)],
  );
  await refuseTooLarge(write, communityIds);
  return result;
}

/**
 * Keeps the present versions of definitions that the write is about to change without
 * {@link changeDefinitions}.
 * @throws PorticoError CONFLICT while a change that takes effect at its end goes over their posts
 */
export async function keepDefinitions(write: WriteScope, communityIds: readonly number[]): Promise<void> {
  const { tx } = write;
  await refuseWhileChanging(tx, communityIds);
  await tx.beginChange('communities', communityIds);
  const known = kept.get(tx) ?? new Set();
  kept.set(tx, known);
  const fresh = communityIds.filter((id) => !known.has(id));
  if (fresh.length === 0) return;
  for (const id of fresh) known.add(id);
  await tx.send(
    `INSERT INTO definition_versions (tenant_id, community_id, version, made_by, made_at, definition)
     SELECT c.tenant_id, c.id, c.etag, coalesce(c.modifier_id, c.creator_id), coalesce(c.modified_at, c.created_at), ${DEFINITION}
       FROM communities c WHERE c.tenant_id = $1 AND c.id = ANY ($2::bigint[])
     ON CONFLICT DO NOTHING`,
    [tx.tenantId, fresh],
  );
  await tx.send(
    `DELETE FROM definition_versions d
      WHERE d.tenant_id = $1 AND d.community_id = ANY ($2::bigint[])
        AND d.version < (SELECT min(n.version) FROM (SELECT v.version FROM definition_versions v
                          WHERE v.tenant_id = $1 AND v.community_id = d.community_id
                          ORDER BY v.version DESC LIMIT ${definitionLimits.versions}) n)`,
    [tx.tenantId, fresh],
  );
}

/**
 * Makes an edit and rolls it back, so that its errors are reported before the posts are updated.
 */
export async function rehearse({ tx }: WriteScope, edit: () => Promise<unknown>): Promise<void> {
  const before = new Set(kept.get(tx));
  await tx.query('SAVEPOINT rehearsal');
  await edit();
  await tx.query('ROLLBACK TO SAVEPOINT rehearsal');
  await tx.query('RELEASE SAVEPOINT rehearsal');
  // The rollback also removed the versions that the edit saved.
  kept.set(tx, before);
}

const MADE = `v.version, v.made_by AS "madeById", ${fullNameSql('u')} AS "madeByName", v.made_at AS "madeAt"`;

/** SQL of former versions and the present version, as `v`. */
const VERSIONS = `(SELECT d.tenant_id, d.version, d.made_by, d.made_at FROM definition_versions d
                    WHERE d.tenant_id = $1 AND d.community_id = $2
                   UNION ALL
                   SELECT c.tenant_id, c.etag, coalesce(c.modifier_id, c.creator_id), coalesce(c.modified_at, c.created_at)
                     FROM communities c WHERE c.tenant_id = $1 AND c.id = $2) v`;

/** Returns the versions of a community, the newest (present) first. */
export async function listVersions(db: TenantExecutor, communityId: number): Promise<StoredVersion[]> {
  return db.query<StoredVersion>(
    `SELECT ${MADE} FROM ${VERSIONS} JOIN users u ON u.tenant_id = $1 AND ${u.id} = v.made_by
      ORDER BY v.version DESC LIMIT ${definitionLimits.versions}`,
    [db.tenantId, communityId],
  );
}

/** Returns the definition in a version; undefined if the version is not stored. */
export async function readVersion(
  db: TenantExecutor,
  communityId: number,
  version: number,
): Promise<StoredDefinition | undefined> {
  const [row] = await db.query<{ definition: StoredDefinition }>(
    `SELECT d.definition FROM definition_versions d WHERE d.tenant_id = $1 AND d.community_id = $2 AND d.version = $3
     UNION ALL
     SELECT ${DEFINITION} FROM communities c WHERE c.tenant_id = $1 AND c.id = $2 AND c.etag = $3`,
    [db.tenantId, communityId, version],
  );
  return row?.definition;
}

/** Statements that restore the rows of a table: their beginnings, the row type and the key. */
interface RowTable {
  readonly update: string;
  /** Omitted: the row always exists. */
  readonly insert?: string;
  readonly type: string;
  readonly key: readonly string[];
}

/** Tables whose rows a version restores, in the order of their references. */
const TABLES: readonly (readonly [DefinitionList, RowTable])[] = [
  [
    'screens',
    {
      update: 'UPDATE workflow_screens t SET',
      insert: 'INSERT INTO workflow_screens',
      type: 'workflow_screens',
      key: ['id'],
    },
  ],
  ['fields', { update: 'UPDATE fields t SET', insert: 'INSERT INTO fields', type: 'fields', key: ['id'] }],
  [
    'values',
    {
      update: 'UPDATE field_enum_values t SET',
      insert: 'INSERT INTO field_enum_values',
      type: 'field_enum_values',
      key: ['id'],
    },
  ],
  [
    'validations',
    {
      update: 'UPDATE field_validations t SET',
      insert: 'INSERT INTO field_validations',
      type: 'field_validations',
      key: ['id'],
    },
  ],
  [
    'states',
    {
      update: 'UPDATE workflow_states t SET',
      insert: 'INSERT INTO workflow_states',
      type: 'workflow_states',
      key: ['id'],
    },
  ],
  [
    'transitions',
    {
      update: 'UPDATE workflow_transitions t SET',
      insert: 'INSERT INTO workflow_transitions',
      type: 'workflow_transitions',
      key: ['id'],
    },
  ],
  [
    'screenFields',
    {
      update: 'UPDATE workflow_screen_fields t SET',
      insert: 'INSERT INTO workflow_screen_fields',
      type: 'workflow_screen_fields',
      key: ['screen_id', 'field_id'],
    },
  ],
  ['views', { update: 'UPDATE post_views t SET', insert: 'INSERT INTO post_views', type: 'post_views', key: ['id'] }],
];
const COMMUNITIES: RowTable = { update: 'UPDATE communities t SET', type: 'communities', key: ['id'] };

/** Column that refers to a row that may no longer exist. */
const CATALOG = 'catalog_id';

/** Defaults of columns that are missing in versions older than the column. */
const LATER: Partial<Record<keyof StoredDefinition, Row>> = {
  fields: { translations: {}, section: null, section_translations: {}, default_value: null },
  values: { translations: {} },
};

/**
 * Restores the rows of a version. Fields, values, states and transitions outside the version are
 * taken out of use; screens and views are deleted.
 */
export async function putBack(
  write: WriteScope,
  community: { id: number; workflowId: number | null },
  definition: StoredDefinition,
): Promise<void> {
  const { tx } = write;
  const owned = [tx.tenantId, community.id, community.workflowId];
  const ids = (rows: readonly Row[]) => rows.map(({ id }) => id as number);
  // External ids are unique among all fields of a form, deleted or not: clear them before the
  // version restores its own.
  await tx.send(
    'UPDATE fields SET external_id = NULL WHERE tenant_id = $1 AND (community_id = $2 OR workflow_id = $3) AND external_id IS NOT NULL',
    owned,
  );
  await tx.send(
    'UPDATE fields SET deleted = true WHERE tenant_id = $1 AND (community_id = $2 OR workflow_id = $3) AND NOT deleted AND NOT id = ANY ($4::bigint[])',
    [...owned, ids(definition.fields)],
  );
  await tx.send(
    `UPDATE field_enum_values v SET deleted = true FROM fields f
      WHERE v.tenant_id = $1 AND f.tenant_id = $1 AND f.id = v.field_id AND (f.community_id = $2 OR f.workflow_id = $3)
        AND f.id = ANY ($4::bigint[]) AND NOT v.id = ANY ($5::bigint[])`,
    [...owned, ids(definition.fields), ids(definition.values)],
  );
  await tx.send('DELETE FROM field_validations WHERE tenant_id = $1 AND field_id = ANY ($2::bigint[])', [
    tx.tenantId,
    ids(definition.fields),
  ]);
  await tx.send(
    'DELETE FROM post_views WHERE tenant_id = $1 AND community_id = $2 AND NOT id = ANY ($3::bigint[]) AND id NOT IN (SELECT r.view_id FROM community_relations r WHERE r.tenant_id = $1 AND r.view_id IS NOT NULL)',
    [tx.tenantId, community.id, ids(definition.views)],
  );
  const ofWorkflow = [tx.tenantId, community.workflowId];
  await tx.send(
    'UPDATE workflow_states SET deleted = true WHERE tenant_id = $1 AND workflow_id = $2 AND NOT id = ANY ($3::bigint[])',
    [...ofWorkflow, ids(definition.states)],
  );
  await tx.send(
    'UPDATE workflow_transitions SET deleted = true WHERE tenant_id = $1 AND workflow_id = $2 AND NOT id = ANY ($3::bigint[])',
    [...ofWorkflow, ids(definition.transitions)],
  );
  await tx.send(
    `DELETE FROM workflow_screen_fields x USING workflow_screens s
      WHERE x.tenant_id = $1 AND s.tenant_id = $1 AND s.id = x.screen_id AND s.workflow_id = $2`,
    ofWorkflow,
  );
  for (const [member, table] of TABLES) {
    await putRows(
      tx,
      table,
      definition[member].map((row) => ({ ...LATER[member], ...row })),
    );
  }
  await tx.send(
    `DELETE FROM workflow_screens s WHERE s.tenant_id = $1 AND s.workflow_id = $2 AND NOT s.id = ANY ($3::bigint[])
        AND s.id NOT IN (SELECT w.screen_id FROM workflow_states w WHERE w.tenant_id = $1 AND w.workflow_id = $2 AND w.screen_id IS NOT NULL)
        AND s.id NOT IN (SELECT t.screen_id FROM workflow_transitions t WHERE t.tenant_id = $1 AND t.workflow_id = $2 AND t.screen_id IS NOT NULL)`,
    [...ofWorkflow, ids(definition.screens)],
  );
  const named = { ...definition.community, id: community.id, name_key: sortKey(String(definition.community['name'])) };
  await putRows(tx, COMMUNITIES, [named]);
}

/** Restores rows: updates the existing rows and inserts the others. */
async function putRows(tx: TenantTx, { update, insert, type, key }: RowTable, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  const columns = Object.keys(rows[0]!);
  const set = columns.filter((column) => !key.includes(column) && column !== CATALOG);
  const source = `jsonb_populate_recordset(NULL::${type}, $2::jsonb) r`;
  const same = key.map((column) => `t.${column} = r.${column}`).join(' AND ');
  const parameters = [tx.tenantId, JSON.stringify(rows)];
  if (set.length > 0) {
    const values = set.map((column) => `${column} = r.${column}`).join(', ');
    await tx.send(`${update} ${values} FROM ${source} WHERE t.tenant_id = $1 AND ${same}`, parameters);
  }
  if (insert === undefined) return;
  await tx.send(
    `${insert} (tenant_id, ${columns.join(', ')})
     SELECT a.tenant_id, ${columns.map((column) => `r.${column}`).join(', ')} FROM tenant_versions a, ${source} WHERE a.tenant_id = $1
     ON CONFLICT DO NOTHING`,
    parameters,
  );
}
