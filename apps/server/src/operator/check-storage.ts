/**
 * Checks the storage of files as the service and its clients use it (`portico admin storage check`):
 * writes, reads and deletes a file and, where clients use the storage directly, sends forms and
 * follows links at the clients' address. The check also tries requests that must be rejected: a
 * storage that accepts more than the signed request is open to everybody.
 */
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { DirectAccess, FileStorage, ReceivedFile, SentFile } from '@portico/platform/files';
import type { S3Options } from '@portico/platform/files/s3/options';
import { StoreError, type StoreFault } from '@portico/platform/files/s3/store-error';
import { StorageFullError } from '@portico/platform/files/storage';

/** Result of one step. */
export interface StorageCheck {
  readonly tried: string;
  readonly ok: boolean;
  /** The failure and how to fix it; empty on success. */
  readonly problem: string;
}

/** No tenant has this id: files left by a killed check belong to no tenant. */
const NO_TENANT = 0;
const SIZE = 200_000;
const PATIENCE_MS = 30_000;

/** Where files are kept. */
interface StoragePlace {
  readonly s3: S3Options | undefined;
  readonly filesDir: string;
}

/** Tries a storage. Ends at the first failure that the other checks depend on. @param open opens the storage */
export async function* checkStorage(
  place: StoragePlace,
  open: () => Promise<{ storage: FileStorage; close: () => void }>,
): AsyncGenerator<StorageCheck> {
  const opened: { storage?: FileStorage; close?: () => void } = {};
  yield* attempt(firstStep(place), 'Check its settings.', async () => {
    Object.assign(opened, await open());
  });
  if (!opened.storage) return;
  try {
    const works = yield* checkServerSide(opened.storage);
    if (works && opened.storage.direct) yield* checkClientSide(opened.storage, opened.storage.direct);
  } finally {
    opened.close?.();
  }
}

/** The first step, in words. It sends nothing to a bucket: that happens when the first file is written. */
function firstStep({ s3, filesDir }: StoragePlace): string {
  return s3 ? `read the settings of the bucket ${s3.bucket} at ${s3.endpoint}` : `open the directory ${filesDir}`;
}

const FAULTS: Readonly<Record<StoreFault, string>> = {
  unreachable: 'The store does not respond: check that it is running, and PORTICO_S3_ENDPOINT. ',
  bucket: 'The bucket does not exist: create it, or check PORTICO_S3_BUCKET. ',
  keys: 'The keys are invalid: check PORTICO_S3_ACCESS_KEY_ID and PORTICO_S3_SECRET_ACCESS_KEY. ',
};

const ROOM = 'Make room there, enlarge the disk, or lower PORTICO_MIN_FREE_BYTES.';

/** The cause, where the store or the network error names it; else empty. */
function faultSentence(cause: unknown): string {
  return cause instanceof StoreError && cause.fault ? FAULTS[cause.fault] : '';
}

/** Runs one step. @returns whether it succeeded */
async function* attempt(
  tried: string,
  advice: string,
  work: () => Promise<unknown>,
): AsyncGenerator<StorageCheck, boolean> {
  try {
    await work();
    yield { tried, ok: true, problem: '' };
    return true;
  } catch (error) {
    const { message, cause } = error as Error;
    const said = cause instanceof Error ? `${message} (${cause.message})` : message;
    const fault = faultSentence(cause);
    if (error instanceof StorageFullError) {
      yield { tried, ok: false, problem: `${message[0]!.toUpperCase()}${message.slice(1)}. ${ROOM}` };
      return false;
    }
    const sentence = said.endsWith('.') ? said : `${said}.`;
    yield { tried, ok: false, problem: fault === '' ? `${sentence} ${advice}`.trim() : `${fault}${sentence}` };
    return false;
  }
}

/** @returns whether files can be written at all */
async function* checkServerSide(storage: FileStorage): AsyncGenerator<StorageCheck, boolean> {
  const data = randomBytes(SIZE);
  let file: ReceivedFile | undefined;
  const written = yield* attempt(
    'write a file',
    'The service needs the right to write: s3:PutObject, or the directory’s owner must be its user.',
    async () => {
      file = await storage.receive(NO_TENANT, inOnePiece(data), { maxBytes: SIZE });
      await file.publish();
    },
  );
  if (!written || !file) return false;
  const key = file.storageKey;
  yield* attempt('read it', 'The service needs the right to read: s3:GetObject.', async () => {
    expectBytes(await buffer(await storage.open(key)), data);
    if ((await storage.stat(key))?.size !== SIZE) throw new Error('The storage reports a different size.');
  });
  yield* attempt('read a part of it', 'The storage must support range requests.', async () => {
    expectBytes(await buffer(await storage.open(key, { start: 1_000, end: 1_999 })), data.subarray(1_000, 2_000));
  });
  yield* attempt('list files', 'The service needs the right to list: s3:ListBucket.', async () => {
    for await (const keys of storage.list(NO_TENANT)) if (keys.includes(key)) return;
    throw new Error('The file that was written is not in the list.');
  });
  yield* attempt('remove it', 'The service needs the right to remove: s3:DeleteObject.', async () => {
    await storage.deleteOlderThan(key, Number.MAX_SAFE_INTEGER);
    if (await storage.stat(key)) throw new Error('The file still exists.');
  });
  return true;
}

