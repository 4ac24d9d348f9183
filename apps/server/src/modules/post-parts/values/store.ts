/** Stores the rows that follow from custom data: typed values, texts, grants, search texts. */

import { AttachmentEntityType } from '@portico/contract';
import type { TenantTx } from '@portico/platform/db/tenant-db';
import { finishInTurns } from '@portico/platform/parts';
import { normaliseParts, normaliseText, searchDocumentParts } from '@portico/platform/text';
import { GrantSource, type WriteScope } from '../../../kernel/access/index.ts';
import { sqlColumns } from '../../columns.ts';
import { type CommunityDefinition, getDefinition, isRestricted } from '../../communities/index.ts';
import { entityKind, holdsText, type StoredValue, storedIds, textTypeOf } from '../../fields/index.ts';
import { addGrants, type NewGrant, removeGrants } from '../../records/index.ts';
import { type FieldRule, type FieldRules, fieldRules } from './field-rules.ts';
import { holdsPosts } from './references.ts';
import { extendsVisibility, isIndexed, type TextRow, textRow, type ValueRow, valueRows } from './rows.ts';

const a = sqlColumns('attachments', 'a');
const t = sqlColumns('file_texts', 't');
const postTexts = sqlColumns('post_texts');
const postValues = sqlColumns('post_values');
const postsColumns = sqlColumns('posts');
const p = sqlColumns('posts', 'p');

/** Rows of several posts, one array per column, as `unnest` takes them. */
class Columns {
  readonly fieldIds: number[] = [];
  readonly postIds: number[] = [];
  readonly ords: number[] = [];
  readonly empties: boolean[] = [];
  readonly bigs: (number | string | null)[] = [];
  readonly nums: (number | null)[] = [];
  readonly txts: (string | null)[] = [];
  readonly refs: (number | null)[] = [];
  /** Whether `ref` is a post. */
  readonly ofPosts: boolean[] = [];

  add(postId: number, row: ValueRow, ofPost: boolean): void {
    this.fieldIds.push(row.fieldId);
    this.postIds.push(postId);
    this.ords.push(row.ord);
    this.empties.push(row.empty);
    this.bigs.push(row.big);
    this.nums.push(row.num);
    this.txts.push(row.txt);
    this.refs.push(row.ref);
    this.ofPosts.push(ofPost && row.ref !== null);
  }
}

/** The values of one post to write. */
interface PostValues {
  postId: number;
  fields: readonly FieldRule[];
  stored: Readonly<Record<string, unknown>>;
  /** Whether the post is deleted: it has grants, but no rows that lists would read in vain. */
  deleted?: boolean;
}

/**
 * Inserts the rows of posts that have no rows for these fields yet. Sends one statement per table,
 * however many posts.
 */
export async function insertFieldValues(write: WriteScope, posts: readonly PostValues[]): Promise<void> {
  const columns = new Columns();
  const texts: (TextRow & { postId: number })[] = [];
  const grants: NewGrant[] = [];
  for (const { postId, fields, stored, deleted = false } of posts) {
    for (const field of fields) {
      const value = stored[String(field.id)] as StoredValue | undefined;
      const ofPost = holdsPosts(field);
      if (!deleted) {
        for (const row of valueRows(field, value)) columns.add(postId, row, ofPost);
        const text = await finishInTurns(textRow(field, value));
        if (text) texts.push({ ...text, postId });
      }
      if (!extendsVisibility(field)) continue;
      for (const principal of grantedPrincipals(field, value)) grants.push({ postId, principal, sourceId: field.id });
    }
  }
  const { tx } = write;
  if (columns.fieldIds.length > 0) {
    await tx.send(
      `INSERT INTO post_values (tenant_id, field_id, post_id, ord, empty, big, num, txt, ref, ref_community)
       SELECT a.tenant_id, v.field_id, v.post_id, v.ord, v.empty, v.big, v.num, v.txt, v.ref,
              CASE WHEN v.of_post THEN coalesce((SELECT ${p.community_id} FROM posts p WHERE p.tenant_id = $1 AND ${p.id} = v.ref), 0) END
         FROM tenant_versions a, unnest($2::bigint[], $3::bigint[], $4::smallint[], $5::boolean[], $6::bigint[], $7::double precision[], $8::text[],
              $9::bigint[], $10::boolean[]) AS v (field_id, post_id, ord, empty, big, num, txt, ref, of_post)
        WHERE a.tenant_id = $1`,
      [
        tx.tenantId,
        columns.fieldIds,
        columns.postIds,
        columns.ords,
        columns.empties,
        columns.bigs,
        columns.nums,
        columns.txts,
        columns.refs,
        columns.ofPosts,
      ],
    );
  }
  if (texts.length > 0) {
    await tx.send(
      `INSERT INTO post_texts (tenant_id, field_id, post_id, norm)
       SELECT a.tenant_id, t.* FROM tenant_versions a, unnest($2::bigint[], $3::bigint[], $4::text[]) AS t WHERE a.tenant_id = $1`,
      [tx.tenantId, texts.map((row) => row.fieldId), texts.map((row) => row.postId), texts.map((row) => row.norm)],
    );
  }
  await addGrants(write, GrantSource.FIELD, grants);
}

