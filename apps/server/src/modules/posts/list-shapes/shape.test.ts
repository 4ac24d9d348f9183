import { FilterType } from '@portico/contract';
import { describe, expect, test } from 'vitest';
import { parseShape, type ShapedInput, shapeOf, shapeText } from './shape.ts';

const shape = (input: ShapedInput) => shapeOf(input, 'page');

describe('the shape of a list', () => {
  test('names kinds of filters, fields and order, and no value', () => {
    const input: ShapedInput = {
      containsText: 'confidential',
      createdByUserIds: [4711],
      orderBy: 'postTitle',
      visibility: 1,
      postFieldFilters: [{ columnId: 12, typeId: FilterType.INTERVAL, parameters: [815, null] }],
      communityPostFilters: { currentWorkflowStatusIds: [99], postTypes: [2] },
      communityAttachmentFilters: { name: 'salaries.pdf' },
    };
    expect(shape(input)).toEqual({
      use: 'page',
      order: 'postTitle',
      filters: [
        'attachment name',
        'containsText',
        'createdByUserIds',
        'currentWorkflowStatusIds',
        `field 12 operator ${FilterType.INTERVAL}`,
        'postTypes',
        'private',
      ],
    });
    expect(shapeText(shape(input))).not.toMatch(/confidential|4711|815|99|salaries/);
  });

  test('is the same whatever the values, the direction, the place and the page', () => {
    const one = shape({ title: 'budget', orderBy: 'postTitle', orderDesc: true, pageSize: 5 });
    const other = shape({ communityPostFilters: { title: 'meeting' }, orderBy: 'postTitle', orderDesc: false });
    expect(shapeText(one)).toBe(shapeText(other));
  });

  test('leaves out what filters nothing', () => {
    const none = { title: '', createdByUserIds: [], onlyPinned: false, hashtagsLogicalAnd: true, pinnedFirst: true };
    expect(shape(none).filters).toEqual([]);
  });

  test('tells texts of one or two letters from longer ones, and ordinary posts from the others', () => {
    expect(shape({ title: 'ab' }).filters).toEqual(['title, short']);
    expect(shape({ postTypes: [1, 2] }).filters).toEqual(['postTypes, ordinary']);
    expect(shape({ visibility: 2 }).filters).toEqual(['public']);
    expect(shape({ postFieldFilters: [{ columnId: 3, typeId: FilterType.LIKE, parameters: ['x'] }] }).filters).toEqual([
      `field 3 operator ${FilterType.LIKE}, short`,
    ]);
  });

  test('calls orders by one name, however the older list calls them', () => {
    expect(shape({}).order).toBe('postLastModifyAndCommentTimestamp');
    expect(shape({ orderBy: 'postCustomField-7' }).order).toBe('field 7');
    expect(shape({ orderBy: 'title' as never, deprecated: true }).order).toBe('postTitle');
  });

  test('comes back from its text', () => {
    const kept = shape({ title: 'budget', orderBy: 'postTitle' });
    expect(parseShape(shapeText(kept))).toEqual(kept);
  });
});
