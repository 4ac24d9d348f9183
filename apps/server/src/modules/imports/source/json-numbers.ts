/** Parses JSON with all digits of its numbers. Pure. */
import { isKept } from '../../fields/index.ts';

/** Texts that may hold a number that parsing rounds: with many digits, or a large exponent. */
const MAY_BE_ROUNDED = /\d[\d.]{15}|[eE][+-]?\d{2}/;

type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown;

/**
 * Parses JSON. Returns numbers that would be rounded as texts.
 * @throws SyntaxError
 */
export function parseJson(text: string): unknown {
  if (!MAY_BE_ROUNDED.test(text)) return JSON.parse(text);
  const keepDigits: Reviver = (_key, value, context) =>
    typeof value === 'number' && context?.source !== undefined && !isKept(context.source, value)
      ? context.source
      : value;
  return JSON.parse(text, keepDigits);
}
