/**
 * A server that decodes files beside its embedded database, as the user of this script. Prints the
 * files and processes within reach of the decoding process. usage: node decoders.fixture.ts
 * DIRECTORY
 */

import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { chownSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres } from '@portico/embedded-postgres';
import {
  chooseIsolation,
  IsolatedProcess,
  isolationWarning,
  keepFrom,
  PDF_MIME_TYPE,
  previewShapes,
  Renderer,
  TextReader,
} from '@portico/platform/files';
import type { ProbeAnswer, ProbeJob } from '@portico/platform/files/isolation/isolated-probe.fixture';
import { onePage } from '@portico/platform/files/pdf.fixture';
import sharp from 'sharp';

const SCRIPT = fileURLToPath(
  new URL('../../../../packages/platform/src/files/isolation/isolated-probe.fixture.ts', import.meta.url),
);
const END = 'end of the attempts';
const LIMITS = { memoryBytes: 1024 ** 3, jobMs: 30_000 };

/** Reach of a decoder that was taken over, and the files that are decoded. */
export interface Reached {
  readonly isolation: { readonly account: boolean; readonly namespaces: boolean };
  readonly warned: boolean;
  /** Names of the attempts that succeeded. */
  readonly reached: readonly string[];
  readonly hbaChanged: boolean;
  readonly written: boolean;
  readonly heard: boolean;
  /** The pictures of a picture and of a document, and the text of the document. */
  readonly pictures: readonly number[];
  readonly text: string;
}

async function main(dataDir: string): Promise<Reached> {
  keepFrom([dataDir]);
  const database = await startEmbeddedPostgres({
    dataDir,
    log: () => undefined,
    skipInitialSync: true,
    restart: false,
  });
  try {
    const chosen = await chooseIsolation();
    return {
      isolation: chosen.isolation,
      warned: isolationWarning(chosen) !== undefined,
      ...(await decoded()),
      ...(await attacked(database)),
    };
  } finally {
    await database.stop();
  }
}

async function attacked({ clusterDir, pid }: { clusterDir: string; pid: number }) {
  const hba = join(clusterDir, 'pg_hba.conf');
  const before = readFileSync(hba);
  const secret = join(clusterDir, 'secret.png');
  const written = join(clusterDir, 'written.png');
  writeFileSync(secret, await picture(), { mode: 0o600 });
  const owner = statSync(clusterDir);
  chownSync(secret, owner.uid, owner.gid);
  const listener = createSocket('udp4').bind(0, '127.0.0.1');
  await once(listener, 'listening');
  let heard = false;
  const ended = new Promise<void>((resolve) => {
    listener.on('message', (message) => {
      if (message.toString() === END) resolve();
      else heard = true;
    });
  });
  const attempts: Record<string, ProbeJob> = {
    read: { readNatively: secret },
    write: { writeNatively: written },
    overwrite: { writeNatively: hba },
    signal: { signal: pid },
    send: { send: listener.address().port },
  };
  const probe = new IsolatedProcess<ProbeJob, ProbeAnswer>(SCRIPT, LIMITS);
  const reached: string[] = [];
  for (const [name, job] of Object.entries(attempts)) if ('answer' in (await probe.run(job))) reached.push(name);
  probe.close();
  // Datagrams of one machine arrive in order: whatever the probe sent is heard before this one.
  listener.send(END, listener.address().port, '127.0.0.1');
  await ended;
  listener.close();
  const hbaChanged = !readFileSync(hba).equals(before);
  return { reached, hbaChanged, written: existsSync(written), heard };
}

async function decoded() {
  const document = onePage('BT /F1 24 Tf 72 700 Td (Words of a page) Tj ET');
  const renderer = new Renderer();
  const pictures: number[] = [];
  for (const [mimeType, bytes] of [['image/png', await picture()] as const, [PDF_MIME_TYPE, document] as const]) {
    const files = await renderer.newFiles();
    writeFileSync(files.input, bytes);
    const wanted = previewShapes.map((shape) => ({ ...shape, output: files.output(`${shape.bit}`) }));
    const { made } = await renderer.render(files.input, mimeType, wanted);
    for (const bit of made) if ((await files.take(`${bit}`)) !== undefined) pictures.push(bit);
    await files.remove();
  }
  renderer.close();
  const reader = new TextReader();
  const files = await reader.newFiles();
  writeFileSync(files.input, document);
  const outcome = await reader.read(files.input, PDF_MIME_TYPE);
  reader.close();
  return { pictures, text: 'answer' in outcome ? outcome.answer.trim() : outcome.failed };
}

async function picture(): Promise<Buffer> {
  return sharp({ create: { width: 20, height: 20, channels: 3, background: 'blue' } })
    .png()
    .toBuffer();
}

const directory = process.argv[2];
if (directory !== undefined) process.stdout.write(`${JSON.stringify(await main(directory))}\n`);
