/** Forms of words by number, as each language has them. */

/** A number in a sentence: its text, and the number that chooses the form of a word. */
export interface Count {
  readonly value: number | bigint;
  /** The number in the reader's language. */
  toString(): string;
}

/** Forms of a sentence by the categories of Unicode; `other` stands for the categories left out. */
type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };

/** Returns what chooses the form of a sentence in a language. @param tag BCP 47 */
export function pluralsOf(tag: string): (count: Count, forms: Forms) => string {
  const rules = new Intl.PluralRules(tag);
  return ({ value }, forms) => forms[rules.select(Number(value))] ?? forms.other;
}

export const english = pluralsOf('en');
export const italian = pluralsOf('it');
