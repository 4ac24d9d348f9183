/** Title and text of a post as clients write them, and the people and hashtags in them. */
import { PartUse, TextFormat } from '@portico/contract';
import { extractHashtags, extractMentions, MAX_HASHTAGS, parseDelta } from '@portico/platform/richtext';
import { isLongerThan, sortKey, sortKeyWithTies, storableText } from '@portico/platform/text';
import { Turns } from '@portico/platform/turns';
import type { WriteScope } from '../../../kernel/access/index.ts';
import type { FieldErrors } from '../../../kernel/errors.ts';
import { sqlColumns } from '../../columns.ts';
import { type CommunityDefinition, isRestricted } from '../../communities/index.ts';
import { typeOf } from '../../fields/index.ts';
import type { FieldRule } from '../../post-parts/index.ts';
import { findUsers, readText } from '../../post-parts/index.ts';

const hashtagsColumns = sqlColumns('hashtags');

/** Maximum length of the title, in code points. */
const MAX_TITLE_LENGTH = 1_000;

/** The stored title and text. */
export interface PostTexts {
  title: string | null;
  titleKey: string;
  /** The bare array of operations as JSON text; null when there is no text. */
  descriptionDelta: string | null;
  descriptionText: string | null;
}

interface TextsBody {
  title?: string | undefined;
  description?: string | undefined;
  descriptionFormat?: number | undefined;
}

/** Rules for texts that a body omits. */
export interface TextRules {
  /** The stored texts of the post that is edited. */
  before?: PostTexts;
  /** The stored texts of the copied post: a description that it has must be sent. */
  source?: PostTexts;
  /**
   * The operations that edit and copy events: the title is required, an omitted description is
   * cleared.
   */
  event?: boolean;
}

/**
 * Reads title and text. Parts that the community does not use are dropped; parts that it requires
 * must be sent. An edit that omits a title or text that the post has, or a copy that omits the text
 * that its source has, is rejected (REQUIRED_FIELD); an empty string empties the part unless the
 * community requires it.
 * @param errors found errors are added to it
 */
export function readTexts(
  body: TextsBody,
  { community }: CommunityDefinition,
  rules: TextRules,
  errors: FieldErrors,
): PostTexts {
  const title = readTitle(body.title, community.titleEnabled, rules, errors);
  const description = readDescription(body, community.descriptionEnabled, rules, errors);
  return { title, titleKey: title === null ? '' : sortKeyWithTies(title), ...description };
}

function missing(field: string, errors: FieldErrors): void {
  errors.add(field, 'REQUIRED_FIELD');
}

function readTitle(
  value: string | undefined,
  use: PartUse,
  { before, event }: TextRules,
  errors: FieldErrors,
): string | null {
  const stored = before?.title ?? null;
  if (use === PartUse.DISABLED || (value !== undefined && value === stored)) return stored;
  const title = value?.trim() ?? '';
  if (title === '') {
    if (use === PartUse.REQUIRED || event || (value === undefined && stored !== null)) missing('title', errors);
    return null;
  }
  if (isLongerThan(title, MAX_TITLE_LENGTH)) {
    errors.add('title', 'TEXT_TOO_LONG', `A title has at most ${MAX_TITLE_LENGTH} characters (code points).`, [
      MAX_TITLE_LENGTH,
    ]);
  } else if (storableText(title) !== title) {
    errors.add('title', 'INVALID_TEXT');
  }
  return title;
}

