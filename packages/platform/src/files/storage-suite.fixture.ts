/** Requirements of every storage of files: one suite of tests for all drivers. */
import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { FileNotStoredError, type FileStorage, FileTooLargeError } from './storage.ts';

/** A storage under test. */
interface StorageUnderTest {
  storage: FileStorage;
  /** How many receptions have left something behind that is neither published nor given up. */
  leftOvers(): Promise<number>;
  /** Whether equal contents of a tenant are kept once; else each has a key of its own. */
  sharesEqual: boolean;
}

const NO_LIMIT = { maxBytes: Number.MAX_SAFE_INTEGER };
const inAnHour = () => Date.now() + 3_600_000;

async function* pieces(data: Buffer, length: number): AsyncIterable<Buffer> {
  for (let at = 0; at < data.length; at += length) yield data.subarray(at, at + length);
}

/** Declares the tests. @param open gives an empty storage */
export function describeStorage(name: string, open: () => Promise<StorageUnderTest>): void {
  describe(`file storage: ${name}`, () => {
    it('gives back what it took in, with its size and digests', async () => {
      const { storage, leftOvers } = await open();
      for (const size of [0, 1, 65_536, 3_000_001]) {
        const data = randomBytes(size);
        const received = await storage.receive(7, pieces(data, 50_000), NO_LIMIT);
        expect(received.size).toBe(size);
        expect(received.md5).toBe(createHash('md5').update(data).digest('base64'));
        expect(received.sha256).toBe(createHash('sha256').update(data).digest('hex'));
        expect((await received.read(0, 10)).equals(data.subarray(0, 10))).toBe(true);
        expect((await received.read(size - 1, 10)).equals(data.subarray(Math.max(0, size - 1)))).toBe(true);
        expect(await storage.stat(received.storageKey)).toBeUndefined();
        await received.publish();
        expect(await storage.stat(received.storageKey)).toMatchObject({ size });
        expect((await buffer(await storage.open(received.storageKey))).equals(data)).toBe(true);
      }
      expect(await leftOvers()).toBe(0);
    });

    it('reads ranges', async () => {
      const { storage } = await open();
      const data = randomBytes(100_000);
      const received = await storage.receive(1, pieces(data, 9_999), NO_LIMIT);
      await received.publish();
      for (const [start, end] of [
        [0, 0],
        [0, 99_999],
        [99_999, 99_999],
        [500, 70_000],
      ] as const) {
        const part = await buffer(await storage.open(received.storageKey, { start, end }));
        expect(part.equals(data.subarray(start, end + 1))).toBe(true);
      }
    });

    it('leaves nothing of a file that is given up, too large, or whose source breaks', async () => {
      const { storage, leftOvers } = await open();
      const data = randomBytes(200_000);
      const received = await storage.receive(1, pieces(data, 10_000), NO_LIMIT);
      await received.discard();
      await received.discard();
      await expect(storage.receive(1, pieces(data, 10_000), { maxBytes: 199_999 })).rejects.toThrow(FileTooLargeError);
      async function* broken(): AsyncIterable<Buffer> {
        yield data;
        throw new Error('the line was cut');
      }
      await expect(storage.receive(1, broken(), NO_LIMIT)).rejects.toThrow('the line was cut');
      expect(await storage.stat(received.storageKey)).toBeUndefined();
      expect(await leftOvers()).toBe(0);
    });

    it('keeps equal contents apart between tenants, and removes one without the other', async () => {
      const { storage, sharesEqual } = await open();
      const data = randomBytes(1_000);
      const keys = await Promise.all(
        [1, 1, 1, 2].map(async (tenantId) => {
          const received = await storage.receive(tenantId, pieces(data, 100), NO_LIMIT);
          await received.publish();
          return received.storageKey;
        }),
      );
      expect(new Set(keys).size).toBe(sharesEqual ? 2 : 4);
      expect(await storage.deleteOlderThan(keys[0]!, inAnHour())).toBe(true);
      expect(await storage.stat(keys[0]!)).toBeUndefined();
      expect((await buffer(await storage.open(keys[3]!))).equals(data)).toBe(true);
      expect(await storage.deleteOlderThan(keys[0]!, inAnHour())).toBe(true);
    });

    it('does not delete what was just taken into use', async () => {
      const { storage } = await open();
      const received = await storage.receive(1, pieces(randomBytes(10), 10), NO_LIMIT);
      await received.publish();
      expect(await storage.deleteOlderThan(received.storageKey, Date.now() - 60_000)).toBe(false);
      expect(await storage.stat(received.storageKey)).toMatchObject({ size: 10 });
    });

    it('lists the files of a tenant', async () => {
      const { storage } = await open();
      const expected: string[] = [];
      for (let count = 0; count < 20; count++) {
        const received = await storage.receive(3, pieces(randomBytes(20), 20), NO_LIMIT);
        await received.publish();
        expected.push(received.storageKey);
      }
      const listed: string[] = [];
      for await (const keys of storage.list(3)) listed.push(...keys);
      expect(listed.sort()).toEqual(expected.sort());
      for await (const keys of storage.list(4)) expect(keys).toEqual([]);
    });

    it('takes no key but its own', async () => {
      const { storage } = await open();
      const hex = 'a'.repeat(64);
      const hostile = [
        '',
        '..',
        '../../etc/passwd',
        `1/aa/${hex}/..`,
        `1/bb/${hex}`,
        `1/aa/${hex}\0`,
        `/1/aa/${hex}`,
        `1/aa/../aa/${hex}`,
        `1\\aa\\${hex}`,
        `1/AA/${hex.toUpperCase()}`,
      ];
      for (const key of hostile) {
        await expect(storage.open(key), key).rejects.toThrow(FileNotStoredError);
        await expect(storage.stat(key), key).rejects.toThrow(FileNotStoredError);
        await expect(storage.deleteOlderThan(key, 0), key).rejects.toThrow(FileNotStoredError);
      }
      await expect(storage.open(`1/aa/${hex}`)).rejects.toThrow(FileNotStoredError);
      expect(await storage.stat(`1/aa/${hex}`)).toBeUndefined();
    });

    it('loses no content that is deleted and taken in at the same time', async () => {
      const { storage, leftOvers } = await open();
      const data = randomBytes(64);
      const key = await (async () => {
        const received = await storage.receive(1, pieces(data, 64), NO_LIMIT);
        await received.publish();
        return received.storageKey;
      })();
      for (let round = 0; round < 50; round++) {
        const cutoff = Date.now() - 60_000;
        await Promise.all([
          (async () => {
            const received = await storage.receive(1, pieces(data, 64), NO_LIMIT);
            await received.publish();
          })(),
          storage.deleteOlderThan(key, cutoff),
          storage.deleteOlderThan(key, cutoff),
        ]);
        expect((await buffer(await storage.open(key))).equals(data)).toBe(true);
      }
      expect(await leftOvers()).toBe(0);
    });
  });
}
