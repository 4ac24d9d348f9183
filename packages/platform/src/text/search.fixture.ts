/** The search as a few lines of JavaScript, which tests compare the database with. */
import type { searchTerms } from './search.ts';

/** Whether SQL finds the document with `document LIKE pattern ESCAPE '\'` for every term. */
export function matchesSearch(
  document: string,
  terms: readonly Pick<ReturnType<typeof searchTerms>[number], 'pattern'>[],
): boolean {
  return terms.every(({ pattern }) => document.includes(pattern.slice(1, -1).replace(/\\([\\%_])/g, '$1')));
}
