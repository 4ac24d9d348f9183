/** Translates the clauses of explanations, which the interface sends in English. */

/** How explanations are said in a language. */
export interface Sentences {
  /**
   * @param clause in English
   * @returns the translated clause, or the English one if there is no translation
   */
  say(clause: string): string;
  list(clauses: readonly string[]): string;
  because(what: string, reason: string): string;
}

/** The clauses of a language by the English ones. `*` is a name, in the same order in both. */
interface Clauses {
  /** BCP 47. */
  readonly tag: string;
  /** Actions: the words after `You may` and `You may not`. */
  readonly actions: Readonly<Record<string, string>>;
  /** Deciding facts. */
  readonly facts: Readonly<Record<string, string>>;
  /** Names of roles. */
  readonly roles: Readonly<Record<string, string>>;
  may(action: string): string;
  mayNot(action: string): string;
  because(what: string, reason: string): string;
}

/** Each clause as a pattern. Names are between “ and ”, so the first match is the right one. */
const patternsOf = (clauses: Readonly<Record<string, string>>) =>
  Object.entries(clauses).map(([english, other]) => ({
    pattern: new RegExp(`^${english.replaceAll('*', '(.+)')}$`),
    other,
  }));

type Pattern = ReturnType<typeof patternsOf>[number];

/** Returns the sentences of a language. A clause without a translation stays English. */
export function sentencesIn({ tag, actions, facts, roles, may, mayNot, because }: Clauses): Sentences {
  let patterns: { readonly may: readonly Pattern[]; readonly facts: readonly Pattern[] } | undefined;
  const translate = (clause: string, known: readonly Pattern[]): string | undefined => {
    for (const { pattern, other } of known) {
      const found = pattern.exec(clause);
      if (!found) continue;
      let at = 0;
      return other.replaceAll('*', () => {
        const name = found[++at]!;
        return roles[name] ?? name;
      });
    }
    return undefined;
  };
  const said = (clause: string): string | undefined => {
    patterns ??= { may: patternsOf(actions), facts: patternsOf(facts) };
    const [, not, action] = /^You may (not )?(.*)$/.exec(clause) ?? [];
    if (action === undefined) return translate(clause, patterns.facts);
    const done = translate(action, patterns.may);
    return done && (not ? mayNot(done) : may(done));
  };
  return {
    say: (clause) => said(clause) ?? clause,
    list: (clauses) => new Intl.ListFormat(tag).format(clauses),
    because,
  };
}

/** The sentences of the interface itself. */
export const ENGLISH: Sentences = {
  say: (clause) => clause,
  list: (clauses) => new Intl.ListFormat('en-GB').format(clauses),
  because: (what, reason) => `${what}, because ${reason}.`,
};
