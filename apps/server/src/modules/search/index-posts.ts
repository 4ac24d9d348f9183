/** Writes the entries of posts and their comments, tasks and files into the search index. */
import { createHash } from 'node:crypto';
import type { TenantTx } from '@portico/platform/db/tenant-db';
import { finishInTurns } from '@portico/platform/parts';
import { isOfPairs, textWords } from '@portico/platform/text';
import type { TenantScope } from '../../kernel/scope.ts';
import { type CommunityDefinition, getWholeDefinition, isRestricted } from '../communities/index.ts';
import { type EntryLabels, type FieldData, openFieldTexts, openLabels, readEntryLabels } from '../post-parts/index.ts';
import {
  addWords,
  EntryKind,
  findEntries,
  findSources,
  insertEntries,
  readTexts,
  removeEntries,
  removeUnusedWords,
  type Source,
  type SourceTexts,
} from './entries.repository.ts';
import { readStems, type Stems, textLexemes } from './lexemes.ts';
import { portionsOf } from './portions.ts';

/** Words of a text that are indexed. */
const MOST_WORDS = 60_000;
/** Bytes of the words of an entry, of words with places, and of these with stems: PostgreSQL keeps 1 MB. */
const MOST_WORD_BYTES = 500_000;
const MOST_PLACE_BYTES = 750_000;
const MOST_BYTES = 900_000;
/** Bytes that PostgreSQL needs for a lexeme beside its characters, and for a place. */
const LEXEME_BYTES = 12;
const PLACE_BYTES = 2;
/** Bytes of texts that are read at once, and lexemes of entries that are deleted at once. */
const PORTION_BYTES = 4 * 1024 * 1024;
const PORTION_LEXEMES = 50_000;
/** The highest place that PostgreSQL keeps, and places of one lexeme. */
const HIGHEST_PLACE = 16_383;
const MOST_PLACES = 200;
/** Places of a stem: they decide the rank only. */
const STEM_PLACES = 4;
/** Distance between two texts, so that no phrase reaches from one into the other. */
const GAP = 10;
/** Shorter words are neither parts of other words nor misspelt. */
const SHORTEST_KNOWN_WORD = 3;

/** A text with the weight of its words. */
type Weighted = readonly [weight: 'A' | 'B' | 'C' | 'D', text: string];

/**
 * Brings the entries of posts up to date: of posts that are not live, none. The caller holds the
 * state of the index, so that nobody else writes entries of the tenant.
 * @param labelsVersion version of the labels of catalog entries
 */
export async function indexPosts(
  scope: TenantScope,
  tx: TenantTx,
  postIds: readonly number[],
  labelsVersion: number,
): Promise<void> {
  if (postIds.length === 0) return;
  const sources = await openSources(scope, await findSources(tx, postIds), labelsVersion);
  const present = new Map(sources.map((source) => [keyOf(source), source]));
  const entries = await findEntries(tx, postIds);
  const kept = new Set(
    entries.filter((entry) => present.get(keyOf(entry))?.stamp === entry.stamp).map((entry) => keyOf(entry)),
  );
  const changed = sources.filter((source) => !kept.has(keyOf(source)));
  const stale = entries.filter((entry) => !kept.has(keyOf(entry)));
  let removed: string[] = [];
  for (const portion of portionsOf(stale, PORTION_LEXEMES)) {
    for (const word of await removeEntries(tx, portion)) removed.push(word);
    if (removed.length < PORTION_LEXEMES) continue;
    await removeUnusedWords(tx, removed);
    removed = [];
  }
  const added = new Set<string>();
  for (const portion of portionsOf(changed, PORTION_BYTES)) {
    const words = await addEntries(scope, tx, portion);
    await addWords(tx, [...words].sort());
    if (added.size < PORTION_LEXEMES) for (const word of words) added.add(word);
  }
  await removeUnusedWords(
    tx,
    removed.filter((word) => !added.has(word)),
  );
}

/** Inserts entries. @returns their words that may be misspelt, or have parts */
async function addEntries(scope: TenantScope, tx: TenantTx, sources: readonly Source[]): Promise<Set<string>> {
  const texts = new Map((await readTexts(tx, sources)).map((text) => [keyOf(text), text]));
  const labels = await labelsOf(scope, tx, sources, texts);
  const written: Source[] = [];
  const vectors: string[] = [];
  const added = new Set<string>();
  for (const source of sources) {
    const text = texts.get(keyOf(source));
    if (!text) continue;
    const places = await finishInTurns(placesOf(await weightedTexts(scope, source, text, labels)));
    const stems = await readStems(tx, places.keys());
    vectors.push(await finishInTurns(vectorOf(places, stems)));
    for (const word of places.keys()) if (word.length >= SHORTEST_KNOWN_WORD && !isOfPairs(word)) added.add(word);
    written.push(source);
  }
  await insertEntries(tx, written, vectors);
  return added;
}

const keyOf = ({ kind, id }: { kind: EntryKind; id: number }) => `${kind} ${id}`;

