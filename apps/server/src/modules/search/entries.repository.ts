/** Rows of the search index, and the objects that they are made of. */
import type { TenantExecutor, TenantTx } from '@portico/platform/db/tenant-db';

/** Kinds of entries (column `kind`). */
export const EntryKind = { POST: 1, COMMENT: 2, TASK: 3, FILE: 4 } as const;
export type EntryKind = (typeof EntryKind)[keyof typeof EntryKind];

/** An object of a live post that has, or should have, an entry. */
export interface Source {
  kind: EntryKind;
  id: number;
  postId: number;
  communityId: number;
  authorId: number;
  /** Epoch milliseconds. */
  at: number;
  ofComment: boolean;
  /** File fields have one: whoever does not see the field does not see its files. */
  fieldId: number | null;
  /** Digest of everything that the entry is made of. */
  stamp: string;
  /** Bytes of its texts. */
  size: number;
}

/** Texts of an object. */
export interface SourceTexts {
  kind: EntryKind;
  id: number;
  title: string | null;
  text: string | null;
  postTitle: string | null;
  customData: Readonly<Record<string, unknown>> | null;
  screenData: Readonly<Record<string, unknown>> | null;
}

/** Longer texts of comments and tasks have the version of the object in their stamp: their digest would take long. */
const LONG_TEXT = 100_000;
const stampedText = (table: string, text: string) =>
  `CASE WHEN octet_length(${text}) > ${LONG_TEXT} THEN concat_ws(' ', ${table}.version, octet_length(${text})) ELSE ${text} END`;

const POST_SIZE = 'octet_length(concat(p.description_text, p.custom_data, p.screen_data))';
const POST = `SELECT ${EntryKind.POST} AS kind, p.id, p.id AS post_id, p.creator_id AS author_id, p.modified_at AS at,
       false AS of_comment, NULL::bigint AS field_id,
       md5(concat_ws(' ', p.title, p.description_text, p.custom_data, p.screen_data)) AS stamp,
       ${POST_SIZE} AS size FROM posts p WHERE p.tenant_id = $1`;
const COMMENT = `SELECT ${EntryKind.COMMENT} AS kind, c.id, c.post_id, c.creator_id AS author_id, c.created_at AS at,
       true AS of_comment, NULL::bigint AS field_id, md5(${stampedText('c', 'c.plain')}) AS stamp, octet_length(c.plain) AS size
  FROM comments c WHERE c.tenant_id = $1 AND c.deleted_at IS NULL AND c.field_info IS NULL`;
const TASK = `SELECT ${EntryKind.TASK} AS kind, t.id, t.post_id, t.creator_id AS author_id, t.modified_at AS at,
       false AS of_comment, NULL::bigint AS field_id,
       md5(concat_ws(' ', t.title, ${stampedText('t', 't.description_text')}, (SELECT string_agg(s.description, ' ' ORDER BY s.position, s.id)
         FROM sub_tasks s WHERE s.tenant_id = $1 AND s.task_id = t.id))) AS stamp,
       coalesce(octet_length(t.description_text), 0) AS size
  FROM tasks t WHERE t.tenant_id = $1 AND t.deleted_at IS NULL`;
const FILE = `SELECT ${EntryKind.FILE} AS kind, f.id, f.post_id, f.creator_id AS author_id, f.created_at AS at,
       f.comment_id IS NOT NULL AS of_comment, f.field_id,
       md5(concat_ws(' ', f.name, f.content_ref, (SELECT o.text_state FROM file_contents o
         WHERE o.tenant_id = $1 AND o.content_ref = f.content_ref))) AS stamp,
       coalesce((SELECT octet_length(x.text) FROM file_texts x WHERE x.tenant_id = $1 AND x.content_ref = f.content_ref), 0) AS size
  FROM attachments f WHERE f.tenant_id = $1 AND f.deleted_at IS NULL`;

/** Returns the objects of live posts, all kinds. */
export function findSources(db: TenantExecutor, postIds: readonly number[]): Promise<Source[]> {
  const of = (select: string, column: string) => `${select} AND ${column} = ANY ($2::bigint[])`;
  // Materialized: a join in a loop would compute the digests once for each post.
  return db.query<Source>(
    `WITH o AS MATERIALIZED (${of(POST, 'p.id')} UNION ALL ${of(COMMENT, 'c.post_id')}
       UNION ALL ${of(TASK, 't.post_id')} UNION ALL ${of(FILE, 'f.post_id')})
     SELECT o.kind, o.id, o.post_id AS "postId", p.community_id AS "communityId", o.author_id AS "authorId", o.at,
            o.of_comment AS "ofComment", o.field_id AS "fieldId",
            md5(concat_ws(' ', o.stamp, p.community_id, o.author_id, o.at, p.title)) AS stamp, o.size
       FROM posts p JOIN o ON o.post_id = p.id
      WHERE p.tenant_id = $1 AND p.id = ANY ($2::bigint[]) AND p.live`,
    [db.tenantId, postIds],
  );
}

