/** PDF documents made by hand, for tests. */
import { deflateSync } from 'node:zlib';

type Objects = Readonly<Record<number, string | Buffer>>;

/** A stream object. @param dictionary its entries but the length */
export function pdfStream(dictionary: string, data: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`<< ${dictionary} /Length ${data.length} >>\nstream\n`),
    data,
    Buffer.from('\nendstream'),
  ]);
}

/** Objects one after the other. @returns the bytes and where each object begins */
function body(objects: Objects): { bytes: Buffer; offsets: Map<number, number> } {
  const parts = [Buffer.from('%PDF-1.7\n')];
  const offsets = new Map<number, number>();
  let length = parts[0]!.length;
  for (const [number, content] of Object.entries(objects)) {
    offsets.set(Number(number), length);
    const part = Buffer.concat([
      Buffer.from(`${number} 0 obj\n`),
      Buffer.from(content as string),
      Buffer.from('\nendobj\n'),
    ]);
    parts.push(part);
    length += part.length;
  }
  return { bytes: Buffer.concat(parts), offsets };
}

/** A document of numbered objects, 1 being the catalog, with a table of them. @param trailer more entries of the trailer */
export function pdf(objects: Objects, trailer = ''): Buffer {
  const { bytes, offsets } = body(objects);
  const size = Math.max(...offsets.keys()) + 1;
  const table = Array.from({ length: size }, (_, number) => {
    const offset = offsets.get(number);
    return offset === undefined ? '0000000000 65535 f \n' : `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  return Buffer.concat([
    bytes,
    Buffer.from(
      `xref\n0 ${size}\n${table.join('')}trailer << /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${bytes.length}\n%%EOF`,
    ),
  ]);
}

/** A document of one page, 612 by 792 points, with a font /F1 (object 5) and a packed content. */
export function onePage(
  content: string | Buffer,
  options: { font?: string; more?: Objects; mediaBox?: string; resources?: string; page?: string } = {},
): Buffer {
  return pdf({
    1: '<< /Type /Catalog /Pages 2 0 R >>',
    2: '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    3: `<< /Type /Page /Parent 2 0 R /MediaBox ${options.mediaBox ?? '[0 0 612 792]'} /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> ${options.resources ?? ''} >> ${options.page ?? ''} >>`,
    4: pdfStream('/Filter /FlateDecode', deflateSync(Buffer.from(content as string, 'latin1'))),
    5: options.font ?? '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...options.more,
  });
}

/** A document whose plain objects are packed in a stream, as newer programs write them. @param packed without streams */
export function packedPdf(packed: Readonly<Record<number, string>>, streams: Objects): Buffer {
  const numbers = Object.keys(packed).map(Number);
  let at = 0;
  const index = numbers.map((number) => {
    const pair = `${number} ${at}`;
    at += packed[number]!.length + 1;
    return pair;
  });
  const head = `${index.join(' ')} `;
  const holder = Math.max(...numbers, ...Object.keys(streams).map(Number)) + 1;
  const { bytes, offsets } = body({
    ...streams,
    [holder]: pdfStream(
      `/Type /ObjStm /N ${numbers.length} /First ${head.length} /Filter /FlateDecode`,
      deflateSync(`${head}${numbers.map((number) => packed[number]).join(' ')}`),
    ),
  });
  offsets.set(holder + 1, bytes.length);
  const rows = Array.from({ length: holder + 2 }, (_, number) => {
    const row = Buffer.alloc(5);
    const position = numbers.indexOf(number);
    const offset = offsets.get(number);
    const free = offset === undefined ? 0 : 1;
    row[0] = position >= 0 ? 2 : free;
    row.writeUInt16BE(position >= 0 ? holder : (offset ?? 0), 1);
    row.writeUInt16BE(Math.max(0, position), 3);
    return row;
  });
  const table = pdfStream(`/Type /XRef /Size ${holder + 2} /W [1 2 2] /Root 1 0 R`, Buffer.concat(rows));
  return Buffer.concat([
    bytes,
    Buffer.from(`${holder + 1} 0 obj\n`),
    table,
    Buffer.from(`\nendobj\nstartxref\n${bytes.length}\n%%EOF`),
  ]);
}
