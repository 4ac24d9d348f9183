/** Merges values that two people changed from the same one. Pure. */
import type { Choice } from '../input-values.ts';
import { mergeTexts, resolved, type TextMerge, textOfWords } from './merge-texts.ts';

/** How a value is merged: as a whole, as a set of choices, as a list of items, or as a text. */
export type MergeKind = 'value' | 'choices' | 'items' | 'text' | 'richText';

/** Two changes of a value, and what both make together. */
export interface Merged<T> {
  readonly kind: MergeKind;
  readonly base: T;
  readonly mine: T;
  readonly theirs: T;
  /** Both changes together; the own one where a person must choose. */
  readonly value: T;
  /** Whether nobody needs to look at the value before it is written. */
  readonly settled: boolean;
  /** The merge of a text that a person should look at. */
  readonly text?: TextMerge;
}

const equal = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Merges sets: additions and removals of both. */
function mergeChoices(base: readonly Choice[], mine: readonly Choice[], theirs: readonly Choice[]): readonly Choice[] {
  const isIn = (list: readonly Choice[], { id }: Choice) => list.some((one) => one.id === id);
  return [
    ...mine.filter((choice) => isIn(theirs, choice) || !isIn(base, choice)),
    ...theirs.filter((choice) => !isIn(mine, choice) && !isIn(base, choice)),
  ];
}

/**
 * Merges lists without identities by their places, and keeps what both added at the end.
 * @returns undefined if both changed the same place, or removed an item
 */
function mergeItems(base: readonly unknown[], mine: readonly unknown[], theirs: readonly unknown[]) {
  if (mine.length < base.length || theirs.length < base.length) return undefined;
  const places = base.map((item, at) => ({ item, own: mine[at], other: theirs[at] }));
  if (places.some(({ item, own, other }) => !equal(own, other) && !equal(item, own) && !equal(item, other)))
    return undefined;
  const added = mine.slice(base.length);
  return [
    ...places.map(({ item, own, other }) => (equal(item, own) ? other : own)),
    ...added,
    ...theirs.slice(base.length).filter((item) => !added.some((one) => equal(one, item))),
  ];
}

/**
 * Merges two changes of a value. Texts that both changed in the same line are merged, but not
 * settled: the meaning of a sentence may get lost.
 * @param same whether two values are the same
 */
export function mergeValues<T>(
  kind: MergeKind,
  { base, mine, theirs }: { base: T; mine: T; theirs: T },
  same: (a: T, b: T) => boolean = equal,
): Merged<T> {
  const sides = { kind, base, mine, theirs };
  const settled = (value: unknown): Merged<T> => ({ ...sides, value: value as T, settled: true });
  if (same(mine, theirs) || same(theirs, base)) return settled(mine);
  if (same(mine, base)) return settled(theirs);
  const lists = [base, mine, theirs].map((value) => (Array.isArray(value) ? (value as Choice[]) : [])) as [
    Choice[],
    Choice[],
    Choice[],
  ];
  if (kind === 'choices') return settled(mergeChoices(...lists));
  const items = kind === 'items' ? mergeItems(...lists) : undefined;
  if (items) return settled(items);
  if (kind === 'text' || kind === 'richText') {
    const rich = kind === 'richText';
    const texts = [base, mine, theirs].map((text) => String(text ?? '')) as [string, string, string];
    const text = mergeTexts(...texts, rich);
    const value = textOfWords(resolved(text, []), rich);
    return text.apart ? settled(value) : { ...sides, value: value as T, settled: false, text };
  }
  return { ...sides, value: mine, settled: false };
}
