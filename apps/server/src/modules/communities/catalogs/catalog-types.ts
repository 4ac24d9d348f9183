/** Catalogs: lists of values that fields of several communities share, flat or below a parent catalog. */

/** Texts by language code, as administrators wrote them. */
export type LanguageMap = Readonly<Record<string, string>>;

/**
 * Maximum number of entries in a small catalog. A larger catalog is `paged`: its entries come in
 * pages, and definitions do not contain them.
 */
export const smallCatalogLimit = 500;

export interface CatalogEntry {
  readonly id: number;
  readonly catalogId: number;
  readonly label: LanguageMap;
  /** Sort key of the label in the tenant's language (`sortKeyWithTies`). */
  readonly labelKey: string;
  /** Unique within the catalog. */
  readonly externalId: string | null;
  /** Entries of the parent catalog below which the entry can be chosen; empty: below any. */
  readonly parentIds: readonly number[];
  /** Whether it can no longer be chosen: the entry or its catalog is out of use. */
  readonly deleted: boolean;
}

export interface Catalog {
  readonly id: number;
  /** The occToken of the catalog's form. */
  readonly version: number;
  /** Token raised by each change of the catalog or of an entry. */
  readonly etag: number;
  readonly name: LanguageMap;
  /** Catalog whose entries are the parents of its entries. */
  readonly parentId: number | null;
  readonly externalId: string | null;
  readonly deleted: boolean;
  /** Number of entries, deleted ones included. */
  readonly entriesCount: number;
  /** All entries in the order of forms: by place, then by label; deleted ones included; null when there are more than {@link smallCatalogLimit}. */
  readonly entries: readonly CatalogEntry[] | null;
}

/**
 * Returns the text to show. A tenant has one language for labels (its default language), the same
 * for everyone, so that the displayed text, the order of lists and the label filter always use the
 * same text. Fallbacks: the language without its region, English, then the first language by code.
 */
export function textIn(texts: LanguageMap, language: string): string {
  return texts[languageOf(texts, language) ?? ''] ?? '';
}

/** Whether two texts are the same in every language. */
export function isSameText(one: LanguageMap, other: LanguageMap): boolean {
  const languages = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...languages].every((language) => one[language] === other[language]);
}

/**
 * Returns the texts in languages other than the one that {@link textIn} shows, for clients that
 * show their readers other languages.
 */
export function translationsOf(texts: LanguageMap, language: string): Record<string, string> {
  const { [languageOf(texts, language) ?? '']: _shown, ...others } = texts;
  return others;
}

function languageOf(texts: LanguageMap, language: string): string | undefined {
  const base = language.split('-')[0]!;
  return [language, base, 'en', ...Object.keys(texts).sort()].find((code) => Object.hasOwn(texts, code) && texts[code]);
}