const NOT_STRICT =
  'This storage accepts what was not signed: anybody who may upload a file can write or read others. Do not use it.';

async function* checkClientSide(storage: FileStorage, direct: DirectAccess): AsyncGenerator<StorageCheck> {
  const data = randomBytes(SIZE);
  const contentRef = randomBytes(32).toString('hex');
  const form = (seconds = 600) => direct.uploadForm(contentRef, { maxBytes: SIZE, seconds });
  const { url, fields } = await form();
  const sent = yield* attempt(
    `send a form to ${new URL(url).origin}`,
    'Clients must reach this address (PORTICO_S3_PUBLIC_ENDPOINT), and the storage must take forms (POST Object) with Signature Version 4.',
    async () => {
      const { status, text } = await sendForm(await form(), data);
      if (status < 200 || status > 299) throw new Error(`The storage responded with ${status}: ${text}`);
    },
  );
  if (!sent) return;
  let file: SentFile | undefined;
  const refusals: [string, Parameters<typeof sendForm>][] = [
    ['refuse a file that is too large', [await form(), randomBytes(SIZE + 1)]],
    ['refuse a form that was altered', [await form(), data, { 'X-Amz-Signature': '0'.repeat(64) }]],
    ['refuse a form for another name', [await form(), data, { key: `${fields['key']}-other` }]],
    ['refuse a form that has expired', [await form(-60), data]],
  ];
  for (const [tried, words] of refusals) {
    yield* attempt(tried, NOT_STRICT, async () => {
      const { status } = await sendForm(...words);
      if (status < 400 || status > 499) throw new Error(`The storage responded with ${status}.`);
    });
  }
  const taken = yield* attempt(
    'copy what was sent to its place',
    'The storage must support copies within a bucket.',
    async () => {
      file = await direct.receiveSent(NO_TENANT, contentRef, { maxBytes: SIZE });
      if (!file) throw new Error('The file did not arrive.');
      expectBytes(await buffer(await storage.open(file.storageKey)), data);
    },
  );
  if (taken && file) yield* checkLinks(direct, file.storageKey, data);
  yield* attempt('remove what was sent', 'The service needs the right to remove: s3:DeleteObject.', async () => {
    await direct.discardSent(contentRef);
    if (file) await storage.deleteOlderThan(file.storageKey, Number.MAX_SAFE_INTEGER);
  });
}

async function* checkLinks(direct: DirectAccess, key: string, data: Buffer): AsyncGenerator<StorageCheck> {
  const about = {
    contentType: 'text/plain; charset=utf-8',
    disposition: 'attachment; filename="a b.txt"',
    seconds: 600,
  };
  const link = direct.link(key, { ...about, now: Date.now() });
  yield* attempt(
    'read by a link, named and typed as the link says',
    'The storage must support response-content-type and response-content-disposition.',
    async () => {
      const answer = await ask(link);
      if (answer.status !== 200) throw new Error(`The storage responded with ${answer.status}.`);
      for (const [name, value] of [
        ['content-type', about.contentType],
        ['content-disposition', about.disposition],
      ] as const) {
        if (answer.headers.get(name) !== value)
          throw new Error(`The response has the header ${name} "${answer.headers.get(name)}".`);
      }
      expectBytes(Buffer.from(await answer.arrayBuffer()), data);
    },
  );
  yield* attempt('read a part by a link', 'The storage must support range requests.', async () => {
    const answer = await ask(link, { headers: { Range: 'bytes=10-19' } });
    if (answer.status !== 206) throw new Error(`The storage responded with ${answer.status}.`);
    expectBytes(Buffer.from(await answer.arrayBuffer()), data.subarray(10, 20));
  });
  const refusals: [string, string][] = [
    ['refuse a link that was altered', link.replace('a%20b.txt', 'b.txt')],
    ['refuse a link that has expired', direct.link(key, { ...about, now: Date.now() - 3_600_000 })],
    ['refuse to be read without a link', link.slice(0, link.indexOf('?'))],
  ];
  for (const [tried, address] of refusals) {
    yield* attempt(tried, NOT_STRICT, async () => {
      const { status } = await ask(address);
      if (status < 400 || status > 499) throw new Error(`The storage responded with ${status}.`);
    });
  }
}

async function sendForm(
  form: { readonly url: string; readonly fields: Readonly<Record<string, string>> },
  data: Buffer,
  changes: Readonly<Record<string, string>> = {},
): Promise<{ status: number; text: string }> {
  const body = new FormData();
  for (const [name, value] of Object.entries({ ...form.fields, ...changes })) body.append(name, value);
  body.append('file', new Blob([Uint8Array.from(data)]), 'check.bin');
  const answer = await ask(form.url, { method: 'POST', body });
  return { status: answer.status, text: (await answer.text()).replaceAll(/\s+/g, ' ').slice(0, 200) };
}

async function ask(url: string, options: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(url, { ...options, redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch (error) {
    // The message of fetch is "fetch failed"; the reason is in its cause.
    throw new Error('The storage cannot be reached.', { cause: (error as Error).cause ?? error });
  }
}

function expectBytes(read: Buffer, expected: Buffer): void {
  if (!read.equals(expected)) throw new Error('The bytes read differ from those written.');
}

async function* inOnePiece(data: Buffer): AsyncIterable<Buffer> {
  yield data;
}
