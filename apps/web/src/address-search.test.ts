import { expect, it } from 'vitest';
import { parseSearch } from './address-search.ts';
import { readListSearch } from './communities/list-search.ts';

it('leaves prototypes out of addresses', () => {
  const search = parseSearch('?filters={"__proto__":{"polluted":1}}&text=pump&__proto__={"text":"x"}');
  expect(Object.getOwnPropertyNames(search).sort()).toEqual(['filters', 'text']);
  expect(Object.getOwnPropertyNames(search['filters'])).toEqual([]);
  expect(readListSearch(search)).toEqual({ text: 'pump' });
  expect(readListSearch(parseSearch('?filters=[["state","in",{"__proto__":[]}],["state","in",3]]'))).toEqual({
    filters: [['state', 'in', 3]],
  });
});