function grantedPrincipals(field: FieldRule, value: StoredValue | undefined): number[] {
  const kind = entityKind(field);
  if (kind === 'user') return storedIds(value);
  return kind === 'group' ? storedIds(value).map((id) => -id) : [];
}

/**
 * Rewrites the rows of the fields of one post whose values changed. The caller writes the post's
 * row itself (`custom_data` or `screen_data`), its search text ({@link refreshPostSearch}) and the
 * change row.
 * @param fields the fields that `stored` may hold
 * @returns whether grants were touched, so that the readers of the post may differ
 */
export async function writeFieldValues(
  write: WriteScope,
  postId: number,
  fields: readonly FieldRule[],
  stored: Readonly<Record<string, unknown>>,
  changedFieldIds: readonly number[],
): Promise<{ grantsTouched: boolean }> {
  const changed = fields.filter((field) => changedFieldIds.includes(field.id));
  if (changed.length === 0) return { grantsTouched: false };
  const { tx } = write;
  const parameters = [tx.tenantId, postId, changed.map((field) => field.id)];
  if (changed.some(isIndexed)) {
    await tx.send(
      `DELETE FROM post_values WHERE tenant_id = $1 AND ${postValues.post_id} = $2 AND ${postValues.field_id} = ANY ($3::bigint[])`,
      parameters,
    );
  }
  if (changed.some(holdsText)) {
    await tx.send(
      `DELETE FROM post_texts WHERE tenant_id = $1 AND ${postTexts.post_id} = $2 AND ${postTexts.field_id} = ANY ($3::bigint[])`,
      parameters,
    );
  }
  const grantsTouched = changed.some(extendsVisibility);
  if (grantsTouched)
    await removeGrants(write, GrantSource.FIELD, postId, { sourceIds: changed.map((field) => field.id) });
  await insertFieldValues(write, [{ postId, fields: changed, stored }]);
  return { grantsTouched };
}

/** Deletes the value rows and texts of a post that is deleted, which lists would read in vain; grants stay. */
export async function deleteFieldValues({ tx }: WriteScope, postId: number): Promise<void> {
  const parameters = [tx.tenantId, postId];
  await tx.send(`DELETE FROM post_values WHERE tenant_id = $1 AND ${postValues.post_id} = $2`, parameters);
  await tx.send(`DELETE FROM post_texts WHERE tenant_id = $1 AND ${postTexts.post_id} = $2`, parameters);
}

/**
 * Writes the value rows and texts of a post that is restored.
 * @param data custom data and screen data of the post
 */
export async function restoreFieldValues(
  write: WriteScope,
  postId: number,
  definition: CommunityDefinition,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  // Version 0.2.0 kept the rows of deleted posts.
  await deleteFieldValues(write, postId);
  const { post, screen } = fieldRules(definition);
  await insertFieldValues(write, [{ postId, fields: [...post, ...screen], stored: data }]);
}

/** Sources of the search row of a post. */
interface SearchSource {
  title: string | null;
  descriptionText: string | null;
  customData: Readonly<Record<string, unknown>>;
  screenData: Readonly<Record<string, unknown>>;
  /** Texts of attached documents. */
  documents?: readonly string[];
}

/**
 * Builds the three texts of `post_search`. `title` and `description` are `normaliseText` of the
 * whole text, for substrings (`LIKE likePattern(normaliseText(x))`); `doc` is `searchDocument` of
 * title, description and every text field of custom and screen data that everybody sees, in the
 * order of the fields, for `searchTerms`. Works in parts, since texts may be long.
 */
export function* searchTexts(
  source: SearchSource,
  rules: FieldRules,
): Generator<void, { title: string; description: string; doc: string }> {
  const title = source.title ?? '';
  const description = source.descriptionText ?? '';
  const parts = [title, description];
  for (const [fields, data] of [
    [rules.post, source.customData],
    [rules.screen, source.screenData],
  ] as const) {
    for (const field of fields) {
      const value = data[String(field.id)] as StoredValue | undefined;
      const type = textTypeOf(field);
      if (value !== undefined && type && !isRestricted(field)) parts.push(type.plainText(value));
    }
  }
  return {
    title: normaliseText(title),
    description: yield* normaliseParts(description),
    doc: yield* searchDocumentParts([...parts, ...(source.documents ?? [])]),
  };
}

/** Rebuilds the search row of a post from its present title, text and values. */
export async function refreshPostSearch(write: WriteScope, postId: number): Promise<void> {
  const { tx } = write;
  const [post] = await tx.query<SearchSource & { communityId: number }>(
    `SELECT ${postsColumns.title}, ${postsColumns.description_text} AS "descriptionText", ${postsColumns.custom_data} AS "customData", ${postsColumns.screen_data} AS "screenData",
            ${postsColumns.community_id} AS "communityId"
       FROM posts WHERE tenant_id = $1 AND ${postsColumns.id} = $2`,
    [tx.tenantId, postId],
  );
  const definition = post && (await getDefinition(write, post.communityId));
  if (!definition) throw new Error(`post ${postId} is not there to be searched`);
  const source = { ...post, documents: await documentTexts(tx, postId) };
  const texts = await finishInTurns(searchTexts(source, fieldRules(definition)));
  await storeSearchTexts(write, [{ postId, communityId: post.communityId, ...texts }]);
}

