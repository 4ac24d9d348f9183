import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentDisposition, matchesEtag, readRange, savedName } from './file-headers.ts';

describe('headers of files', () => {
  it('reads ranges', () => {
    const cases: [string | undefined, number, ReturnType<typeof readRange>][] = [
      [undefined, 10, undefined],
      ['bytes=0-0', 10, { start: 0, end: 0 }],
      ['bytes=2-', 10, { start: 2, end: 9 }],
      ['bytes=2-100', 10, { start: 2, end: 9 }],
      ['bytes=-3', 10, { start: 7, end: 9 }],
      ['bytes=-30', 10, { start: 0, end: 9 }],
      ['bytes=10-', 10, 'unsatisfiable'],
      ['bytes=-0', 10, 'unsatisfiable'],
      ['bytes=0-', 0, 'unsatisfiable'],
      ['bytes=-5', 0, 'unsatisfiable'],
      ['bytes=5-2', 10, undefined],
      ['bytes=0-1,4-5', 10, undefined],
      ['bytes=-', 10, undefined],
      ['items=0-1', 10, undefined],
      ['bytes=x', 10, undefined],
      [`bytes=${'9'.repeat(400)}-`, 10, 'unsatisfiable'],
    ];
    for (const [header, size, expected] of cases) expect(readRange(header, size), header).toEqual(expected);
  });

  it('compares entity tags', () => {
    expect(matchesEtag('"a"', '"a"')).toBe(true);
    expect(matchesEtag('"b", W/"a"', '"a"')).toBe(true);
    expect(matchesEtag('*', '"a"')).toBe(true);
    expect(matchesEtag('"b"', '"a"')).toBe(false);
    expect(matchesEtag(undefined, '"a"')).toBe(false);
  });

  it('names files so that nothing but a name is left', () => {
    const cases: [string, string][] = [
      ['report.pdf', 'report.pdf'],
      ['Perché no?.txt', 'Perché no?.txt'],
      ['../../etc/passwd', '_.._etc_passwd'],
      ['C:\\Windows\\a.exe', 'C:_Windows_a.exe'],
      ['a\r\nSet-Cookie: x=1.txt', 'aSet-Cookie: x=1.txt'],
      ['invoice\u202egnp.exe', 'invoicegnp.exe'],
      ['.htaccess', 'htaccess'],
      ['...', 'file'],
      ['', 'file'],
      ['\ud800.txt', '\ufffd.txt'],
    ];
    for (const [name, expected] of cases) expect(savedName(name), name).toBe(expected);
    const long = savedName(`${'ä'.repeat(4_000)}.docx`);
    expect([...long].length).toBe(150);
    expect(long.endsWith('.docx')).toBe(true);
  });

  it('writes headers that any name fits into, and from which the name can be read back', () => {
    expect(contentDisposition('attachment', 'a "b".txt')).toBe(
      `attachment; filename="a _b_.txt"; filename*=UTF-8''a%20%22b%22.txt`,
    );
    expect(contentDisposition('inline', 'a.txt')).toBe('inline; filename="a.txt"');
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
        const header = contentDisposition('attachment', name);
        expect(header).toMatch(
          /^attachment; filename="[\x20-\x21\x23-\x5b\x5d-\x7e]*"(; filename\*=UTF-8''[A-Za-z0-9%._~!$&+^`|-]*)?$/,
        );
        const exact =
          /filename\*=UTF-8''(.*)$/.exec(header)?.[1] ?? encodeURIComponent(/filename="(.*)"/.exec(header)![1]!);
        expect(decodeURIComponent(exact)).toBe(savedName(name));
        expect(header.length).toBeLessThan(2_200);
      }),
    );
  });
});
