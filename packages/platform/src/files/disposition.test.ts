import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentDisposition, dispositionOf, savedName, sentAs } from './disposition.ts';

describe('what answers say of files', () => {
  it('shows a file that may not be downloaded where a viewer does, script as text, and never gives it away', () => {
    const sent = (mimeType: string, download = false) => sentAs({ mimeType, name: 'a', downloadable: false }, download);
    for (const mimeType of ['image/png', 'application/pdf', 'audio/mpeg', 'video/mp4', 'application/json']) {
      expect(sent(mimeType)).toEqual({ contentType: mimeType, disposition: 'inline; filename="a"' });
    }
    for (const mimeType of ['text/plain', 'text/html', 'text/csv', 'image/svg+xml', 'application/xml', 'text/xml']) {
      expect(sent(mimeType)?.contentType).toBe('text/plain; charset=utf-8');
      expect(sent(mimeType)?.disposition).toMatch(/^inline/);
    }
    for (const mimeType of ['application/zip', 'application/octet-stream', 'image/vnd.dwg', 'application/msword']) {
      expect(sent(mimeType)).toBeUndefined();
    }
    expect(sent('image/png', true)).toBeUndefined();
    expect(sentAs({ mimeType: 'image/png', name: 'a' }, true)?.disposition).toBe('attachment; filename="a"');
  });

  it('shows only what cannot carry script', () => {
    expect(dispositionOf({ mimeType: 'image/png', name: null }, false)).toBe('inline');
    expect(dispositionOf({ mimeType: 'image/png', name: 'a.png' }, true)).toBe('attachment; filename="a.png"');
    for (const mimeType of ['text/html', 'image/svg+xml', 'application/xhtml+xml', 'application/octet-stream']) {
      expect(dispositionOf({ mimeType, name: 'a.png' }, false)).toBe('attachment; filename="a.png"');
    }
  });

  it('names files so that nothing but a name is left', () => {
    const cases: [string, string][] = [
      ['report.pdf', 'report.pdf'],
      ['Perché no?.txt', 'Perché no?.txt'],
      ['../../etc/passwd', '_.._etc_passwd'],
      ['C:\\Windows\\a.exe', 'C:_Windows_a.exe'],
      ['a\r\nSet-Cookie: x=1.txt', 'aSet-Cookie: x=1.txt'],
      ['invoice\u202egnp.exe', 'invoice\ufffdgnp.exe'],
      ['\u2067a\u2069\u200f.txt', '\ufffda\ufffd\ufffd.txt'],
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
