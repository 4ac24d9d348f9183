import { randomBytes } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { clamAvScanner, ScannerError, ScannerLimitError } from './scanner.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Speaks INSTREAM as clamd does. @param judge the answer to the bytes, or undefined to wait for more */
async function standIn(
  judge: (bytes: Buffer, ended: boolean) => string | undefined,
): Promise<{ host: string; port: number }> {
  const server = createServer((socket: Socket) => {
    let data = Buffer.alloc(0);
    let bytes = Buffer.alloc(0);
    let begun = false;
    socket.on('error', () => undefined);
    socket.on('data', (piece: Buffer) => {
      data = Buffer.concat([data, piece]);
      if (!begun) {
        if (data.length < 10) return;
        if (data.toString('latin1', 0, 10) !== 'zINSTREAM\0') return void socket.end('UNKNOWN COMMAND\0');
        begun = true;
        data = data.subarray(10);
      }
      let ended = false;
      while (data.length >= 4 && !ended) {
        const length = data.readUInt32BE(0);
        if (length === 0) ended = true;
        else if (data.length < 4 + length) break;
        bytes = Buffer.concat([bytes, data.subarray(4, 4 + length)]);
        data = data.subarray(4 + length);
      }
      const answer = judge(bytes, ended);
      if (answer !== undefined) socket.end(`${answer}\0`);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { host: '127.0.0.1', port: (server.address() as { port: number }).port };
}

async function* pieces(data: Buffer): AsyncIterable<Buffer> {
  for (let at = 0; at < data.length; at += 65_536) yield data.subarray(at, at + 65_536);
}

describe('ClamAV', () => {
  it('is given every byte, and its word is taken', async () => {
    const data = randomBytes(3_000_000);
    let seen: Buffer | undefined;
    const clean = await standIn((bytes, ended) => {
      if (!ended) return undefined;
      seen = bytes;
      return 'stream: OK';
    });
    expect(await clamAvScanner(clean).scan(pieces(data))).toEqual({ clean: true });
    expect(seen?.equals(data)).toBe(true);
    const infected = await standIn((bytes, ended) => {
      if (!ended) return undefined;
      return bytes.includes('EICAR') ? 'stream: Eicar-Test-Signature FOUND' : 'stream: OK';
    });
    expect(await clamAvScanner(infected).scan(pieces(Buffer.from('x EICAR x')))).toEqual({
      clean: false,
      name: 'Eicar-Test-Signature',
    });
    expect(await clamAvScanner(infected).scan(pieces(Buffer.alloc(0)))).toEqual({ clean: true });
  });

  it('may stop a file that is too large for it', async () => {
    const limited = await standIn((bytes) =>
      bytes.length > 1_000_000 ? 'INSTREAM size limit exceeded. ERROR' : undefined,
    );
    await expect(clamAvScanner(limited).scan(pieces(randomBytes(20_000_000)))).rejects.toThrow(ScannerLimitError);
  });

  it('is asked in vain when it is not there, keeps silent, breaks off or talks nonsense', async () => {
    const gone = await standIn(() => undefined);
    servers.pop()!.close();
    await expect(clamAvScanner(gone).scan(pieces(Buffer.from('x')))).rejects.toThrow(ScannerError);
    const silent = await standIn(() => undefined);
    await expect(clamAvScanner({ ...silent, timeoutMs: 100 }).scan(pieces(Buffer.from('x')))).rejects.toThrow(
      'keeps silent',
    );
    const odd = await standIn((_bytes, ended) => (ended ? 'stream: maybe' : undefined));
    await expect(clamAvScanner(odd).scan(pieces(Buffer.from('x')))).rejects.toThrow('stream: maybe');
  });
});
