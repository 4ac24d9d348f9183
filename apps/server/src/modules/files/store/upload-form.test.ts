import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FORM_LIMITS, UploadForm, UploadFormError } from './upload-form.ts';

const TYPE = 'multipart/form-data; boundary=boundary';

function* cut(data: Buffer, sizes: readonly number[]): Iterable<Buffer> {
  let at = 0;
  for (let index = 0; at < data.length; index++) {
    const size = sizes[index % sizes.length]!;
    yield data.subarray(at, at + size);
    at += size;
  }
}

const bodyOf = (data: Buffer, sizes: readonly number[] = [65_536]) =>
  Readable.from(cut(data, sizes), { objectMode: false });

async function readAll(source: Readable) {
  const form = UploadForm.read(source, TYPE)!;
  try {
    const file = await form.file();
    const pieces: Uint8Array[] = [];
    if (file) for await (const piece of file) pieces.push(piece);
    await form.whole();
    return { fields: Object.fromEntries(form.fields), file: file && Buffer.concat(pieces) };
  } finally {
    form.stop();
  }
}

interface Part {
  name: string;
  data: Buffer;
}

function build(parts: readonly Part[]): Buffer {
  return Buffer.concat([
    ...parts.flatMap(({ name, data }) => [
      Buffer.from(`--boundary\r\ncontent-disposition: form-data; name="${name}"\r\nX-Other: 1\r\n\r\n`),
      data,
      Buffer.from('\r\n'),
    ]),
    Buffer.from('--boundary--\r\n'),
  ]);
}

const field = (name: string, value: string): Part => ({ name, data: Buffer.from(value) });

