/** Takes parts of a definition that an import added out of use. */
import { writeTransaction } from '../../kernel/access/index.ts';
import type { Scope } from '../../kernel/scope.ts';
import { sqlColumns } from '../columns.ts';
import { requireDefinitionRight } from './communities.policy.ts';
import { changeDefinitions } from './definition-versions.ts';
import { retireField } from './field-changes.ts';
import { communitiesOf } from './field-rows.ts';

const p = sqlColumns('posts', 'p');

/** Ids of parts of a definition. */
interface MadeParts {
  readonly fields: readonly number[];
  readonly values: readonly number[];
  readonly states: readonly number[];
}

/** A part that stays, with the reason as a phrase. */
interface KeptPart {
  readonly kind: 'field' | 'value' | 'state';
  readonly name: string;
  readonly reason: string;
}

interface RetiredParts {
  /** Numbers of parts taken out of use. */
  readonly retired: { readonly fields: number; readonly values: number; readonly states: number };
  readonly kept: readonly KeptPart[];
}

interface Part {
  readonly id: number;
  readonly name: string;
  readonly reason: string | null;
}

/** A field is in use if a post that is not deleted has a value of it. */
const FIELDS = `SELECT f.id, f.label AS name,
    CASE WHEN EXISTS (SELECT FROM posts p WHERE p.tenant_id = $1 AND ${p.community_id} = $2 AND ${p.deleted_at} IS NULL
                        AND ${p.custom_data} ? f.id::text) THEN 'posts hold values of it'
         WHEN EXISTS (SELECT FROM fields c WHERE c.tenant_id = $1 AND c.parent_id = f.id AND NOT c.deleted
                        AND NOT c.id = ANY ($3::bigint[])) THEN 'another field is below it' END AS reason
  FROM fields f WHERE f.tenant_id = $1 AND f.community_id = $2 AND f.id = ANY ($3::bigint[]) AND NOT f.deleted ORDER BY f.id`;
const VALUES = `SELECT v.id, v.label AS name,
    CASE WHEN EXISTS (SELECT FROM posts p WHERE p.tenant_id = $1 AND ${p.community_id} = $2 AND ${p.deleted_at} IS NULL
                        AND ${p.custom_data} -> v.field_id::text @> to_jsonb(v.id)) THEN 'posts hold it' END AS reason
  FROM field_enum_values v JOIN fields f ON f.tenant_id = $1 AND f.id = v.field_id
 WHERE v.tenant_id = $1 AND f.community_id = $2 AND v.id = ANY ($3::bigint[]) AND NOT v.deleted AND NOT f.deleted ORDER BY v.id`;
const STATES = `SELECT s.id, s.name,
    CASE WHEN EXISTS (SELECT FROM posts p WHERE p.tenant_id = $1 AND ${p.state_id} = s.id AND ${p.deleted_at} IS NULL)
           THEN 'posts are in it'
         WHEN s.initial THEN 'posts that people write begin in it'
         WHEN EXISTS (SELECT FROM workflow_transitions t WHERE t.tenant_id = $1 AND s.id IN (t.from_state_id, t.to_state_id)
                        AND NOT t.deleted) THEN 'a transition leads from it or to it' END AS reason
  FROM workflow_states s JOIN communities c ON c.tenant_id = $1 AND c.id = $2 AND c.workflow_id = s.workflow_id
 WHERE s.tenant_id = $1 AND s.id = ANY ($3::bigint[]) AND NOT s.deleted ORDER BY s.id`;

/**
 * Takes the given unused fields, values and states out of use.
 * @throws PorticoError FORBIDDEN; CONFLICT while a change of the definition runs
 */
export async function retireParts(scope: Scope, communityId: number, made: MadeParts): Promise<RetiredParts> {
  return writeTransaction(scope, 'definitions', async (write) => {
    const { tx } = write;
    const own = await communitiesOf(write, { communityId });
    requireDefinitionRight(write.actor, own);
    const find = (sql: string, ids: readonly number[]) =>
      ids.length === 0 ? Promise.resolve([]) : tx.query<Part>(sql, [tx.tenantId, communityId, ids]);
    const fields = await find(FIELDS, made.fields);
    const states = await find(STATES, made.states);
    const values = await find(VALUES, made.values);
    const ids = (parts: readonly Part[]) => parts.flatMap(({ id, reason }) => (reason === null ? id : []));
    const kept = (kind: KeptPart['kind'], parts: readonly Part[]) =>
      parts.flatMap(({ name, reason }): KeptPart[] => (reason === null ? [] : [{ kind, name, reason }]));
    const retired = { fields: ids(fields), values: ids(values), states: ids(states) };
    if (Object.values(retired).some((some) => some.length > 0)) {
      const shared = retired.states.length === 0 ? own : await communitiesWith(write, communityId, own);
      await changeDefinitions(write, shared, async () => {
        for (const id of retired.fields) await retireField(write, id);
        await tx.send('UPDATE field_enum_values SET deleted = true WHERE tenant_id = $1 AND id = ANY ($2::bigint[])', [
          tx.tenantId,
          retired.values,
        ]);
        await tx.send('UPDATE workflow_states SET deleted = true WHERE tenant_id = $1 AND id = ANY ($2::bigint[])', [
          tx.tenantId,
          retired.states,
        ]);
      });
    }
    return {
      retired: { fields: retired.fields.length, values: retired.values.length, states: retired.states.length },
      kept: [...kept('field', fields), ...kept('state', states), ...kept('value', values)],
    };
  });
}

/** Returns the communities that share the workflow of a community. */
async function communitiesWith(
  write: Parameters<typeof communitiesOf>[0],
  communityId: number,
  own: number[],
): Promise<number[]> {
  const [row] = await write.tx.query<{ workflowId: number | null }>(
    'SELECT workflow_id AS "workflowId" FROM communities WHERE tenant_id = $1 AND id = $2',
    [write.tx.tenantId, communityId],
  );
  return row?.workflowId == null ? own : communitiesOf(write, { workflowId: row.workflowId });
}
