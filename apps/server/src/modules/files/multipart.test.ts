import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundaryOf, MultipartError, MultipartReader } from './multipart.ts';

async function* cut(data: Buffer, sizes: readonly number[]): AsyncIterable<Buffer> {
  let at = 0;
  for (let index = 0; at < data.length; index++) {
    const size = sizes[index % sizes.length]!;
    yield data.subarray(at, at + size);
    at += size;
  }
}

async function readAll(data: Buffer, boundary: string, sizes: readonly number[]) {
  const reader = new MultipartReader(cut(data, sizes), boundary);
  const parts: { name: string; data: Buffer }[] = [];
  for (let part = await reader.next(); part; part = await reader.next()) {
    const pieces: Buffer[] = [];
    for await (const piece of reader.pieces()) pieces.push(piece);
    parts.push({ name: part.name, data: Buffer.concat(pieces) });
  }
  return parts;
}

function build(boundary: string, parts: readonly { name: string; data: Buffer }[]): Buffer {
  return Buffer.concat([
    ...parts.flatMap(({ name, data }) => [
      Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\nX-Other: 1\r\n\r\n`),
      data,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
}

describe('multipart/form-data', () => {
  it('gives back what was put in, however the body is cut', async () => {
    // Contents are made of the pieces of the delimiter itself, so that near misses are frequent.
    const piece = fc.constantFrom(
      '\r',
      '\n',
      '-',
      '--',
      '\r\n',
      '\r\n--',
      '\r\n--b',
      '\r\n--bou',
      'boundary',
      'x',
      '\r\n\r\n',
    );
    const content = fc
      .array(piece, { maxLength: 30 })
      .map((pieces) => Buffer.from(pieces.join('').replaceAll('\r\n--boundary', '')))
      .filter((data) => !Buffer.concat([Buffer.from('\r\n'), data, Buffer.from('\r\n')]).includes('\r\n--boundary'));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ name: fc.stringMatching(/^[a-z]{1,8}$/), data: content }), { maxLength: 4 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
        async (parts, sizes) => {
          expect(await readAll(build('boundary', parts), 'boundary', sizes)).toEqual(parts);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('passes large pieces on without copying them', async () => {
    // Nothing in it looks like the beginning of a boundary, which would have to be kept back.
    const data = Buffer.alloc(1 << 20, 'x');
    const body = build('b', [{ name: 'file', data }]);
    const reader = new MultipartReader(cut(body, [65_536]), 'b');
    await reader.next();
    const pieces: Buffer[] = [];
    for await (const piece of reader.pieces()) pieces.push(piece);
    expect(Buffer.concat(pieces).equals(data)).toBe(true);
    expect(pieces.filter((piece) => piece.buffer === body.buffer).length).toBeGreaterThanOrEqual(16);
  });

  it('takes a preamble, blanks after a boundary, and an end without a line break', async () => {
    const body = Buffer.from('preamble\r\n--b \t\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--b--');
    expect(await readAll(body, 'b', [3])).toEqual([{ name: 'a', data: Buffer.from('1') }]);
    expect(await readAll(Buffer.from('--b--'), 'b', [1])).toEqual([]);
  });

  it('refuses what is no such body', async () => {
    const head = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n';
    const broken = [
      '',
      '--b',
      'x'.repeat(20_000),
      `${head}value`,
      `${head}value\r\n--b`,
      `${head}value\r\n--b-`,
      `${head}value\r\n--bc\r\n`,
      '--b\r\n\r\nvalue\r\n--b--',
      '--b\r\nContent-Disposition: attachment; name="a"\r\n\r\nvalue\r\n--b--',
      '--b\r\nContent-Disposition: form-data; filename="a"\r\n\r\nvalue\r\n--b--',
      `--b\r\nX: ${'y'.repeat(20_000)}\r\n\r\nvalue\r\n--b--`,
      `--b\r\n${'y'.repeat(20_000)}`,
    ];
    for (const body of broken) {
      await expect(readAll(Buffer.from(body), 'b', [1_000]), body.slice(0, 80)).rejects.toThrow(MultipartError);
    }
  });

  it('bounds what it holds of a field', async () => {
    const body = build('b', [{ name: 'a', data: Buffer.alloc(1_001, 'x') }]);
    const reader = new MultipartReader(cut(body, [100]), 'b');
    await reader.next();
    await expect(reader.text(1_000)).rejects.toThrow(MultipartError);
  });

  it('reads boundaries', () => {
    expect(boundaryOf('multipart/form-data; boundary=abc')).toBe('abc');
    expect(boundaryOf('Multipart/Form-Data; charset=utf-8; Boundary="a b;c"')).toBe('a b;c');
    for (const none of [
      undefined,
      '',
      'application/json',
      'multipart/mixed; boundary=a',
      'multipart/form-data',
      'multipart/form-data; boundary=',
      `multipart/form-data; boundary=${'x'.repeat(300)}`,
      `multipart/form-data;${' '.repeat(60_000)}x`,
    ]) {
      expect(boundaryOf(none)).toBeUndefined();
    }
  });
});
