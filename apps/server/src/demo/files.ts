/** Small real files, made in code: pictures that can be shown, sound that can be played, documents with text in them. */
import { crc32, deflateSync } from 'node:zlib';

type Colour = readonly [red: number, green: number, blue: number];

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}

/** A picture with a diagonal shade from one colour to another (PNG). Sizes in pixels. */
export function picture(width: number, height: number, from: Colour, to: Colour): Buffer {
  const rows = Buffer.alloc(height * (width * 3 + 1));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const share = (x / width + y / height) / 2;
      const at = y * (width * 3 + 1) + 1 + x * 3;
      for (let part = 0; part < 3; part++) {
        rows[at + part] = Math.round((from[part] as number) * (1 - share) + (to[part] as number) * share);
      }
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Two frames that take turns (GIF), 16 × 16 pixels. */
export function movingPicture(first: Colour, second: Colour): Buffer {
  const size = 16;
  // Uncompressed LZW: a clear code before the table grows keeps every code 3 bits wide.
  const frame = (index: number) => {
    const codes: number[] = [];
    for (let pixel = 0; pixel < size * size; pixel++) {
      if (pixel % 2 === 0) codes.push(4);
      codes.push(index);
    }
    codes.push(5);
    const bits = Buffer.alloc(Math.ceil((codes.length * 3) / 8));
    codes.forEach((code, position) => {
      for (let bit = 0; bit < 3; bit++) {
        if ((code >> bit) & 1) {
          const at = position * 3 + bit;
          bits[at >> 3] = (bits[at >> 3] as number) | (1 << (at & 7));
        }
      }
    });
    const blocks: Buffer[] = [];
    for (let start = 0; start < bits.length; start += 255) {
      const part = bits.subarray(start, start + 255);
      blocks.push(Buffer.from([part.length]), part);
    }
    return Buffer.concat([
      Buffer.from([0x21, 0xf9, 4, 0, 50, 0, 0, 0, 0x2c, 0, 0, 0, 0, size, 0, size, 0, 0, 2]),
      ...blocks,
      Buffer.from([0]),
    ]);
  };
  return Buffer.concat([
    Buffer.from('GIF89a', 'latin1'),
    Buffer.from([size, 0, size, 0, 0x91, 0, 0, ...first, ...second, 0, 0, 0, 255, 255, 255]),
    Buffer.from([0x21, 0xff, 11]),
    Buffer.from('NETSCAPE2.0', 'latin1'),
    Buffer.from([3, 1, 0, 0, 0]),
    frame(0),
    frame(1),
    Buffer.from([0x3b]),
  ]);
}

/** A page with a few lines of Latin text (PDF). */
export function pdf(lines: readonly string[]): Buffer {
  const shown = lines
    .map((line) => `(${line.replaceAll(/[^\x20-\x7e]/g, '?').replaceAll(/[()\\]/g, '\\$&')}) Tj T*`)
    .join('\n');
  const content = `BT /F1 12 Tf 16 TL 72 760 Td\n${shown}\nET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const xref = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`;
  const end = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(text + xref + end, 'latin1');
}

/** A short tone (WAV, 8 kHz, 8 bit). @param hertz pitch */
export function tone(hertz: number): Buffer {
  const rate = 8000;
  const samples = Buffer.alloc(rate / 8);
  for (let index = 0; index < samples.length; index++) {
    samples[index] = 128 + Math.round(60 * Math.sin((2 * Math.PI * hertz * index) / rate));
  }
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(36 + samples.length, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE(rate, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
}

/** A film of no length (MP4): enough for players to open it. */
export function film(): Buffer {
  const box = (type: string, ...parts: Buffer[]): Buffer => {
    const body = Buffer.concat(parts);
    const head = Buffer.alloc(8);
    head.writeUInt32BE(body.length + 8, 0);
    head.write(type, 4, 'latin1');
    return Buffer.concat([head, body]);
  };
  const movie = Buffer.alloc(100);
  movie.writeUInt32BE(1000, 12); // time scale: units per second
  movie.writeUInt32BE(0x00010000, 20); // normal speed
  movie.writeUInt16BE(0x0100, 24); // full volume
  for (const [at, value] of [
    [36, 0x00010000],
    [52, 0x00010000],
    [68, 0x40000000],
    [96, 1],
  ] as const) {
    movie.writeUInt32BE(value, at);
  }
  return Buffer.concat([
    box('ftyp', Buffer.from('isom\0\0\x02\0isommp41', 'latin1')),
    box('moov', box('mvhd', movie)),
    box('mdat', Buffer.alloc(16)),
  ]);
}
