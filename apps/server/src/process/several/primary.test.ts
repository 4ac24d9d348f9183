import { expect, test } from 'vitest';
import { sharesOf } from './primary.ts';

test.each([
  [10, 1, [10]],
  [10, 4, [3, 3, 2, 2]],
  [4, 4, [1, 1, 1, 1]],
])('%i connections of %i processes are divided as %j', (connections, processes, shares) => {
  expect(sharesOf(connections, processes)).toEqual(shares);
});
