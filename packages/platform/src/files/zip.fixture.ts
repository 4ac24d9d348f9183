/** Zip archives made by hand, for tests. */
import { crc32, deflateRawSync } from 'node:zlib';

/** A zip archive as office programs write it. */
export function zip(entries: Record<string, string | Buffer>): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(entries)) {
    const content = Buffer.from(text as string);
    // The media type of an OpenDocument package can be read without unpacking.
    const stored = name === 'mimetype';
    const data = stored ? content : deflateRawSync(content);
    const local = Buffer.alloc(30);
    local.write('PK\x03\x04', 'latin1');
    local.writeUInt16LE(stored ? 0 : 8, 8);
    local.writeUInt32LE(crc32(content), 14);
    local.writeUInt32LE(data.length, 18);
    local.writeUInt32LE(content.length, 22);
    local.writeUInt16LE(Buffer.byteLength(name), 26);
    const central = Buffer.alloc(46);
    central.write('PK\x01\x02', 'latin1');
    central.writeUInt16LE(stored ? 0 : 8, 10);
    central.writeUInt32LE(crc32(content), 16);
    central.writeUInt32LE(data.length, 20);
    central.writeUInt32LE(content.length, 24);
    central.writeUInt16LE(Buffer.byteLength(name), 28);
    central.writeUInt32LE(offset, 42);
    locals.push(local, Buffer.from(name), data);
    directory.push(central, Buffer.from(name));
    offset += 30 + Buffer.byteLength(name) + data.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt32LE(offset, 16);
  const bytes = Buffer.concat(directory).length;
  end.writeUInt16LE(Object.keys(entries).length, 8);
  end.writeUInt16LE(Object.keys(entries).length, 10);
  end.writeUInt32LE(bytes, 12);
  return Buffer.concat([...locals, ...directory, end]);
}
