import { describe, expect, it } from 'vitest';
import { sniffMimeType } from '../platform/files/index.ts';
import { Random } from '../platform/random.ts';
import { film, movingPicture, pdf, picture, tone } from './files.ts';

const kindOf = (data: Buffer) =>
  sniffMimeType({ size: data.length, read: async (start, length) => data.subarray(start, start + length) });

describe('files of the demo', () => {
  it('are what their names say', async () => {
    expect(await kindOf(picture(8, 8, [0, 0, 0], [255, 255, 255]))).toBe('image/png');
    expect(await kindOf(movingPicture([0, 0, 0], [255, 255, 255]))).toBe('image/gif');
    expect(await kindOf(pdf(['One line (with brackets)']))).toBe('application/pdf');
    expect(await kindOf(tone(440))).toBe('audio/wav');
    expect(await kindOf(film())).toBe('video/mp4');
  });
});

describe('random numbers of the demo', () => {
  it('are the same for the same seed, within their bounds, and spread', () => {
    const [one, two] = [new Random(7), new Random(7)];
    const drawn = Array.from({ length: 1000 }, () => one.int(3, 12));
    expect(Array.from({ length: 1000 }, () => two.int(3, 12))).toEqual(drawn);
    expect(new Set(drawn)).toEqual(new Set([3, 4, 5, 6, 7, 8, 9, 10, 11, 12]));
    expect(new Set(one.some([1, 2, 3, 4, 5], 3)).size).toBe(3);
  });
});
