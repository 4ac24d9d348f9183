/**
 * Support for tests of files: a server with the two routes, and a client that sends forms byte by
 * byte.
 */
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import compress from '@fastify/compress';
import type { FileStorage } from '@portico/platform/files';
import type { FastifyInstance } from 'fastify';
import { type FileRoutesOptions, registerFileRoutes } from '../../src/http/file-routes.ts';
import { createServer } from '../../src/http/server.ts';
import { baseUrlOf, tenantOf } from '../../src/http/tenancy.ts';
import { tenantScope } from '../../src/modules/tenants/index.ts';
import type { Services } from '../../src/process/services.ts';

/** A server on a loopback port that serves the file routes and nothing else. */
export async function startFileServer(
  services: Services,
  storage: FileStorage,
  {
    arrival,
    ...options
  }: Pick<FileRoutesOptions, 'policyWaits' | 'scanner'> & Pick<Parameters<typeof createServer>[0], 'arrival'> = {},
): Promise<{ app: FastifyInstance; origin: string }> {
  const app = createServer({ logger: false, trustProxy: false, ...(arrival && { arrival }) });
  // Compresses other responses as the application does.
  await app.register(compress, { global: true, threshold: 0, encodings: ['gzip', 'identity'] });
  registerFileRoutes(app, {
    storage,
    node: services.limits,
    tenantScope: async (request) =>
      tenantScope(services, await tenantOf(services.tenants, request), baseUrlOf(request)),
    ...options,
  });
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  return { app, origin };
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  /** The body as JSON, for answers that have such a one. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
  body: any;
}

/** Sends a request. A stream as body is sent in chunks; errors while sending are ignored once an answer has come. */
export async function send(
  url: string,
  options: {
    method?: string;
    /** Sent instead of that of `url`, as it stands. */
    path?: string;
    headers?: Record<string, string>;
    body?: Buffer | AsyncIterable<Buffer>;
  } = {},
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const outgoing = httpRequest(
    url,
    {
      method: options.method ?? 'GET',
      ...(options.path !== undefined && { path: options.path }),
      headers: options.headers,
      agent: false,
    },
    (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.once('error', reject);
      incoming.once('end', () => {
        const bytes = Buffer.concat(chunks);
        const isJson = (incoming.headers['content-type'] ?? '').startsWith('application/json');
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          bytes,
          body: isJson && bytes.length > 0 ? JSON.parse(bytes.toString('utf8')) : undefined,
        });
      });
    },
  );
  outgoing.once('error', reject);
  if (options.body === undefined || Buffer.isBuffer(options.body)) {
    outgoing.end(options.body);
    return promise;
  }
  let goOn: (() => void) | undefined;
  outgoing.on('drain', () => goOn?.()).once('close', () => goOn?.());
  try {
    for await (const chunk of options.body) {
      if (outgoing.destroyed) break;
      if (outgoing.write(chunk)) continue;
      const { promise: drained, resolve: goesOn } = Promise.withResolvers<void>();
      goOn = goesOn;
      if (!outgoing.destroyed) await drained;
    }
    outgoing.end();
  } catch (error) {
    outgoing.destroy(error as Error);
  }
  return promise;
}

const BOUNDARY = '----portico-test-boundary-7f3a';

/** The Content-Type of {@link form}. */
export const formType = `multipart/form-data; boundary=${BOUNDARY}`;

/** A form: fields in their order, then the file. */
export function form(fields: Record<string, string>, file: Buffer, fileName = 'file.bin'): Buffer {
  return Buffer.concat([formHead(fields, fileName), file, formTail]);
}

/** Everything of a form before the bytes of its file. */
export function formHead(fields: Record<string, string>, fileName = 'file.bin'): Buffer {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  return Buffer.from(
    `${parts.join('')}--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="${fileName}"\r\nContent-Type: text/html\r\n\r\n`,
  );
}

/** Everything of a form after the bytes of its file. */
export const formTail: Buffer = Buffer.from(`\r\n--${BOUNDARY}--\r\n`);
