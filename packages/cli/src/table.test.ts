/** Tables fit the terminal. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cut, displayWidth, layOut, wrapped } from './table.ts';

const cell = fc
  .oneof(fc.string({ maxLength: 40 }), fc.stringMatching(/^[a-z会議ü ]{0,80}$/))
  .map((text) => text.replaceAll(/\s/g, ' '));

it('has no line that is wider than the terminal, and says how many columns have no room', () => {
  fc.assert(
    fc.property(
      fc
        .integer({ min: 1, max: 9 })
        .chain((count) =>
          fc.array(fc.array(cell, { minLength: count, maxLength: count }), { minLength: 1, maxLength: 5 }),
        ),
      fc.integer({ min: 6, max: 120 }),
      (lines, available) => {
        const { lines: printed, left } = layOut(lines, available);
        for (const line of printed) expect(displayWidth(line)).toBeLessThanOrEqual(available);
        expect(left).toBeLessThanOrEqual(Math.max(0, (lines[0]?.length ?? 0) - Math.floor((available + 2) / 8)));
      },
    ),
    { numRuns: 60 },
  );
});

it('keeps all cells whole where there is room', () => {
  expect(
    layOut([
      ['id', 'title'],
      ['7', 'Pump leaks'],
    ]),
  ).toEqual({ lines: ['id  title', '7   Pump leaks'], left: 0 });
  expect(
    layOut(
      [
        ['id', 'text'],
        ['7', 'one two three'],
      ],
      12,
    ).lines,
  ).toEqual(['id  text', '7   one two', '    three']);
});

it('cuts by the width on the terminal, and wraps at spaces', () => {
  expect(cut('会議室', 5)).toBe('会議…');
  expect(wrapped('one two three', 7)).toEqual(['one two', 'three']);
});
