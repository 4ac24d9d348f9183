import { describe, expect, it } from 'vitest';
import { exceededLimit } from './json-structure.ts';

describe('the structure of a text', () => {
  const none = { levels: 9, containers: 9, members: 9 };

  it('has levels, counted outside of strings', () => {
    const limits = (levels: number) => ({ ...none, levels });
    expect(exceededLimit('[[{}]]', limits(3))).toBeUndefined();
    expect(exceededLimit('[[{}]]', limits(2))).toBe('levels');
    expect(exceededLimit('["[[[[\\"[[[","\\\\",[]]', limits(2))).toBeUndefined();
    expect(exceededLimit('[],[],[]', limits(1))).toBeUndefined();
    expect(exceededLimit('["[[[', limits(1))).toBeUndefined();
  });

  it('has lists and objects, counted together', () => {
    expect(exceededLimit('[{},[],{}]', { ...none, containers: 4 })).toBeUndefined();
    expect(exceededLimit('[{},[],{}]', { ...none, containers: 3 })).toBe('containers');
    expect(exceededLimit(']]][', { ...none, containers: 1 })).toBeUndefined();
  });

  it('has members, counted for each object', () => {
    expect(exceededLimit('{"a":{"b":1,"c":":"},"d":{"e":2}}', { ...none, members: 2 })).toBeUndefined();
    expect(exceededLimit('{"a":{"b":1,"c":2},"d":{"e":2}}', { ...none, members: 1 })).toBe('members');
    expect(exceededLimit('{"a":[{"b":1},{"b":2}],"c":3}', { ...none, members: 1 })).toBe('members');
  });
});
