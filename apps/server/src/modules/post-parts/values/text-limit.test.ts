/** Limits of all values of a post together. */
import { maximumPostIds } from '@portico/contract';
import { expect, it } from 'vitest';
import { FieldErrors } from '../../../kernel/errors.ts';
import { checkScreenTexts, checkTextsTogether } from './text-limit.ts';

const ids = (count: number) => Array.from({ length: count }, (_, n) => n + 1);
const post = (customData: Record<string, unknown>) => ({ title: 'x', descriptionDelta: null, customData });

it('limits the ids in all lists of a post, and lets more of them stay that were there', () => {
  const found = (after: Record<string, unknown>, before?: Record<string, unknown>) => {
    const errors = new FieldErrors();
    checkTextsTogether(post(after), before && post(before), errors);
    return errors.list.map(({ code, field, args }) => ({ code, field, args }));
  };
  const full = { 1: ids(maximumPostIds / 2), 2: ids(maximumPostIds / 2) };
  const refused = (field: string) => [{ code: 'TOO_MANY_ITEMS', field, args: [maximumPostIds] }];
  expect(found(full)).toEqual([]);
  expect(found({ ...full, 3: [1] }, full)).toEqual(refused('customData.3'));
  expect(found({ ...full, 3: [1] })).toEqual(refused('customData.1'));
  const over = { ...full, 3: ids(10) };
  expect(found({ ...over, 3: ids(9) }, over)).toEqual([]);
  expect(found({ ...over, 3: ids(11) }, over)).toEqual(refused('customData.3'));
});

it('limits the ids on the screens of a post by themselves', () => {
  const errors = new FieldErrors();
  checkScreenTexts({ 7: ids(maximumPostIds + 1) }, {}, errors);
  expect(errors.list).toMatchObject([{ code: 'TOO_MANY_ITEMS', field: 'screenData.7' }]);
});
