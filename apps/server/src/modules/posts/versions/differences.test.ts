import { FieldType, type TextPiece, TextPieceKind } from '@portico/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FieldDefinition } from '../../communities/index.ts';
import { differences } from './differences.ts';

const { SAME, ADDED, REMOVED } = TextPieceKind;
const compare = async (before: string, after: string) => {
  const [change] = await differences({ descriptionPlainText: before }, { descriptionPlainText: after }, []);
  return change?.words;
};
const without = (words: readonly TextPiece[] | undefined, kind: number) =>
  (words ?? []).map((piece) => (piece.kind === kind ? '' : piece.text)).join('');
const many = (count: number, seed: string) => Array.from({ length: count }, (_, n) => `${seed}${n}`).join(' ');

describe('words of two texts', () => {
  it('make up both texts, neighbours of one kind joined', async () => {
    const text = fc.array(fc.constantFrom('red', 'blue ', ' ', 'paint', ',', '\n', 'é')).map((words) => words.join(''));
    await fc.assert(
      fc.asyncProperty(text, text, async (before, after) => {
        fc.pre(before !== after);
        const words = await compare(before, after);
        expect([without(words, ADDED), without(words, REMOVED)]).toEqual([before, after]);
        const kinds = (words ?? []).map(({ kind }) => kind);
        expect(kinds.every((kind, index) => kind !== kinds[index - 1])).toBe(true);
      }),
    );
  });

  it('are compared where little differs, however long the texts are', async () => {
    const [start, end] = [many(20_000, 'a'), many(20_000, 'b')];
    expect(await compare(`${start} old ${end}`, `${start} new ${end}`)).toEqual([
      { kind: SAME, text: `${start} ` },
      { kind: REMOVED, text: 'old' },
      { kind: ADDED, text: 'new' },
      { kind: SAME, text: ` ${end}` },
    ]);
  });

  it('are those of the whole texts where much differs', async () => {
    const [before, after] = [many(300, 'a'), many(300, 'b')];
    const whole = [
      { kind: REMOVED, text: before },
      { kind: ADDED, text: after },
    ];
    expect(await compare(before, after)).toEqual(whole);
  });

  it('are bounded for all texts of an answer', async () => {
    const fields = Array.from(
      { length: 8 },
      (_, id) => ({ id, label: `Text ${id}`, type: FieldType.TEXT_AREA }) as FieldDefinition,
    );
    const texts = (seed: string) => ({
      customData: Object.fromEntries(fields.map(({ id }) => [id, `${many(180, seed)} x ${seed}`])),
    });
    const changes = await differences(texts('a'), texts('b'), fields);
    // Each differs in 362 words: the sixth would exceed two thousand.
    expect(changes.map(({ words }) => words?.some(({ kind }) => kind === SAME))).toEqual([
      true,
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
