/**
 * Uploads to and downloads from the directory driver, beside the limit: a bare `node:http` server
 * that does the same multipart parse, hashes and fsync, and streams the same file (bare-files.ts).
 * Both are separate processes on one disk and take turns; the ratio is the claim (at least 60% of
 * each), the absolute figures are this machine's.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareWriteBench } from '@portico/server/testing';
import { linesOf, median, stop, withServer } from './measured-server.ts';

const ROUNDS = 9;
/** Minimum rate of uploads and downloads as a share of the bare server's. */
const CLAIM = 0.6;
const MIB = 1024 ** 2;
const BOUNDARY = 'portico-bench-boundary';

/** Files of a round, and the number of parallel transfers. */
const LOADS = [
  { name: '64 MiB, one at a time', bytes: 64 * MIB, files: 3, atOnce: 1 },
  { name: '5 MiB, 8 at once', bytes: 5 * MIB, files: 32, atOnce: 8 },
] as const;

type Load = (typeof LOADS)[number];

interface Upload {
  url: string;
  fields: Record<string, string>;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

async function answerOf(outgoing: ReturnType<typeof httpRequest>): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  outgoing.once('response', resolve).once('error', reject);
  return promise;
}

/**
 * Reads an answer to its end.
 * @returns the number of bytes
 */
async function drain(incoming: IncomingMessage): Promise<number> {
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) bytes += chunk.length;
  return bytes;
}

async function send({ url, fields }: Upload, file: Buffer): Promise<void> {
  const head = Object.entries(fields).map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const before = Buffer.from(
    `${head.join('')}--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\nContent-Type: application/octet-stream\r\n\r\n`,
  );
  const after = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
  const outgoing = httpRequest(url, {
    method: 'POST',
    agent,
    headers: {
      'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
      'Content-Length': before.length + file.length + after.length,
    },
  });
  outgoing.write(before);
  outgoing.write(file);
  outgoing.end(after);
  const incoming = await answerOf(outgoing);
  await drain(incoming);
  if (incoming.statusCode !== 204) throw new Error(`${incoming.statusCode} from ${url}`);
}

async function read(url: string, bytes: number): Promise<void> {
  const incoming = await answerOf(httpRequest(url, { agent }).end());
  const got = await drain(incoming);
  if (incoming.statusCode !== 200 || got !== bytes) throw new Error(`${incoming.statusCode}, ${got} bytes from ${url}`);
}

/** Runs work for each of some items, a few at once. @returns MiB per second */
async function rateOf<T>(
  items: readonly T[],
  { bytes, atOnce }: Load,
  work: (item: T) => Promise<void>,
): Promise<number> {
  const queue = items.values();
  const started = performance.now();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const item of queue) await work(item);
    }),
  );
  return (items.length * bytes) / MIB / ((performance.now() - started) / 1000);
}

/** Content that no earlier file had: equal files would share their storage. */
function fresh(buffer: Buffer): Buffer {
  randomBytes(32).copy(buffer);
  return buffer;
}

/**
 * Prints the figures of both servers.
 * @returns whether the claim holds
 */
function report(what: string, figures: { portico: number[]; bare: number[] }): boolean {
  const ratios = figures.portico.map((rate, index) => rate / (figures.bare[index] as number));
  const ratio = median(ratios);
  const list = (values: number[]) => `${median(values).toFixed(0).padStart(5)} MiB/s`;
  process.stdout.write(
    `${what.padEnd(34)} portico ${list(figures.portico)}  bare ${list(figures.bare)}  portico is ${(ratio * 100).toFixed(0)}% of it (rounds: ${ratios.map((one) => `${(one * 100).toFixed(0)}%`).join(' ')})\n`,
  );
  return ratio >= CLAIM;
}

export async function measureFiles(): Promise<void> {
  const bareDir = await mkdtemp(join(tmpdir(), 'portico-bench-bare-'));
  let bare: ChildProcess | undefined;
  try {
    await withServer(prepareWriteBench, async (place, { port }) => {
      const origin = `http://127.0.0.1:${port}`;
      bare = spawn(process.execPath, [fileURLToPath(new URL('bare-files.ts', import.meta.url)), bareDir], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const bareOrigin = `http://127.0.0.1:${await linesOf(bare)()}`;
      const begin = async (): Promise<Upload & { download: string }> => {
        const response = await fetch(`${origin}/portal/api/core/storage/upload-new-attachment`, {
          method: 'POST',
          headers: { authorization: `Bearer ${place.token}` },
        });
        if (!response.ok) throw new Error(`beginning an upload: ${response.status}`);
        const begun = (await response.json()) as {
          uploadUrl: string;
          uploadMultipartRequestBodyParams: Record<string, string>;
          temporaryDownloadUrl: string;
        };
        return {
          url: begun.uploadUrl,
          fields: begun.uploadMultipartRequestBodyParams,
          download: begun.temporaryDownloadUrl,
        };
      };
      let holds = true;
      for (const load of LOADS) {
        const file = randomBytes(load.bytes);
        const up = { portico: [] as number[], bare: [] as number[] };
        const down = { portico: [] as number[], bare: [] as number[] };
        const fields = (await begin()).fields;
        for (let round = 0; round <= ROUNDS; round++) {
          const begun = await Promise.all(Array.from({ length: load.files }, begin));
          await writeFile(join(bareDir, 'kept'), fresh(file));
          const bareUploads = begun.map((): Upload => ({ url: `${bareOrigin}/`, fields }));
          // The order changes from round to round: delayed disk work of one side affects both
          // equally.
          const ways = [
            async () => ({ way: 'portico' as const, rate: await rateOf(begun, load, (one) => send(one, fresh(file))) }),
            async () => ({
              way: 'bare' as const,
              rate: await rateOf(bareUploads, load, (one) => send(one, fresh(file))),
            }),
          ];
          if (round % 2 === 1) ways.reverse();
          for (const run of ways) {
            const { way, rate } = await run();
            // The first round warms both up.
            if (round > 0) up[way].push(rate);
          }
          const reads = [
            async () => ({
              way: 'portico' as const,
              rate: await rateOf(begun, load, ({ download }) => read(download, load.bytes)),
            }),
            async () => ({
              way: 'bare' as const,
              rate: await rateOf(begun, load, () => read(`${bareOrigin}/kept`, load.bytes)),
            }),
          ];
          if (round % 2 === 1) reads.reverse();
          for (const run of reads) {
            const { way, rate } = await run();
            if (round > 0) down[way].push(rate);
          }
        }
        holds = report(`upload, ${load.name}`, up) && holds;
        holds = report(`download, ${load.name}`, down) && holds;
      }
      if (!holds) {
        process.stdout.write(`less than the ${CLAIM * 100}% that is claimed\n`);
        process.exitCode = 1;
      }
    });
  } finally {
    agent.destroy();
    if (bare) await stop(bare);
    await rm(bareDir, { recursive: true, force: true });
  }
}
