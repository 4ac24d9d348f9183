/** Numbers that an answer names, apart from digits of random tokens. */

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi;
/** Digits that no letter or digit adjoins. */
const NUMBER = /(?<![\da-z])\d+(?![\da-z])/gi;

/**
 * Collects the whole numbers of a JSON value: values, keys, and numbers that stand alone within
 * texts, as in an address or a message.
 */
export function numbersIn(value: unknown): Set<number> {
  const found = new Set<number>();
  const visit = (one: unknown): void => {
    if (typeof one === 'number') found.add(one);
    else if (typeof one === 'string') for (const [digits] of one.replace(UUID, '').matchAll(NUMBER)) found.add(+digits);
    else if (typeof one === 'object' && one !== null)
      for (const [key, item] of Object.entries(one)) {
        if (!Array.isArray(one)) visit(key);
        visit(item);
      }
  };
  visit(value);
  return found;
}
