/** Repeated items of lists to filter by. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { listLimits } from '../limits.ts';
import { leaveOutRepeats, normaliseBody } from './index.ts';

const TYPE = 'ListCommunityPostsFilteredRequest';
const most = listLimits.filterIds;

/** The body without repeats in lists that are too long. */
function without(body: Record<string, unknown>): Record<string, unknown> {
  leaveOutRepeats(TYPE, body);
  return body;
}

describe('lists to filter by', () => {
  test('keep at most one id more than their limit, and all that are different below it', () => {
    const drawn = fc.tuple(fc.integer({ min: 1, max: most + 50 }), fc.integer({ min: 1, max: 3 }));
    fc.assert(
      fc.property(drawn, ([different, times]) => {
        const ids = Array.from({ length: different * times }, (_, index) => index % different);
        const { hashtagIds, communityPostFilters } = without({
          hashtagIds: ids,
          communityPostFilters: { createdByUserIds: [...ids] },
        });
        const kept = ids.length <= most ? ids : [...new Set(ids)].slice(0, most + 1);
        expect(hashtagIds).toEqual(kept);
        expect(communityPostFilters).toEqual({ createdByUserIds: kept });
      }),
      { numRuns: 20 },
    );
  });

  test('that hold anything but numbers and texts stay, so that the fault is told at its place', () => {
    const list = [...Array(most + 1).fill(5), null];
    expect(without({ hashtagIds: list })['hashtagIds']).toHaveLength(most + 2);
  });

  test('of parameters keep equal bounds of an interval; others hold each id once', () => {
    const postFieldFilters = [{ columnId: 1, typeId: 2, parameters: [5, 5] }];
    const body = without({ hashtagIds: [3, 3, 4, 3], postFieldFilters });
    expect(normaliseBody(TYPE, body)).toEqual({ hashtagIds: [3, 4], postFieldFilters });
  });
});