/** Sources of the search row that an edit may change. */
type Searched = Pick<SearchSource, 'title' | 'descriptionText' | 'customData'>;

/** Texts of a post that an edit replaces, as {@link searchTexts} takes them. */
function changedTexts(
  before: Searched,
  after: Searched,
  definition: CommunityDefinition,
  changedFieldIds: readonly number[],
): [before: string, after: string][] {
  const texts: [string, string][] = [
    [before.title ?? '', after.title ?? ''],
    [before.descriptionText ?? '', after.descriptionText ?? ''],
  ];
  for (const field of fieldRules(definition).post) {
    const type = textTypeOf(field);
    if (!type || !changedFieldIds.includes(field.id) || isRestricted(field)) continue;
    const plain = ({ customData }: Searched) => {
      const value = customData[String(field.id)] as StoredValue | undefined;
      return value === undefined ? '' : type.plainText(value);
    };
    texts.push([plain(before), plain(after)]);
  }
  return texts.filter(([old, fresh]) => old !== fresh);
}

/**
 * Updates the search row of an edited post. When one text became another, only its line is
 * replaced, so that the edit costs only the change; otherwise the row is rebuilt.
 */
export async function refreshChangedSearch(
  write: WriteScope,
  before: Searched & { id: number },
  after: Searched,
  definition: CommunityDefinition,
  changedFieldIds: readonly number[],
): Promise<void> {
  const texts = changedTexts(before, after, definition, changedFieldIds);
  const [only] = texts;
  if (!only) return;
  if (texts.length > 1 || !(await replaceLine(write, before, after, only))) await refreshPostSearch(write, before.id);
}

/** @returns false when the text has, or had, no line of its own */
async function replaceLine(
  { tx }: WriteScope,
  before: Searched & { id: number },
  after: Searched,
  [oldText, newText]: readonly [string, string],
): Promise<boolean> {
  const [oldLine, newLine] = [
    await finishInTurns(searchDocumentParts([oldText])),
    await finishInTurns(searchDocumentParts([newText])),
  ];
  if (oldLine === '' || newLine === '') return false;
  const description = before.descriptionText !== after.descriptionText;
  const place = `strpos(E'\\n' || doc || E'\\n', E'\\n' || $3::text || E'\\n')`;
  const count = await tx.execute(
    `UPDATE post_search
        SET title = $5, description = CASE WHEN $6 THEN $7 ELSE description END,
            doc = overlay(doc PLACING $4::text FROM ${place} FOR length($3::text))
      WHERE tenant_id = $1 AND post_id = $2 AND ${place} > 0`,
    [
      tx.tenantId,
      before.id,
      oldLine,
      newLine,
      normaliseText(after.title ?? ''),
      description,
      description ? await finishInTurns(normaliseParts(after.descriptionText ?? '')) : '',
    ],
  );
  return count === 1;
}

/** Maximum length of the text of documents in the search of one post. UTF-16 units. */
const MAX_DOCUMENTS_LENGTH = 1_000_000;

/**
 * Returns texts of the documents on a post and its tasks. Documents of comments are excluded,
 * because not every reader of the post sees them.
 */
async function documentTexts(tx: TenantTx, postId: number): Promise<string[]> {
  const rows = await tx.query<{ text: string }>(
    `SELECT ${t.text} FROM attachments a JOIN file_texts t ON t.tenant_id = a.tenant_id AND ${t.content_ref} = ${a.content_ref}
      WHERE a.tenant_id = $1 AND ${a.post_id} = $2 AND ${a.deleted_at} IS NULL AND ${a.entity_type} <> ${AttachmentEntityType.COMMENT} ORDER BY ${a.id}`,
    [tx.tenantId, postId],
  );
  let left = MAX_DOCUMENTS_LENGTH;
  return rows.map(({ text }) => {
    const kept = text.slice(0, Math.max(0, left));
    left -= kept.length;
    return kept;
  });
}

/** Writes search rows, new or not, in one statement. */
export async function storeSearchTexts(
  write: WriteScope,
  rows: readonly { postId: number; communityId: number; title: string; description: string; doc: string }[],
): Promise<void> {
  await write.tx.send(
    `INSERT INTO post_search (tenant_id, post_id, community_id, title, description, doc)
     SELECT a.tenant_id, s.* FROM tenant_versions a, unnest($2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[]) AS s
      WHERE a.tenant_id = $1
     ON CONFLICT (tenant_id, post_id) DO UPDATE
       SET community_id = excluded.community_id, title = excluded.title, description = excluded.description, doc = excluded.doc`,
    [
      write.tx.tenantId,
      rows.map((row) => row.postId),
      rows.map((row) => row.communityId),
      rows.map((row) => row.title),
      rows.map((row) => row.description),
      rows.map((row) => row.doc),
    ],
  );
}