describe('the form of an upload', () => {
  it('gives back what was put in, however the body is cut', async () => {
    // Contents consist of pieces of the delimiter itself, so that near misses are frequent.
    const piece = fc.constantFrom('\r', '\n', '-', '--', '\r\n', '\r\n--', '\r\n--bou', 'boundary', 'x', '\r\n\r\n');
    const content = fc
      .array(piece, { maxLength: 30 })
      .map((pieces) => Buffer.from(pieces.join('').replaceAll('\r\n--boundary', '')))
      .filter((data) => !Buffer.concat([Buffer.from('\r\n'), data, Buffer.from('\r\n')]).includes('\r\n--boundary'));
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.record({ name: fc.stringMatching(/^[a-z]{5,8}$/), data: content }), {
          maxLength: 4,
          selector: ({ name }) => name,
        }),
        content,
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
        async (fields, file, sizes) => {
          const read = await readAll(bodyOf(build([...fields, { name: 'file', data: file }]), sizes));
          expect(read.fields).toEqual(Object.fromEntries(fields.map(({ name, data }) => [name, data.toString()])));
          expect(read.file).toEqual(file);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('ends, with a form or a refusal, whatever the body is', async () => {
    const piece = fc.constantFrom(
      '--boundary',
      '\r\n--boundary\r\n',
      '--boundary\r\n',
      '--boundary--',
      '\r\n\r\n',
      '\r\n',
      'Content-Disposition: form-data; name="file"',
      'Content-Disposition: form-data; name="a"; filename*=zzz\'\'%ff%',
      "Content-Disposition: form-data; name*=utf-16le'x'%00%d8; ; =; a*b*=c",
      'Content-Disposition: form-data; name',
      'Content-Disposition: form-data;;;"',
      'Content-Disposition: attachment; name=a',
      'Content-Type: text/plain; charset=zzz',
      'Content-Type: ;charset',
      'Content-Type: a; charset*=zzz; =',
      'Content-Transfer-Encoding:',
      ': x',
      ' folded',
      '\u00ff\u0000',
      'x'.repeat(70_000),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 25 }).map((pieces) => Buffer.from(pieces.join(''))),
        fc.constantFrom([1_000], [65_536], [7, 20_000]),
        async (body, sizes) => {
          const outcome = await readAll(bodyOf(body, sizes)).catch((error: unknown) => error);
          if (outcome instanceof Error) expect(outcome).toBeInstanceOf(UploadFormError);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('has a preamble, fields after the file, or no file', async () => {
    const preamble = Buffer.concat([Buffer.from('preamble\r\n'), build([field('a', '1'), field('file', 'x')])]);
    expect(await readAll(bodyOf(preamble, [3]))).toEqual({ fields: { a: '1' }, file: Buffer.from('x') });
    const after = build([field('a', '1'), field('file', 'x'), field('b', '2'), field('file', 'other')]);
    expect(await readAll(bodyOf(after))).toEqual({ fields: { a: '1' }, file: Buffer.from('x') });
    expect(await readAll(bodyOf(build([field('a', '1')])))).toEqual({ fields: { a: '1' }, file: undefined });
  });

  it('is refused when it is cut off', async () => {
    const whole = build([field('a', '1'), { name: 'file', data: Buffer.alloc(100_000, 'x') }]);
    for (const length of [0, 5, 40, 200, 90_000, whole.length - 14, whole.length - 4]) {
      await expect(readAll(bodyOf(whole.subarray(0, length))), String(length)).rejects.toThrow(UploadFormError);
    }
  });

  it('holds few fields, that are small together', async () => {
    const file = field('file', 'x');
    const { fields, fieldBytes, formBytes } = FORM_LIMITS;
    const many = (count: number) => Array.from({ length: count }, (_, index) => field(`f${index}`, 'v'));
    expect(Object.keys((await readAll(bodyOf(build([...many(fields), file])))).fields)).toHaveLength(fields);
    const half = 'v'.repeat(fieldBytes / 2 - 1);
    expect((await readAll(bodyOf(build([field('a', half), field('b', half), file])))).fields).toEqual({
      a: half,
      b: half,
    });
    const refused: Record<string, Buffer> = {
      'too many fields': build([...many(fields + 1), file]),
      'too many after the file': build([file, ...many(fields + 1)]),
      'too large together': build([field('a', half), field('b', `${half}v`), file]),
      'one too large': build([field('a', 'v'.repeat(fieldBytes)), file]),
      'one that is far too large': build([field('a', 'v'.repeat(1 << 20)), file]),
      'a long preamble': Buffer.concat([Buffer.alloc(4 * formBytes, 'x'), Buffer.from('\r\n'), build([file])]),
      'a long part without name': Buffer.concat([
        Buffer.from(`--boundary\r\nX: 1\r\n\r\n${'x'.repeat(4 * formBytes)}\r\n`),
        build([file]),
      ]),
      'long headers': Buffer.from(`--boundary\r\nX: ${'y'.repeat(4 * formBytes)}`),
      'a long epilogue': Buffer.concat([build([file]), Buffer.alloc(4 * formBytes, 'x')]),
    };
    for (const [name, body] of Object.entries(refused)) {
      await expect(readAll(bodyOf(body)), name).rejects.toThrow(UploadFormError);
    }
  });

  it('takes nothing of the file while nobody reads it', async () => {
    let taken = 0;
    async function* endless(): AsyncIterable<Buffer> {
      yield Buffer.from('--boundary\r\nContent-Disposition: form-data; name="file"\r\n\r\n');
      for (;;) {
        const chunk = Buffer.alloc(65_536, 'x');
        taken += chunk.length;
        yield chunk;
      }
    }
    const source = Readable.from(endless(), { objectMode: false, highWaterMark: 65_536 });
    const form = UploadForm.read(source, TYPE)!;
    expect(await form.file()).toBeDefined();
    for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(taken).toBeLessThan(10 * 65_536);
    form.stop();
    source.destroy();
  });

  it('has a Content-Type with a boundary', () => {
    const none = [undefined, '', 'application/json', 'multipart/mixed; boundary=a', 'multipart/form-data'];
    none.push('application/x-www-form-urlencoded; boundary=a', `multipart/form-data; boundary=${'x'.repeat(300)}`);
    none.push('multipart/form-data;', `multipart/form-data;${' '.repeat(60_000)}x`);
    for (const type of none) expect(UploadForm.read(bodyOf(Buffer.alloc(0)), type), type).toBeUndefined();
    for (const type of ['multipart/form-data; boundary=abc', 'Multipart/Form-Data; charset=utf-8; Boundary="a b;c"'])
      expect(UploadForm.read(bodyOf(Buffer.alloc(0)), type), type).toBeDefined();
  });
});
