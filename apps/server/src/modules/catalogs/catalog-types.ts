/** Catalogs: lists of values that fields of several communities share, flat or below a parent catalog. */

/** Texts by language code, as administrators wrote them. */
export type LanguageMap = Readonly<Record<string, string>>;

/** A catalog with more entries than this is `paged`: its entries come in pages and are not spelt out in definitions. */
export const smallCatalogLimit = 500;

export interface CatalogEntry {
  readonly id: number;
  readonly catalogId: number;
  readonly label: LanguageMap;
  /** Orders by label in the tenant's language (`sortKeyWithTies`). */
  readonly labelKey: string;
  /** Unique within the catalog. */
  readonly externalId: string | null;
  /** Entries of the parent catalog below which this one is usable; empty: usable below any. */
  readonly parentIds: readonly number[];
  /** Can no longer be chosen: the entry or its catalog is out of use. */
  readonly deleted: boolean;
}

export interface Catalog {
  readonly id: number;
  /** The occToken of the catalog's form. */
  readonly version: number;
  /** Raised with each change of the catalog and of each entry. */
  readonly etag: number;
  readonly name: LanguageMap;
  /** Catalog whose entries are the parents of this one's. */
  readonly parentId: number | null;
  readonly externalId: string | null;
  readonly deleted: boolean;
  /** Entries, deleted ones included. */
  readonly entriesCount: number;
  /** All entries by label, deleted ones included; null when there are more than {@link smallCatalogLimit}. */
  readonly entries: readonly CatalogEntry[] | null;
}

/**
 * The text to show. A tenant has one language for labels (its default language), the same for everyone: so that the
 * text that is read, the order of lists and what the label filter looks into are always the same text.
 * Fallbacks: the language without its region, English, then the first language by code.
 */
export function textIn(texts: LanguageMap, language: string): string {
  return texts[languageOf(texts, language) ?? ''] ?? '';
}

/** The texts in other languages than the one that {@link textIn} shows, for clients that show each reader their own. */
export function translationsOf(texts: LanguageMap, language: string): Record<string, string> {
  const { [languageOf(texts, language) ?? '']: _shown, ...others } = texts;
  return others;
}

function languageOf(texts: LanguageMap, language: string): string | undefined {
  const base = language.split('-')[0]!;
  return [language, base, 'en', ...Object.keys(texts).sort()].find((code) => Object.hasOwn(texts, code) && texts[code]);
}
