/**
 * Common first steps of changes of a definition: lock the community, and refuse to delete data of
 * posts.
 */

import { definitionLimits } from '@portico/contract';
import type { WriteScope } from '../../../kernel/access/index.ts';
import { FieldErrors, notFound } from '../../../kernel/errors.ts';
import { requireFields } from '../../../kernel/missing-fields.ts';
import { sqlColumns } from '../../columns.ts';
import {
  type CommunityDefinition,
  communitiesOf,
  type FieldDefinition,
  type FieldPlace,
  type Held,
  loadDefinition,
  readCommunityHead,
  refuseStaleCommunity,
  refuseWhileChanging,
  requireCommunityEditor,
  requireDefinitionRight,
} from '../../communities/index.ts';

const v = sqlColumns('post_values', 'v');
const posts = sqlColumns('posts');
const p = sqlColumns('posts', 'p');

interface OpenDefinition {
  readonly definition: CommunityDefinition;
  /** Token of the community before the change. */
  readonly etag: number;
}

/**
 * Locks a community, and compares the token.
 * @throws PorticoError NOT_FOUND, FORBIDDEN, CONFLICT_STALE_TOKEN, CONFLICT while another change
 * goes over posts; ValidationError
 */
export async function openDefinition(
  write: WriteScope,
  communityId: number,
  occToken: number | undefined,
): Promise<OpenDefinition> {
  requireCommunityEditor(write.actor, communityId);
  const head = await readCommunityHead(write.tx, communityId);
  const definition = await loadDefinition(write.tx, communityId);
  if (!head || !definition) throw notFound();
  if (occToken === undefined) requireFields(write);
  if (occToken !== head.etag) await refuseStaleCommunity(write.tx, communityId);
  await refuseWhileChanging(write.tx, [communityId]);
  return { definition, etag: head.etag };
}

/** A field of posts or screens, with its place and the communities whose posts may hold it. */
export interface OpenField extends OpenDefinition {
  readonly field: FieldDefinition;
  readonly place: FieldPlace;
  /** Fields of the same form. */
  readonly form: readonly FieldDefinition[];
  readonly communityIds: readonly number[];
}

/** @throws as {@link openDefinition} */
export async function openField(
  write: WriteScope,
  communityId: number,
  fieldId: number,
  occToken: number | undefined,
): Promise<OpenField> {
  const { definition, etag } = await openDefinition(write, communityId, occToken);
  const { workflow } = definition;
  const own = definition.fieldById.get(fieldId);
  const field = own ?? workflow?.fieldById.get(fieldId);
  if (!field) throw notFound();
  const communityIds = await communitiesOf(write, own ? { communityId } : { workflowId: workflow!.id });
  requireDefinitionRight(write.actor, communityIds);
  await refuseWhileChanging(write.tx, communityIds);
  const form = own ? definition.fields : workflow!.fields;
  return { definition, etag, field, place: own ? 'post' : 'screen', form, communityIds };
}

/** @throws ValidationError where conditions, transitions or child fields depend on the field */
export function refuseDependants({ definition, field, form }: OpenField): void {
  const errors = new FieldErrors();
  const refuse = (defaultMessage: string) => errors.add('fieldId', 'INVALID_VALUE', defaultMessage);
  for (const other of form) {
    if (other.parentId === field.id) refuse(`The field "${other.label}" depends on its values.`);
    if (other.conditions.some(({ fieldId }) => fieldId === field.id))
      refuse(`Conditions of the field "${other.label}" name it.`);
  }
  for (const transition of definition.workflow?.transitions ?? []) {
    const named = [
      ...transition.fieldIds,
      ...transition.conditions.map(({ fieldId }) => fieldId),
      ...transition.sets.map(({ fieldId }) => fieldId),
    ];
    if (named.includes(field.id)) refuse(`The transition "${transition.name}" names it.`);
  }
  for (const state of definition.workflow?.states ?? [])
    if (!state.deleted && state.editFieldIds.includes(field.id)) refuse(`The state "${state.name}" names it.`);
  errors.throwIfAny();
}

/**
 * Counts the posts with a value of a field. Uses the index for fields by which lists filter or
 * order.
 * @param among only these values of a list
 */
export async function countHeld(
  { tx }: WriteScope,
  field: FieldDefinition,
  communityIds: readonly number[],
  among?: readonly number[],
): Promise<Held> {
  const most = definitionLimits.counted + 1;
  const indexed = field.searchable || field.sortable;
  const data = field.owner === 'post' ? 'custom_data' : 'screen_data';
  // Deleted posts have no rows in post_values; restored, they hold the value again.
  const rows = indexed
    ? `SELECT ${v.post_id} AS id FROM post_values v
        WHERE v.tenant_id = $1 AND ${v.field_id} = $2 AND NOT ${v.empty} AND ($4::bigint[] IS NULL OR ${v.ref} = ANY ($4))
       UNION ALL
       SELECT ${p.id} FROM posts p
        CROSS JOIN LATERAL jsonb_path_query(p.${data} -> $2::bigint::text, '$[*]') AS e (value)
        WHERE p.tenant_id = $1 AND ${p.community_id} = ANY ($3::bigint[]) AND NOT ${p.live} AND ${p.deleted_at} IS NOT NULL
          AND ($4::bigint[] IS NULL OR e.value IN (SELECT to_jsonb(i) FROM unnest($4::bigint[]) AS i))
          AND NOT EXISTS (SELECT FROM post_values v WHERE v.tenant_id = $1 AND ${v.field_id} = $2 AND ${v.post_id} = ${p.id})
       LIMIT ${most}`
    : `SELECT ${p.id} FROM posts p
        WHERE p.tenant_id = $1 AND ${p.community_id} = ANY ($3::bigint[]) AND p.${data} -> $2::bigint::text IS NOT NULL
          AND ($4::bigint[] IS NULL OR p.${data} -> $2::bigint::text @> ANY (SELECT to_jsonb(i) FROM unnest($4::bigint[]) AS i)) LIMIT ${most}`;
  const [row] = await tx.query<Held>(
    `SELECT count(DISTINCT h.id) AS posts, count(*) AS values,
            coalesce((array_agg(DISTINCT h.id))[1:20], '{}') AS examples FROM (${rows}) h`,
    [tx.tenantId, field.id, communityIds, among ?? null],
  );
  return row!;
}

/** Returns the posts of some communities if they are few enough for a change to process at once. */
export async function fewPosts({ tx }: WriteScope, communityIds: readonly number[]): Promise<number[] | undefined> {
  const rows = await tx.query<{ id: number }>(
    `SELECT ${posts.id} FROM posts WHERE tenant_id = $1 AND ${posts.community_id} = ANY ($2::bigint[]) LIMIT ${definitionLimits.postsAtOnce + 1}`,
    [tx.tenantId, communityIds],
  );
  return rows.length > definitionLimits.postsAtOnce ? undefined : rows.map(({ id }) => id);
}
