/**
 * The two routes of files that are not operations of the contract: uploads by form, and links. Both work without a
 * sign-in: the signed policy, or the signed link, is the permission.
 */

import type { AttachmentScanner, FileStorage } from '@portico/platform/files';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { invalid, PorticoError } from '../kernel/errors.ts';
import { FILE_LINK_PATH } from '../kernel/file-links.ts';
import type { NodeLimits } from '../kernel/node-limits.ts';
import type { TenantScope } from '../kernel/scope.ts';
import {
  type ByteRequest,
  type PendingLimits,
  type PolicyWaitLimits,
  PolicyWaits,
  receiveUpload,
  serveFile,
  type TakeInOptions,
  takeInLinked,
  UPLOAD_PATH,
  UploadChecksums,
  UploadForm,
} from '../modules/files/index.ts';

/** Limits per client address for requests without a sign-in. */
interface AnonymousLimits {
  /** Counts one. @throws PorticoError RATE_LIMITED */
  anonymous(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  /** Counts nothing. @throws PorticoError RATE_LIMITED when none is left */
  anonymousLeft(request: FastifyRequest, reply: FastifyReply): Promise<void>;
}

/** Dependencies of the routes. */
export interface FileRoutesOptions {
  readonly storage: FileStorage;
  /** Node whose processes share the limits. */
  readonly node: NodeLimits;
  /** The scope of a request before anyone has signed in. */
  tenantScope(request: FastifyRequest): Promise<TenantScope>;
  /** How many uploads may await their policy, and for how long. */
  readonly policyWaits?: PolicyWaitLimits;
  /** Limits of a user's uploads in flight; optional. */
  readonly pending?: PendingLimits;
  /** Counts refused forms by client address; optional. */
  readonly rateLimits?: AnonymousLimits;
  /** Scans uploads for malware; optional. */
  readonly scanner?: AttachmentScanner;
  /** Takes in files that clients upload directly to the storage, where they do. */
  readonly takeIn?: TakeInOptions | undefined;
}

/** How long a client may continue to send an upload that was refused. Most read the response only after sending everything. */
const DRAIN_MS = 60_000;
/** How much of an upload without a valid policy is read and dropped. Bytes. */
const STRANGER_BYTES = 4 * 1024 * 1024;

/** Registers uploads and links. */
export function registerFileRoutes(app: FastifyInstance, options: FileRoutesOptions): void {
  const waits = new PolicyWaits(options.node, options.policyWaits);
  app.register(async (routes) => {
    // The body is read as a stream, by the handler.
    routes.removeAllContentTypeParsers();
    routes.addContentTypeParser('*', (_request, _payload, done) => done(null));
    routes.post(UPLOAD_PATH, {
      bodyLimit: Number.MAX_SAFE_INTEGER,
      handler: (request, reply) => upload(request, reply, options, waits),
    });
    routes.route({
      method: ['GET', 'PUT', 'PATCH', 'DELETE'],
      url: UPLOAD_PATH,
      exposeHeadRoute: false,
      config: { refusesMethod: true },
      handler: async (request) => {
        drain(request, STRANGER_BYTES);
        throw new PorticoError('METHOD_NOT_ALLOWED', {
          message: `Upload files with POST, not ${request.method}.`,
          headers: { Allow: 'POST' },
        });
      },
    });
    routes.route<{ Params: { token: string } }>({
      method: ['GET', 'HEAD'],
      url: `${FILE_LINK_PATH}/:token`,
      // Compression would break lengths and ranges, and files are mostly compressed already.
      ...({ compress: false } as object),
      handler: (request, reply) => serve(request, reply, options),
    });
  });
}

async function upload(
  request: FastifyRequest,
  reply: FastifyReply,
  options: FileRoutesOptions,
  waits: PolicyWaits,
): Promise<void> {
  const { raw } = request;
  let policyAccepted = false;
  let checksums: UploadChecksums | undefined;
  try {
    await options.rateLimits?.anonymousLeft(request, reply);
    const scope = await options.tenantScope(request);
    const form = UploadForm.read(raw, request.headers['content-type']);
    if (!form) {
      throw new PorticoError('UNSUPPORTED_MEDIA_TYPE', {
        message: 'Send the file as multipart/form-data with a boundary.',
      });
    }
    checksums = new UploadChecksums(raw, request.headers);
    const declared = Number(request.headers['content-length']);
    await receiveUpload(scope, form, {
      checksums,
      storage: options.storage,
      ...(options.pending && { pending: options.pending }),
      waits,
      onPolicyAccepted: () => {
        policyAccepted = true;
      },
      ...(declared > 0 && { declaredBytes: declared }),
      ...(options.scanner && { scanner: options.scanner }),
    });
    reply.code(204);
  } catch (error) {
    if (raw.errored || (raw.destroyed && !raw.complete))
      throw invalid('$', 'INVALID_VALUE', 'The upload ended before the closing boundary.');
    drain(request, policyAccepted ? Number.MAX_SAFE_INTEGER : STRANGER_BYTES);
    if (!policyAccepted) await options.rateLimits?.anonymous(request, reply);
    throw error;
  } finally {
    checksums?.stop();
  }
}

/**
 * Reads and drops the rest of a refused client's body, for a while, so that the client sees the
 * response.
 * @param most bytes; with more the connection is closed
 */
function drain(request: FastifyRequest, most: number): void {
  const { raw } = request;
  if (raw.complete) return;
  let dropped = 0;
  const drop = (chunk: Buffer) => {
    dropped += chunk.length;
    if (dropped <= most) return;
    raw.off('data', drop);
    raw.socket.destroySoon();
  };
  raw.on('data', drop);
  const timer = setTimeout(() => raw.socket.destroy(), DRAIN_MS).unref();
  raw.once('close', () => clearTimeout(timer));
  raw.once('end', () => clearTimeout(timer));
  raw.once('error', () => clearTimeout(timer));
  raw.resume();
}

async function serve(
  request: FastifyRequest<{ Params: { token: string } }>,
  reply: FastifyReply,
  options: FileRoutesOptions,
): Promise<FastifyReply> {
  const scope = await options.tenantScope(request);
  const { takeIn } = options;
  const answer = await serveFile(scope, options.storage, {
    ...byteRequestOf(request),
    token: request.params.token,
    takeIn: takeIn && ((contentRef) => takeInLinked(scope, contentRef, takeIn)),
  });
  return reply.code(answer.status).headers(answer.headers).send(answer.body);
}

/** Returns the bytes of a file that a request asks for, by its method and headers. */
export function byteRequestOf({ method, headers }: FastifyRequest): ByteRequest {
  return {
    head: method === 'HEAD',
    range: headers.range,
    ifRange: typeof headers['if-range'] === 'string' ? headers['if-range'] : undefined,
    ifNoneMatch: headers['if-none-match'],
  };
}