/** Leaves out files of fields that only some see, and marks what depends on the definition. */
async function openSources(scope: TenantScope, sources: readonly Source[], labelsVersion: number): Promise<Source[]> {
  const open: Source[] = [];
  const marks = new Map<number, string>();
  for (const source of sources) {
    const definition = await getWholeDefinition(scope, source.communityId);
    if (!definition) continue;
    const { fields, workflow } = definition;
    const restricted = [...fields, ...(workflow?.fields ?? [])].filter(isRestricted).map(({ id }) => id);
    if (source.fieldId !== null && restricted.includes(source.fieldId)) continue;
    if (source.kind !== EntryKind.POST) {
      open.push(source);
      continue;
    }
    const mark = marks.get(source.communityId) ?? markOf(restricted, openLabels(definition, labelsVersion));
    marks.set(source.communityId, mark);
    open.push({ ...source, stamp: `${source.stamp}${mark}` });
  }
  return open;
}

/** Returns the mark of everything that entries of posts have from their definition; empty for nothing. */
function markOf(restricted: readonly number[], labels: string): string {
  const ofLabels = labels === '' ? '' : ` ${createHash('md5').update(labels).digest('hex')}`;
  return `${restricted.length > 0 ? ` ${restricted.join()}` : ''}${ofLabels}`;
}

/** Returns the labels of catalog entries among the values of posts. */
async function labelsOf(
  scope: TenantScope,
  tx: TenantTx,
  sources: readonly Source[],
  texts: ReadonlyMap<string, SourceTexts>,
): Promise<EntryLabels> {
  const posts: [CommunityDefinition, FieldData][] = [];
  for (const source of sources) {
    const { customData, screenData } = texts.get(keyOf(source)) ?? {};
    if (!customData || !screenData) continue;
    const definition = await getWholeDefinition(scope, source.communityId);
    if (definition) posts.push([definition, { customData, screenData }]);
  }
  return readEntryLabels(tx, posts);
}

async function weightedTexts(
  scope: TenantScope,
  source: Source,
  texts: SourceTexts,
  labels: EntryLabels,
): Promise<Weighted[]> {
  const { title, text, postTitle, customData, screenData } = texts;
  const weighted: Weighted[] = [
    ['A', title ?? ''],
    [source.kind === EntryKind.FILE ? 'C' : 'B', text ?? ''],
    ['D', postTitle ?? ''],
  ];
  if (customData !== null && screenData !== null) {
    const definition = await getWholeDefinition(scope, source.communityId);
    if (definition)
      for (const field of openFieldTexts(definition, { customData, screenData }, labels))
        weighted.push(['B', field.text]);
  }
  return weighted.filter(([, part]) => part !== '');
}

/** Steps after which other work may go on. */
const STEPS = 200;

/** Returns the words of texts with their places and weights. */
function* placesOf(texts: readonly Weighted[]): Generator<void, Map<string, string[]>> {
  const places = new Map<string, string[]>();
  let bytes = 0;
  let placeBytes = 0;
  let offset = 1;
  let steps = 0;
  for (const [weight, text] of texts) {
    let last = 0;
    for (const { word, place } of textWords(text, MOST_WORDS)) {
      if (++steps % STEPS === 0) yield;
      last = place;
      let found = places.get(word);
      if (!found) {
        const size = Buffer.byteLength(word) + LEXEME_BYTES;
        if (bytes + size > MOST_WORD_BYTES) continue;
        bytes += size;
        found = [];
        places.set(word, found);
      }
      if (found.length >= MOST_PLACES || bytes + placeBytes + PLACE_BYTES > MOST_PLACE_BYTES) continue;
      placeBytes += PLACE_BYTES;
      found.push(`${Math.min(offset + place, HIGHEST_PLACE)}${weight}`);
    }
    offset += last + GAP;
  }
  return places;
}

/** Returns words and their stems with their places as text of a `tsvector`. Words hold letters, digits and marks only. */
function* vectorOf(words: ReadonlyMap<string, readonly string[]>, stems: Stems): Generator<void, string> {
  const all = new Map<string, readonly string[]>(words);
  let bytes = 0;
  let steps = 0;
  for (const [word, places] of words) bytes += Buffer.byteLength(word) + LEXEME_BYTES + PLACE_BYTES * places.length;
  for (const [word, places] of words) {
    if (++steps % STEPS === 0) yield;
    const [, ...marked] = textLexemes(word, stems);
    for (const stem of marked) {
      const before = all.get(stem) ?? [];
      const more = places.slice(0, STEM_PLACES - before.length);
      const size = (before.length === 0 ? Buffer.byteLength(stem) + LEXEME_BYTES : 0) + PLACE_BYTES * more.length;
      if (more.length === 0 || bytes + size > MOST_BYTES) continue;
      bytes += size;
      all.set(stem, [...before, ...more]);
    }
  }
  const parts: string[] = [];
  for (const [lexeme, places] of all) {
    if (++steps % STEPS === 0) yield;
    parts.push(places.length === 0 ? `'${lexeme}'` : `'${lexeme}':${places.join()}`);
  }
  return parts.join(' ');
}