/** Returns the sizes of the texts of objects in bytes, in their order; the text of a file counts with a part of it. */
export async function sizesOf(
  db: TenantExecutor,
  objects: readonly { kind: EntryKind; id: number }[],
  fileLength: number,
): Promise<number[]> {
  if (objects.length === 0) return [];
  const rows = await db.query<{ size: number }>(
    `SELECT coalesce(CASE o.kind
         WHEN ${EntryKind.POST} THEN (SELECT ${POST_SIZE} FROM posts p WHERE p.tenant_id = $1 AND p.id = o.id)
         WHEN ${EntryKind.COMMENT} THEN (SELECT octet_length(c.plain) FROM comments c WHERE c.tenant_id = $1 AND c.id = o.id)
         WHEN ${EntryKind.TASK} THEN (SELECT octet_length(t.description_text) FROM tasks t WHERE t.tenant_id = $1 AND t.id = o.id)
         ELSE (SELECT least(octet_length(x.text), $4) FROM attachments f JOIN file_texts x ON x.tenant_id = $1 AND x.content_ref = f.content_ref
                WHERE f.tenant_id = $1 AND f.id = o.id) END, 0) AS size
       FROM tenant_versions a, unnest($2::smallint[], $3::bigint[]) WITH ORDINALITY AS o (kind, id, at)
      WHERE a.tenant_id = $1 ORDER BY o.at`,
    [db.tenantId, objects.map(({ kind }) => kind), objects.map(({ id }) => id), 4 * fileLength],
  );
  return rows.map(({ size }) => size);
}

/** Texts of a file beyond this length are not searched, in characters. */
const LONGEST_FILE_TEXT = 1_000_000;
const TEXTS: Readonly<Record<EntryKind, string>> = {
  [EntryKind.POST]: `SELECT ${EntryKind.POST} AS kind, p.id, p.title, p.description_text AS text, NULL AS "postTitle",
            p.custom_data AS "customData", p.screen_data AS "screenData"
       FROM posts p WHERE p.tenant_id = $1 AND p.id = ANY ($2::bigint[])`,
  [EntryKind.COMMENT]: `SELECT ${EntryKind.COMMENT} AS kind, c.id, NULL AS title, c.plain AS text, p.title AS "postTitle",
            NULL AS "customData", NULL AS "screenData"
       FROM comments c JOIN posts p ON p.tenant_id = c.tenant_id AND p.id = c.post_id
      WHERE c.tenant_id = $1 AND c.id = ANY ($2::bigint[]) AND c.deleted_at IS NULL`,
  [EntryKind.TASK]: `SELECT ${EntryKind.TASK} AS kind, t.id, t.title, concat_ws(E'\\n', t.description_text,
              (SELECT string_agg(s.description, E'\\n' ORDER BY s.position, s.id) FROM sub_tasks s
                WHERE s.tenant_id = $1 AND s.task_id = t.id)) AS text, p.title AS "postTitle",
            NULL AS "customData", NULL AS "screenData"
       FROM tasks t JOIN posts p ON p.tenant_id = t.tenant_id AND p.id = t.post_id
      WHERE t.tenant_id = $1 AND t.id = ANY ($2::bigint[]) AND t.deleted_at IS NULL`,
  [EntryKind.FILE]: `SELECT ${EntryKind.FILE} AS kind, f.id, f.name AS title,
            (SELECT left(x.text, $3) FROM file_texts x WHERE x.tenant_id = $1 AND x.content_ref = f.content_ref) AS text,
            p.title AS "postTitle", NULL AS "customData", NULL AS "screenData"
       FROM attachments f JOIN posts p ON p.tenant_id = f.tenant_id AND p.id = f.post_id
      WHERE f.tenant_id = $1 AND f.id = ANY ($2::bigint[]) AND f.deleted_at IS NULL`,
};

/**
 * Reads the texts of objects that are not deleted, one statement for each kind among them.
 * @param fileLength characters of the texts of files
 */