function readDescription(
  body: TextsBody,
  use: PartUse,
  { before, source, event }: TextRules,
  errors: FieldErrors,
): Pick<PostTexts, 'descriptionDelta' | 'descriptionText'> {
  const none = { descriptionDelta: null, descriptionText: null };
  const kept = before ? { descriptionDelta: before.descriptionDelta, descriptionText: before.descriptionText } : none;
  const required = use === PartUse.REQUIRED && !event;
  const { description } = body;
  if (use === PartUse.DISABLED || (description !== undefined && description === kept.descriptionDelta)) return kept;
  if (description === undefined) {
    const had = (before ?? source)?.descriptionDelta ?? null;
    if (required || (had !== null && !event)) missing('description', errors);
    return none;
  }
  const format = body.descriptionFormat === TextFormat.PLAIN_TEXT ? 2 : 1;
  const { text, error } = readText('description', description, format);
  if (error) {
    errors.push(error);
    return none;
  }
  if (text.plain.trim() === '' && !text.delta.includes('{"insert":{')) {
    if (required) missing('description', errors);
    return none;
  }
  return { descriptionDelta: text.delta, descriptionText: text.plain };
}

/** People and hashtags named in the rich texts of a post; they need not exist. */
export interface NamedInTexts {
  userIds: number[];
  hashtags: string[];
}

/**
 * Searches the description and every rich-text field of custom data that everybody sees, for
 * mentions and for the first {@link MAX_HASHTAGS} hashtags of the post.
 * @param turns of the whole work, if it is about many posts
 */
export async function namedInTexts(
  descriptionDelta: string | null,
  fields: readonly FieldRule[],
  stored: Readonly<Record<string, unknown>>,
  turns = new Turns(),
): Promise<NamedInTexts> {
  const userIds = new Set<number>();
  const hashtags = new Set<string>();
  const deltas = [
    descriptionDelta,
    ...fields
      .filter((field) => typeOf(field).kind === 'richText' && !isRestricted(field))
      .map((field) => stored[String(field.id)]),
  ];
  for (const delta of deltas) {
    // Most texts have no mentions; searching for the markers is cheaper than parsing the delta.
    if (typeof delta !== 'string' || !/"mention"|"hashtag"|[#＃]/.test(delta)) continue;
    if (turns.isOver) await turns.next();
    const ops = parseDelta(delta);
    if (turns.isOver) await turns.next();
    for (const id of extractMentions(ops)) userIds.add(id);
    for (const name of extractHashtags(ops)) hashtags.add(name);
  }
  return { userIds: [...userIds], hashtags: [...hashtags].slice(0, MAX_HASHTAGS) };
}

/** Existing people and hashtags among the names: two statements for any number of posts. */
interface FoundNames {
  userIds: ReadonlySet<number>;
  hashtagIds: ReadonlyMap<string, number>;
}

/**
 * Looks up names. Deleted people are no longer mentioned; an unknown hashtag remains text
 * (docs/decisions/writes.md).
 */
export async function findNames(
  write: WriteScope,
  { id: communityId, community }: CommunityDefinition,
  named: readonly NamedInTexts[],
): Promise<FoundNames> {
  const users = await findUsers(write.tx, [...new Set(named.flatMap((names) => names.userIds))]);
  const hashtagIds = new Map<string, number>();
  const keys = community.hashtagEnabled ? [...new Set(named.flatMap((names) => names.hashtags.map(sortKey)))] : [];
  if (keys.length > 0) {
    const rows = await write.tx.query<{ id: number; key: string }>(
      `SELECT ${hashtagsColumns.id}, ${hashtagsColumns.name_key} AS key FROM hashtags
        WHERE tenant_id = $1 AND ${hashtagsColumns.community_id} = $2 AND ${hashtagsColumns.name_key} = ANY ($3::text[]) AND NOT ${hashtagsColumns.deleted}`,
      [write.tx.tenantId, communityId, keys],
    );
    for (const row of rows) hashtagIds.set(row.key, row.id);
  }
  return { userIds: new Set(users), hashtagIds };
}

/** Returns the people and hashtags of one post among the existing ones. */
export function pickNames(named: NamedInTexts, found: FoundNames): { userIds: number[]; hashtagIds: number[] } {
  const tags = named.hashtags.flatMap((name) => found.hashtagIds.get(sortKey(name)) ?? []);
  return { userIds: named.userIds.filter((id) => found.userIds.has(id)), hashtagIds: [...new Set(tags)] };
}
