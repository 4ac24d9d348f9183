/**
 * Limits the number of values in the lists of all fields of a community: each response and version
 * of its definition contains them all.
 */
import { definitionLimits } from '@portico/contract';
import type { TenantTx } from '@portico/platform/db/tenant-db';
import { ValidationError } from '../../kernel/errors.ts';
import { type FieldOwner, ownerColumns } from './field-owner.ts';

/**
 * Counts the values of the fields of posts and screens in use, including values out of use. If
 * communities share the workflow, the largest count is returned.
 */
export async function countValues(tx: TenantTx, owner: FieldOwner): Promise<number> {
  const [row] = await tx.query<{ most: number }>(
    `SELECT max((SELECT count(*) FROM fields f JOIN field_enum_values v ON v.tenant_id = f.tenant_id AND v.field_id = f.id
                  WHERE f.tenant_id = $1 AND NOT f.deleted
                    AND (f.community_id = form.community_id OR f.workflow_id = form.workflow_id))) AS most
       FROM (SELECT id AS community_id, workflow_id FROM communities WHERE tenant_id = $1 AND (id = $2 OR workflow_id = $3)
             UNION ALL SELECT NULL, $3) form`,
    [tx.tenantId, ...ownerColumns(owner)],
  );
  return row!.most;
}

/**
 * Refuses values above the limit. Definitions are written under the lock of the tenant, so the
 * number holds until the commit.
 * @param field the input with the values  @param added number of values not yet written
 * @param before number of values before: a community above the limit keeps its values
 * @throws ValidationError
 */
export async function refuseTooManyValues(
  tx: TenantTx,
  owner: FieldOwner,
  field: string,
  added = 0,
  before = 0,
): Promise<void> {
  const limit = definitionLimits.values;
  const present = await countValues(tx, owner);
  if (present + added <= Math.max(limit, before)) return;
  const defaultMessage = `The lists of all fields of a community have at most ${limit} values together, those out of use included; these would be ${present + added}.`;
  throw new ValidationError([{ field, code: 'TOO_MANY_ITEMS', args: [limit], defaultMessage }]);
}
