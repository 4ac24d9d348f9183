/** The content of a post in a version, and its presentation. */
import type { JsonValue, PostVersionContent, VersionAttachment } from '@portico/contract';
import { deltaToPlainText, parseDelta } from '@portico/platform/richtext';
import type { WriteScope } from '../../../kernel/access/index.ts';
import { notFound } from '../../../kernel/errors.ts';
import { type FieldDefinition, presentHashtag } from '../../communities/index.ts';
import { postFiles } from '../../records/index.ts';
import { type EventPlace, presentEvent } from '../reading/present-event.ts';
import { loadReferences, presentValues, Wanted } from '../reading/references.ts';
import { postFields } from '../writing/create-posts.ts';
import { type OpenPost, storedEvent } from '../writing/open-post.ts';
import { findPostVersion, hashtagsOf, loadNamed, replacedSince, type VersionRow } from './versions.repository.ts';

/** The stored content of a version. */
export interface StoredContent {
  row: VersionRow;
  title: string | null;
  /** A delta. */
  description: string | null;
  values: Record<string, unknown>;
  hashtagIds: number[];
  event: EventPlace | null;
  files: { id: number; versionNumber: number }[];
}

/** Returns the fields of the post that its community has now: other fields are not shown. */
export function fieldsOf({ post, definition }: OpenPost): readonly FieldDefinition[] {
  return postFields(definition, post.type);
}

/** @throws PorticoError NOT_FOUND for a version that is not kept */
export async function readContent(read: WriteScope, open: OpenPost, version: number): Promise<StoredContent> {
  const { post } = open;
  const row = await findPostVersion(read.tx, post.id, version);
  if (!row) throw notFound();
  const replaced = await replacedSince(read.tx, post.id, version);
  const of = <T>(part: string, present: T): T => (replaced.has(part) ? (replaced.get(part) as T) : present);
  const values: Record<string, unknown> = {};
  for (const { id } of fieldsOf(open)) {
    const value = of(`field.${id}`, post.customData[id]);
    if (value !== undefined && value !== null) values[id] = value;
  }
  return {
    row,
    title: of('title', post.title),
    description: of('description', post.descriptionDelta),
    values,
    hashtagIds: of('hashtags', undefined) ?? (await hashtagsOf(read.tx, post.id)),
    event: of<EventPlace | null>('event', storedEvent(post)),
    files: of('attachments', undefined) ?? (await postFiles(read.tx, post.id)),
  };
}

/**
 * Presents versions as of now: fields, people, posts and attachments that are deleted or hidden
 * from the caller are omitted.
 */
export async function presentContents(
  read: WriteScope,
  open: OpenPost,
  contents: readonly StoredContent[],
): Promise<PostVersionContent[]> {
  const fields = fieldsOf(open);
  const wanted = new Wanted();
  for (const { values, row } of contents) {
    wanted.addValues(fields, values);
    wanted.users.add(row.authorId);
  }
  const references = await loadReferences(read, read.tx, wanted);
  const named = await loadNamed(
    read.tx,
    open.post.id,
    contents.flatMap(({ hashtagIds }) => hashtagIds),
    contents.flatMap(({ files }) => files.map(({ id }) => id)),
  );
  return contents.map(({ row, title, description, values, hashtagIds, event, files }) => ({
    versionNumber: row.version,
    editorUser: references.users.get(row.authorId),
    timestamp: row.authoredAt,
    ...(title !== null && { title }),
    ...(description !== null && {
      descriptionDelta: description,
      descriptionPlainText: deltaToPlainText(parseDelta(description)),
    }),
    customData: presentValues(fields, values, references) as Record<string, JsonValue>,
    hashtags: hashtagIds.flatMap((id) => {
      const tag = named.hashtags.get(id);
      return tag ? [presentHashtag(tag)] : [];
    }),
    ...(event && { event: presentEvent(event) }),
    attachments: files.map(({ id, versionNumber }): VersionAttachment => {
      const name = named.attachments.get(id);
      return name === undefined ? { id, removed: true } : { id, name, versionNumber, removed: false };
    }),
  }));
}