export async function readTexts(
  db: TenantExecutor,
  objects: readonly { kind: EntryKind; id: number }[],
  fileLength = LONGEST_FILE_TEXT,
): Promise<SourceTexts[]> {
  const byKind = [...Map.groupBy(objects, ({ kind }) => kind)];
  const found = await db.pipeline((line) =>
    Promise.all(
      byKind.map(([kind, some]) =>
        line.query<SourceTexts>(TEXTS[kind], [
          db.tenantId,
          some.map(({ id }) => id),
          ...(kind === EntryKind.FILE ? [fileLength] : []),
        ]),
      ),
    ),
  );
  return found.flat();
}

/** An entry as it is. */
interface Entry {
  kind: EntryKind;
  id: number;
  stamp: string;
  /** Number of its lexemes. */
  size: number;
}

/** Returns the entries of posts. */
export function findEntries(db: TenantExecutor, postIds: readonly number[]): Promise<Entry[]> {
  return db.query<Entry>(
    `SELECT kind, object_id AS id, stamp, length(words) AS size FROM search_entries WHERE tenant_id = $1 AND post_id = ANY ($2::bigint[])`,
    [db.tenantId, postIds],
  );
}

/** Deletes entries. @returns their distinct words, without stems */
export async function removeEntries(
  tx: TenantTx,
  entries: readonly { kind: EntryKind; id: number }[],
): Promise<string[]> {
  if (entries.length === 0) return [];
  const rows = await tx.query<{ words: string[] }>(
    `DELETE FROM search_entries e USING unnest($2::smallint[], $3::bigint[]) AS o (kind, id)
      WHERE e.tenant_id = $1 AND e.kind = o.kind AND e.object_id = o.id
      RETURNING tsvector_to_array(e.words) AS words`,
    [tx.tenantId, entries.map(({ kind }) => kind), entries.map(({ id }) => id)],
  );
  return [...new Set(rows.flatMap(({ words }) => words.filter((word) => !word.includes('='))))];
}

/** Inserts entries. @param words a `tsvector` as text, one for each */
export async function insertEntries(tx: TenantTx, sources: readonly Source[], words: readonly string[]): Promise<void> {
  if (sources.length === 0) return;
  await tx.send(
    `INSERT INTO search_entries (tenant_id, kind, object_id, post_id, community_id, author_id, at, of_comment, stamp, words)
     SELECT a.tenant_id, s.kind, s.id, s.post_id, s.community_id, s.author_id, s.at, s.of_comment, s.stamp, s.words::tsvector
       FROM tenant_versions a, unnest($2::smallint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[],
              $7::timestamptz[], $8::boolean[], $9::text[], $10::text[])
              AS s (kind, id, post_id, community_id, author_id, at, of_comment, stamp, words)
      WHERE a.tenant_id = $1`,
    [
      tx.tenantId,
      sources.map(({ kind }) => kind),
      sources.map(({ id }) => id),
      sources.map(({ postId }) => postId),
      sources.map(({ communityId }) => communityId),
      sources.map(({ authorId }) => authorId),
      sources.map(({ at }) => new Date(at)),
      sources.map(({ ofComment }) => ofComment),
      sources.map(({ stamp }) => stamp),
      words,
    ],
  );
}

/** Words of a statement that changes the distinct words. */
const SOME_WORDS = 5_000;

function* portionsOf(words: readonly string[]): Generator<string[]> {
  for (let at = 0; at < words.length; at += SOME_WORDS) yield words.slice(at, at + SOME_WORDS);
}

/** Adds words to the distinct words of the tenant. */
export async function addWords(tx: TenantTx, words: readonly string[]): Promise<void> {
  for (const some of portionsOf(words)) {
    await tx.send(
      `INSERT INTO search_words (tenant_id, word)
       SELECT a.tenant_id, w.word FROM tenant_versions a, unnest($2::text[]) AS w (word) WHERE a.tenant_id = $1
       ON CONFLICT DO NOTHING`,
      [tx.tenantId, some],
    );
  }
}

/** Removes words that no entry has any more. */
export async function removeUnusedWords(tx: TenantTx, words: readonly string[]): Promise<void> {
  for (const some of portionsOf(words)) await removeUnused(tx, some);
}

async function removeUnused(tx: TenantTx, words: readonly string[]): Promise<void> {
  // Through the view, whose conditions may use the index of words.
  const rows = await tx.query<{ word: string }>(
    `SELECT w.word FROM unnest($2::text[]) AS w (word) WHERE NOT EXISTS (
       SELECT FROM search_entries_view e WHERE e.tenant_id = $1 AND e.words @@ ('''' || w.word || '''')::tsquery)`,
    [tx.tenantId, words],
  );
  if (rows.length === 0) return;
  await tx.send('DELETE FROM search_words WHERE tenant_id = $1 AND word = ANY ($2::text[])', [
    tx.tenantId,
    rows.map(({ word }) => word),
  ]);
}
