/** Writes the entries of posts and their comments, tasks and files into the search index. */
import { createHash } from 'node:crypto';
import type { TenantTx } from '@portico/platform/db/tenant-db';
import { isOfPairs, type TextWord, textWords } from '@portico/platform/text';
import { Turns } from '@portico/platform/turns';
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

/** Words of an entry that are indexed, and bytes of its lexemes: PostgreSQL keeps 1 MB. */
const MOST_WORDS = 60_000;
const MOST_BYTES = 900_000;
/** Bytes that PostgreSQL needs for a lexeme beside its characters. */
const LEXEME_BYTES = 12;
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
  const texts = new Map((await readTexts(tx, changed)).map((text) => [keyOf(text), text]));
  const labels = await labelsOf(scope, tx, changed, texts);
  const removed = await removeEntries(
    tx,
    entries.filter((entry) => !kept.has(keyOf(entry))),
  );
  const written: Source[] = [];
  const vectors: string[] = [];
  const added = new Set<string>();
  const turns = new Turns();
  for (const source of changed) {
    const text = texts.get(keyOf(source));
    if (!text) continue;
    const weighted = await weightedTexts(scope, source, text, labels);
    const words = weighted.map(([weight, part]) => [weight, [...textWords(part, MOST_WORDS)]] as const);
    const all = words.flatMap(([, some]) => some.map(({ word }) => word));
    vectors.push(vectorOf(words, await readStems(tx, all)));
    for (const word of all) if (word.length >= SHORTEST_KNOWN_WORD && !isOfPairs(word)) added.add(word);
    written.push(source);
    if (turns.isOver) await turns.next();
  }
  await insertEntries(tx, written, vectors);
  await addWords(tx, [...added].sort());
  await removeUnusedWords(
    tx,
    removed.filter((word) => !added.has(word)),
  );
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

/** Returns words with their places as text of a `tsvector`. Words hold letters, digits and marks only. */
function vectorOf(texts: readonly (readonly [weight: string, words: readonly TextWord[]])[], stems: Stems): string {
  const places = new Map<string, string[]>();
  let bytes = 0;
  let offset = 1;
  for (const [weight, words] of texts) {
    for (const { word, place } of words) {
      const at = Math.min(offset + place, HIGHEST_PLACE);
      for (const [index, lexeme] of textLexemes(word, stems).entries()) {
        let found = places.get(lexeme);
        if (!found) {
          bytes += Buffer.byteLength(lexeme) + LEXEME_BYTES;
          if (bytes > MOST_BYTES) continue;
          found = [];
          places.set(lexeme, found);
        }
        if (found.length >= (index === 0 ? MOST_PLACES : STEM_PLACES)) continue;
        bytes += 2;
        found.push(`${at}${weight}`);
      }
    }
    offset += (words.at(-1)?.place ?? 0) + GAP;
  }
  return [...places].map(([lexeme, at]) => `'${lexeme}':${at.join()}`).join(' ');
}
