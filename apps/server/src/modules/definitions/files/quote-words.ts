/** Errors of a request with the word that they are about. */
import { type FieldError, ValidationError } from '../../../kernel/errors.ts';

/** Longest word that an error repeats, in characters. */
const LONGEST = 100;

/**
 * Runs work whose errors name places in a request, and adds the word that stands at the place to
 * messages without it.
 */
export async function quoting<T>(request: object, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    throw new ValidationError(error.errors.map((fault) => withWord(fault, request)));
  }
}

function withWord(fault: FieldError, request: object): FieldError {
  const { field, defaultMessage } = fault;
  const word = wordAt(request, field);
  if (defaultMessage === undefined || word === undefined || defaultMessage.includes(word)) return fault;
  return { ...fault, defaultMessage: `${word}: ${defaultMessage}` };
}

/** Members whose keys are languages: errors of their members are about the key. */
const BY_LANGUAGE = /(?:[tT]ranslations|name|label|description)\.([^.[\]]+)$/;

/** Returns the value at a place as JSON; of a rule, its parameter; of a language, its key. */
function wordAt(request: object, path: string): string | undefined {
  const language = BY_LANGUAGE.exec(path)?.[1];
  if (language !== undefined) return JSON.stringify(language);
  let value: unknown = request;
  for (const [, member, index] of path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[member ?? index!];
  }
  if (typeof value === 'object' && value !== null && 'parameter' in value) value = value.parameter;
  if (value === undefined || typeof value === 'object') return undefined;
  const word = JSON.stringify(value);
  return word.length > LONGEST ? undefined : word;
}
