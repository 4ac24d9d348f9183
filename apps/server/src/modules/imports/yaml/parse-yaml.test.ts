import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { readMapping } from '../mapping/mapping.ts';
import { MappingError } from '../mapping/mapping-error.ts';
import { parseYaml } from './parse-yaml.ts';

/** Characters: a fifth of the maximum of a mapping. */
const MOST = 40_000;
const filled = (part: string, start = '') => start + part.repeat((MOST - start.length) / part.length);

/** Texts in which nearly each character is a token or a fault of the parser. */
const COSTLY = [
  filled('& '),
  filled('&x ', 'a: '),
  filled('!x '),
  filled('*a '),
  filled('""'),
  filled("'a' "),
  filled(': '),
  filled('\u2028b: '),
  filled('\\x', '"'),
  filled('\r%a'),
  filled('\r--- '),
  filled('| '),
  filled('a\t'),
];

describe('a text of a client', () => {
  it('is parsed while other work goes on, whatever it costs', async () => {
    let turns = 0;
    for (const text of COSTLY) {
      const parsing = parseYaml(text, 10);
      let parsed = false;
      void parsing.then(() => {
        parsed = true;
      });
      for (; !parsed; turns++) await setImmediate();
      const tree = await parsing;
      if ('faults' in tree) expect(tree.faults.length).toBeGreaterThan(0);
    }
    // Parsed on the main thread, each would take one.
    expect(turns).toBeGreaterThan(10 * COSTLY.length);
    expect(await parseYaml('a: 1', 10)).toMatchObject({ root: { kind: 'map', pairs: [{ key: 'a', line: 1 }] } });
  });

  it('is refused with few faults, which quote little of it', async () => {
    const long = 'k'.repeat(50_000);
    const text = `externalId: id\ncomments:\n${'  - *a\n'.repeat(3000).replace('*a', `&a {${long}: 1}`)}`;
    const error = await readMapping('m', text).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(MappingError);
    expect((error as MappingError).message.length).toBeLessThan(10_000_000);
  });

  it('may hold itself', async () => {
    await expect(readMapping('m', '&a\nexternalId: id\nfields: *a\n')).rejects.toThrow(MappingError);
    await expect(readMapping('m', '&a\nexternalId: id\ncomments: &b [*b]\n')).rejects.toThrow(MappingError);
  });
});
