/** Conditions on the words of entries, as `tsquery` of PostgreSQL. */
import { isCommon, queryLexemes, type Stems } from './lexemes.ts';
import type { ParsedQuery, Term } from './parse-query.ts';

/** Other words that count as a searched word, by the searched word: misspelt, or a part of them. */
export type Alternatives = ReadonlyMap<string, readonly string[]>;

/** Returns a lexeme as a literal. Words hold letters, digits and marks only. */
const literal = (lexeme: string, weights: string, prefix = false) =>
  `'${lexeme}'${prefix || weights ? `:${prefix ? '*' : ''}${weights}` : ''}`;

/** Weights of words that belong to the object itself, not to the title of its post. */
const OWN = 'ABC';
const TITLE = 'A';

/** Builds conditions from a parsed query. */
export class QueryText {
  readonly #query: ParsedQuery;
  readonly #stems: Stems;
  readonly #alternatives: Alternatives;

  constructor(query: ParsedQuery, stems: Stems, alternatives: Alternatives = new Map()) {
    this.#query = query;
    this.#stems = stems;
    this.#alternatives = alternatives;
  }

  /** Groups that a result must have: common words are left out where others remain. */
  get demanded(): ParsedQuery['groups'] {
    const rare = this.#query.groups.filter((group) => group.some((term) => !this.#isCommon(term)));
    return rare.length > 0 ? rare : this.#query.groups;
  }

  /** Entries that have a term of each demanded group and none of the excluded ones. */
  all(): string {
    return this.#and(this.demanded, '');
  }

  /** Entries that have each group, common words included, and no continuation of a word in its place. */
  whole(): string | undefined {
    const groups = this.#query.groups.map((group) => group.map((term) => ({ ...term, prefix: false })));
    const differs = this.demanded.length < groups.length || this.#query.groups.flat().some(({ prefix }) => prefix);
    return differs ? this.#and(groups, '') : undefined;
  }

  /** Entries that have a term of any demanded group. */
  any(): string {
    return this.#withoutExcluded(this.each().join(' | '));
  }

  /**
   * Entries that have a term of a given demanded group, or terms of all of them but one.
   * @param rare places of groups among the demanded ones
   * @returns undefined if no entry is meant
   */
  most(rare: readonly number[]): string | undefined {
    const groups = this.each();
    const alone = rare.map((at) => groups[at]!);
    const allButOne =
      groups.length < 3 ? [] : groups.map((_, left) => `(${groups.filter((_, at) => at !== left).join(' & ')})`);
    const wanted = [...alone, ...allButOne];
    return wanted.length === 0 ? undefined : this.#withoutExcluded(wanted.join(' | '));
  }

  /** Entries that have a term of a group, for each demanded one. @param title whether it must be in the title */
  each(title = false): string[] {
    return this.demanded.map((group) => `(${this.#group(group, title ? TITLE : '')})`);
  }

  /** Entries that have a term in their own texts. */
  own(): string {
    return this.demanded.map((group) => this.#group(group, OWN)).join(' | ');
  }

  /** Entries with all demanded groups in their own title. */
  title(): string {
    return this.#and(this.demanded, TITLE);
  }

  #isCommon({ words, quoted }: Term): boolean {
    return !quoted && words.length === 1 && isCommon(words[0]!.word, this.#stems);
  }

  #and(groups: ParsedQuery['groups'], weights: string): string {
    return this.#withoutExcluded(groups.map((group) => `(${this.#group(group, weights)})`).join(' & '));
  }

  #withoutExcluded(wanted: string): string {
    const excluded = this.#query.not.map((term) => `!(${this.#term(term, '')})`);
    return [...(wanted === '' ? [] : [`(${wanted})`]), ...excluded].join(' & ');
  }

  #group(group: readonly Term[], weights: string): string {
    return group.map((term) => this.#term(term, weights)).join(' | ');
  }

  #term({ words, prefix, quoted }: Term, weights: string): string {
    const [first] = words;
    if (words.length === 1) {
      const { word } = first!;
      const lexemes = quoted ? [word] : queryLexemes(word, this.#stems);
      const others = quoted ? [] : (this.#alternatives.get(word) ?? []);
      const found = [...new Set([...lexemes, ...others])].map((lexeme) => literal(lexeme, weights));
      return [...found, ...(prefix ? [literal(word, weights, true)] : [])].join(' | ');
    }
    let text = literal(first!.word, weights);
    for (const [at, { word, place }] of words.entries()) {
      if (at === 0) continue;
      const distance = place - words[at - 1]!.place;
      text += ` <${distance}> ${literal(word, weights, prefix && at === words.length - 1)}`;
    }
    return `(${text})`;
  }
}
