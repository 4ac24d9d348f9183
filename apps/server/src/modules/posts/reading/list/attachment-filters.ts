/**
 * Filters on attachments (contract: CommunityAttachmentFilters): a post matches if one of its
 * attachments passes all of them. `types` and `entityTypes` have defaults, which apply only beside
 * another filter on attachments (docs/decisions/lists.md).
 */
import { AttachmentEntityType, AttachmentType, type CommunityAttachmentFilters } from '@portico/contract';
import { escapeLike, sortKey } from '@portico/platform/text';
import { knownGroupsSql } from '../../../../kernel/access/index.ts';
import { kindsOfCategory, mimePatternsOfKinds } from '../../../../kernel/media-families.ts';
import type { Actor } from '../../../../kernel/scope.ts';
import { sqlColumns } from '../../../columns.ts';
import { type Condition, given, hasAllHashtags, rowCondition, type Statement, withRarestHashtag } from './statement.ts';

const h = sqlColumns('attachment_hashtags', 'h');
const m = sqlColumns('group_members', 'm');

type Test = (a: string, sql: Statement) => string;

/** A filter on a file-picker field can match only files of such fields. */
function usualEntityType(filters: CommunityAttachmentFilters): AttachmentEntityType {
  if (filters.postFilePickerFieldId !== undefined) return AttachmentEntityType.POST_FILE_PICKER;
  if (filters.wfScreenFilePickerFieldId !== undefined) return AttachmentEntityType.SCREEN_FILE_PICKER;
  return AttachmentEntityType.POST;
}

/**
 * Returns the condition of a set of attachment filters, or undefined when it filters nothing.
 * @param seesComments false where the community hides comments from the caller: files of comments
 *   then do not match (docs/decisions/people.md)
 */
export function attachmentCondition(
  filters: CommunityAttachmentFilters | undefined,
  actor: Actor,
  seesComments: boolean,
): Condition | undefined {
  if (!filters) return undefined;
  const tests = [...attachmentTests(filters, actor)];
  const types = filters.types ?? [];
  const entityTypes = filters.entityTypes ?? [];
  if (tests.length === 0 && types.length === 0 && entityTypes.length === 0) return undefined;
  const kept = types.length > 0 ? types : [AttachmentType.STORAGE];
  const entities = entityTypes.length > 0 ? entityTypes : [usualEntityType(filters)];
  tests.push((a, sql) => `${a}.type = ANY (${sql.add(kept)}::smallint[])`);
  tests.push((a, sql) => `${a}.entity_type = ANY (${sql.add(entities)}::smallint[])`);
  if (!seesComments) tests.push((a) => `${a}.entity_type <> ${AttachmentEntityType.COMMENT}`);
  return rowCondition(
    JSON.stringify(['attachments', filters, seesComments]),
    'attachments',
    (a, sql) => [`${a}.deleted_at IS NULL`, ...tests.map((test) => test(a, sql))].join(' AND '),
    { ownCommunity: true, narrow: (a) => `${a}.community_id = $2` },
  );
}

function* attachmentTests(filters: CommunityAttachmentFilters, actor: Actor): Generator<Test> {
  const { name, mimeTypes, mimeTypeCategory } = filters;
  if (name) yield (a, sql) => `${a}.name_key LIKE ${sql.text(`%${escapeLike(sortKey(name))}%`)}`;
  for (const ids of [
    filters.createdByUserId === undefined ? undefined : [filters.createdByUserId],
    filters.createdByUserIds,
  ]) {
    if (given(ids)) yield (a, sql) => `${a}.creator_id = ANY (${sql.bigints(ids)})`;
  }
  const groups = filters.createdByGroupIds;
  if (given(groups)) {
    yield (a, sql) =>
      `EXISTS (SELECT FROM group_members m WHERE m.tenant_id = $1 AND ${m.user_id} = ${a}.creator_id AND ${m.group_id} = ANY (${knownGroupsSql(sql.bigints(groups), actor, sql)}))`;
  }
  if (given(mimeTypes)) {
    yield (a, sql) => `${a}.mime_type LIKE ANY (${sql.add(mimePatternsOfKinds(mimeTypes))}::text[])`;
  }
  if (mimeTypeCategory !== undefined) {
    yield (a, sql) => `${a}.kind = ANY (${sql.add(kindsOfCategory(mimeTypeCategory))}::smallint[])`;
  }
  if (filters.excludeFilePickers) {
    yield (a) =>
      `${a}.entity_type NOT IN (${AttachmentEntityType.POST_FILE_PICKER}, ${AttachmentEntityType.SCREEN_FILE_PICKER})`;
  }
  yield* timeTests('created_at', filters.creationTimestampFrom, filters.creationTimestampTo);
  yield* timeTests('modified_at', filters.modifiedTimestampFrom, filters.modifiedTimestampTo);
  const { modifiedByUserId, postFilePickerFieldId, wfScreenFilePickerFieldId } = filters;
  if (modifiedByUserId !== undefined) yield (a, sql) => `${a}.modifier_id = ${sql.bigint(modifiedByUserId)}`;
  if (postFilePickerFieldId !== undefined) yield (a, sql) => `${a}.field_id = ${sql.bigint(postFilePickerFieldId)}`;
  if (wfScreenFilePickerFieldId !== undefined)
    yield (a, sql) => `${a}.field_id = ${sql.bigint(wfScreenFilePickerFieldId)}`;
  const hashtags = filters.hashtagIds;
  if (!given(hashtags)) return;
  const distinct = [...new Set(hashtags)];
  const of = { table: 'attachment_hashtags', entityColumn: 'attachment_id' } as const;
  const all = filters.hashtagsLogicalAnd && distinct.length > 1;
  const tagged = (sql: Statement) =>
    all
      ? `${withRarestHashtag(of, distinct, sql)} AND ${hasAllHashtags(of, 'x.attachment_id', distinct, sql)}`
      : `SELECT ${h.attachment_id} FROM attachment_hashtags h WHERE h.tenant_id = $1 AND ${h.hashtag_id} = ANY (${sql.bigints(distinct)})`;
  yield (a, sql) => `${a}.id IN (${tagged(sql)})`;
}

function* timeTests(column: string, from: number | undefined, to: number | undefined): Generator<Test> {
  if (from !== undefined) yield (a, sql) => `${a}.${column} >= ${sql.time(from)}`;
  if (to !== undefined) yield (a, sql) => `${a}.${column} <= ${sql.time(to)}`;
}
