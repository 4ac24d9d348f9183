/** What is shown of an explanation. */
import { expect, test } from 'vitest';
import { splitExplanation } from './explanation-text.ts';

test('a sentence is split into what one may or may not, and why', () => {
  expect(splitExplanation({ sentence: 'You may not delete the post, because you are no manager (by Staff).' })).toEqual(
    {
      what: 'You may not delete the post',
      reason: 'you are no manager',
    },
  );
  expect(splitExplanation({})).toEqual({ what: '', reason: '' });
});
