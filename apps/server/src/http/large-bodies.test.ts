/** Large bodies leave the event loop to others between them. */
import { describe, expect, it } from 'vitest';
import { turnOfLargeBody } from './large-bodies.ts';

describe('large bodies', () => {
  it('are read in the order they came, one in each turn of the event loop', async () => {
    let turns = 0;
    let counting = true;
    const count = () => {
      turns++;
      if (counting) setImmediate(count);
    };
    setImmediate(count);
    const read: { body: number; turn: number }[] = [];
    await Promise.all(
      Array.from({ length: 16 }, async (_, body) => {
        await turnOfLargeBody();
        read.push({ body, turn: turns });
      }),
    );
    counting = false;
    expect(read.map(({ body }) => body)).toEqual(Array.from({ length: 16 }, (_, body) => body));
    expect(new Set(read.map(({ turn }) => turn)).size).toBe(16);
  });
});
