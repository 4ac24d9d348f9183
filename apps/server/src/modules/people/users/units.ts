/** Areas and business units as administrators set them: two tables of one form. */

import type {
  CreateUnitRequest,
  CreateUnitResponse,
  EditUnitRequest,
  EditUnitResponse,
  ListUnitsRequest,
  ListUnitsResponse,
} from '@portico/contract';
import type { TenantExecutor } from '@portico/platform/db/tenant-db';
import { likePattern, normaliseText } from '@portico/platform/text';
import { Parameters, type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { FieldErrors, notFound, PorticoError } from '../../../kernel/errors.ts';
import { readPage, readPaging, type SortKey } from '../../../kernel/paging/index.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { type LastChange, staleToken } from '../../../kernel/stale-token.ts';
import { maxLengths, mustManageUsers } from './people.policy.ts';
import { insertUnits, lockUnits, removeUnit, type UnitTable, unitWith, updateUnit } from './units.repository.ts';

/** Differences between areas and business units. */
interface UnitKind {
  table: UnitTable;
  /** Column of the users in them. */
  column: 'area_id' | 'business_unit_id';
  operation: 'listAreas' | 'listBusinessUnits';
}
export const AREA: UnitKind = { table: 'areas', column: 'area_id', operation: 'listAreas' };
export const BUSINESS_UNIT: UnitKind = {
  table: 'business_units',
  column: 'business_unit_id',
  operation: 'listBusinessUnits',
};

/** Maximum length of a description, in code points. */
const MAX_DESCRIPTION = 2_000;

interface ListedUnit {
  id: number;
  name: string;
  externalId: string | null;
  description: string | null;
  version: number;
  users: number;
}

/**
 * Units by name (operations listAreas and listBusinessUnits).
 * @throws PorticoError 403 without manageUsers; ValidationError
 */
export async function listUnits(kind: UnitKind, scope: Scope, input: ListUnitsRequest): Promise<ListUnitsResponse> {
  mustManageUsers(scope.actor);
  const page = readPaging<SortKey>(scope, kind.operation, input, [input.nameFilter]);
  const parameters = new Parameters([scope.db.tenantId]);
  const where = ['t.tenant_id = $1'];
  const name = normaliseText(input.nameFilter ?? '').trim();
  if (name !== '') where.push(`t.name_key LIKE ${parameters.add(likePattern(name))}`);
  const { rows, ...paging } = await readPage<ListedUnit>(
    scope.db,
    page,
    {
      select: `t.id, t.name, t.external_id AS "externalId", t.description, t.version,
            (SELECT count(*) FROM users u WHERE u.tenant_id = $1 AND u.${kind.column} = t.id AND u.deleted_at IS NULL) AS users`,
      from: `${kind.table} t`,
      where,
      order: [
        { sql: 't.name_key', desc: false, type: 'text' },
        { sql: 't.id', desc: false, type: 'bigint' },
      ],
    },
    parameters,
  );
  return {
    items: rows.map((row) => ({
      id: row.id,
      name: row.name,
      externalId: row.externalId ?? undefined,
      description: row.description ?? undefined,
      usersCount: row.users,
      occToken: row.version,
    })),
    ...paging,
  };
}

/**
 * Makes a unit (operations createArea and createBusinessUnit).
 * @throws PorticoError 403 without manageUsers; ValidationError
 */
export async function createUnit(
  { table }: UnitKind,
  scope: Scope,
  input: CreateUnitRequest,
): Promise<CreateUnitResponse> {
  return writeTransaction(scope, 'none', async (write) => {
    mustManageUsers(write.actor);
    await lockUnits(write.tx);
    const errors = new FieldErrors(write.missing);
    const unit = await readUnit(write.tx, table, input, null, errors);
    errors.throwIfAny();
    const [id] = await insertUnits(write.tx, table, [unit], { by: write.actor.userId, at: write.now });
    return { id: id!, nextOccToken: 1 };
  });
}

/**
 * Replaces the settings of a unit (operations editArea and editBusinessUnit).
 * @throws PorticoError 403 without manageUsers, 404, CONFLICT_STALE_TOKEN; ValidationError
 */
export async function editUnit(
  { table }: UnitKind,
  scope: Scope,
  id: number,
  input: EditUnitRequest,
): Promise<EditUnitResponse> {
  return writeTransaction(scope, 'none', async (write) => {
    mustManageUsers(write.actor);
    await lockUnits(write.tx);
    const current = await currentUnit(write, table, id);
    if (input.occToken !== undefined && input.occToken !== current.version) throw await staleToken(write.tx, current);
    const errors = new FieldErrors(write.missing);
    const unit = await readUnit(write.tx, table, input, id, errors);
    errors.throwIfAny();
    await updateUnit(write.tx, table, id, unit, { by: write.actor.userId, at: write.now });
    return { nextOccToken: current.version + 1 };
  });
}

/**
 * Deletes a unit without people (operations deleteArea and deleteBusinessUnit). Removes deleted
 * users from it.
 * @throws PorticoError 403 without manageUsers, 404, CONFLICT with people
 */
export async function deleteUnit({ table, column }: UnitKind, scope: Scope, id: number): Promise<void> {
  await writeTransaction(scope, 'none', async (write) => {
    mustManageUsers(write.actor);
    await lockUnits(write.tx);
    // Prevents that users are added to the unit.
    await currentUnit(write, table, id, 'FOR UPDATE');
    const [inside] = await write.tx.query<{ people: number }>(
      `SELECT count(*) AS people FROM users WHERE tenant_id = $1 AND ${column} = $2 AND deleted_at IS NULL`,
      [write.tx.tenantId, id],
    );
    if (inside!.people > 0)
      throw new PorticoError('CONFLICT', { message: `${inside!.people} people are in it; put them elsewhere first.` });
    await removeUnit(write.tx, table, column, id);
  });
}

/** Reads the fields of a unit. @param id the unit that is edited; null for a new one */
async function readUnit(
  tx: TenantExecutor,
  table: UnitTable,
  input: CreateUnitRequest,
  id: number | null,
  errors: FieldErrors,
) {
  const name = errors.required('name', input.name, maxLengths.name);
  const nameKey = normaliseText(name).trim();
  const externalId = errors.optional('externalId', input.externalId, maxLengths.externalId);
  const description = errors.optional('description', input.description, MAX_DESCRIPTION);
  const taken = await unitWith(tx, table, { nameKey, externalId }, id);
  if (taken.name) errors.add('name', 'DUPLICATE_VALUE', 'Another one has this name.');
  if (taken.externalId) errors.add('externalId', 'DUPLICATE_VALUE', 'Another one has this external id.');
  return { name, nameKey, externalId, description };
}

/** @throws PorticoError 404 */
async function currentUnit({ tx }: WriteScope, table: UnitTable, id: number, lock = ''): Promise<LastChange> {
  const [unit] = await tx.query<LastChange>(
    `SELECT version, modified_at AS "modifiedAt", modifier_id AS "modifierId"
       FROM ${table} WHERE tenant_id = $1 AND id = $2 ${lock}`,
    [tx.tenantId, id],
  );
  if (!unit) throw notFound();
  return unit;
}
