/**
 * The Fastify instance and its rules for every request: ids, bodies, prefixes, unknown paths, wrong
 * methods.
 */
import { randomUUID } from 'node:crypto';
import { mainThread } from '@portico/platform/main-thread';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import { PorticoError } from '../kernel/errors.ts';
import { type AnswerLimits, watchAnswers } from './answer-rate.ts';
import { decodeUtf8, readJsonBody } from './body.ts';
import { type ArrivalLimits, cutOff, watchArrival } from './body-rate.ts';
import { handleError } from './errors.ts';
import { registerLines } from './lines.ts';
import { MOUNT_PREFIX } from './mount.ts';
import { serveInTurn } from './pipelining.ts';
import { sendRawError } from './raw-response.ts';
import { requesterOf } from './requester.ts';

/** Largest JSON body. Bytes. */
const MAX_BODY_BYTES = 1024 * 1024;
/** Default time limit of a JSON body: 1 MiB takes less on any usable connection. */
const BODY_MS = 120_000;
/** A JSON body of more bytes waits for a turn of the main thread of its own. */
const LARGE_BODY = 64 * 1_024;
const OTHER_PREFIX = '/portal/api/external/v2';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route is there to refuse the methods that its path does not take. */
    refusesMethod?: boolean;
  }
}

interface ServerOptions {
  logger: FastifyServerOptions['loggerInstance'] | false;
  /** Addresses of proxies whose X-Forwarded-* headers are believed; false believes none. */
  trustProxy: string[] | false;
  https?: { cert: Buffer; key: Buffer };
  /** How long a JSON body may take to arrive. Milliseconds; default two minutes. */
  bodyMs?: number;
  /** How fast every body must arrive. */
  arrival?: ArrivalLimits;
  /** How fast answers must be taken. */
  answers?: AnswerLimits | undefined;
}

/** A server without routes. */
export function createServer(options: ServerOptions): FastifyInstance {
  const app = Fastify({
    ...(options.logger ? { loggerInstance: options.logger } : { logger: false }),
    // Requests without a host are refused below, with the headers of every other answer.
    ...(options.https
      ? { https: { ...options.https, requireHostHeader: false } }
      : { http: { requireHostHeader: false } }),
    bodyLimit: MAX_BODY_BYTES,
    trustProxy: options.trustProxy === false ? false : options.trustProxy,
    requestIdHeader: false,
    genReqId: requestId,
    logController: new LogController({ disableRequestLogging: true }),
    exposeHeadRoutes: true,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    keepAliveTimeout: 72_000,
    requestTimeout: 0,
    routerOptions: { maxParamLength: 1_024, ignoreTrailingSlash: false, caseSensitive: true },
    rewriteUrl: (request) => {
      const url = withoutAuthority(request.url ?? '/');
      return url.startsWith(`${OTHER_PREFIX}/`) ? `${MOUNT_PREFIX}${url.slice(OTHER_PREFIX.length)}` : url;
    },
    frameworkErrors: (error, request, reply) => {
      headAnswer(request, reply);
      handleError(error, request, reply);
    },
    clientErrorHandler: answerBrokenRequest,
  } as FastifyServerOptions) as unknown as FastifyInstance;

  serveInTurn(app.server);
  // Unknown expectations are ignored; Node would answer them with an empty 417.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  watchArrival(app.server, options.arrival);
  watchAnswers(app.server, options.answers);
  const paths = notePaths(app);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>(
    /^application\/(?:[\w.+-]+\+)?json(?:$|\s*;)/i,
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      const { operation } = request.routeOptions.config;
      // A declared length of zero is an empty body: the same as none.
      if (operation?.bodyless || body.length === 0) return undefined;
      const requester = requesterOf(request);
      if (body.length > LARGE_BODY) await mainThread.wait(requester);
      else await mainThread.turn(requester);
      const text = decodeUtf8(body, 'The body');
      return text.trim() === ''
        ? undefined
        : readJsonBody(text, operation?.mergePatch, () => mainThread.wait(requester));
    },
  );
  registerLines(app);
  // Operations without a body ignore a sent one; the others take JSON only.
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    if (request.routeOptions.config.operation?.bodyless || body.length === 0) return undefined;
    throw new PorticoError('UNSUPPORTED_MEDIA_TYPE');
  });
  app.addHook('onRequest', async (request, reply) => {
    headAnswer(request, reply);
    nameEncoding(request);
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
      throw new PorticoError('MALFORMED_REQUEST', { message: 'The request has no Host header; send one.' });
    }
    mustNameOneHost(request);
    if (request.routeOptions.config.operation) limitArrival(request, reply, options.bodyMs ?? BODY_MS);
  });
  app.setErrorHandler(handleError);
  app.setNotFoundHandler((request, reply) => handleError(unknownRoute(request, paths), request, reply));
  return app;
}

/** Closes a connection on which a JSON body takes too long in total, however steadily it arrives. */
function limitArrival({ raw, headers }: FastifyRequest, reply: FastifyReply, milliseconds: number): void {
  const expected = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (!expected || raw.complete) return;
  const timer = setTimeout(() => cutOff(raw, reply.raw), milliseconds).unref();
  const done = () => clearTimeout(timer);
  raw.once('end', done);
  raw.once('close', done);
  // The unread rest of a body that was answered early is limited by the rate and the time of {@link watchArrival}.
  reply.raw.once('finish', done);
}

/** Sets the headers of every response. */
function headAnswer(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('X-Request-Id', request.id).header('X-Content-Type-Options', 'nosniff');
}

/** Where the target of a request is a whole address (RFC 9112, 3.2.2): scheme and authority. */
const ABSOLUTE = /^https?:\/\/([^/?#]*)/i;

/** The target of a request from its path on. */
function withoutAuthority(target: string): string {
  const start = ABSOLUTE.exec(target)?.[0];
  if (start === undefined) return target;
  const rest = target.slice(start.length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/**
 * A target that is a whole address names a host, and so does the header. RFC 9112 lets the address decide, proxies mostly look at the
 * header: where they disagree, neither does.
 * @throws PorticoError MALFORMED_REQUEST
 */
function mustNameOneHost({ originalUrl, headers }: FastifyRequest): void {
  const authority = ABSOLUTE.exec(originalUrl)?.[1];
  if (authority === undefined || authority.toLowerCase() === headers.host?.toLowerCase()) return;
  throw new PorticoError('MALFORMED_REQUEST', {
    message:
      'The address of the request line names another host than the Host header; send the path alone, or the same host in both.',
  });
}

/** Names of encodings have no case, and `x-gzip` is another name of gzip (RFC 9110, 8.4.1). */
function nameEncoding({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding']?.trim().toLowerCase();
  if (encoding !== undefined) headers['content-encoding'] = encoding === 'x-gzip' ? 'gzip' : encoding;
}

/** The caller's X-Request-Id when it is well formed, else a new id. */
function requestId(request: { headers: Record<string, string | string[] | undefined> }): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
}

interface KnownPath {
  readonly methods: readonly string[];
  /** The path has no parameters. It is then preferred to one whose parameter the same text would fit. */
  readonly literal: boolean;
  readonly pattern: RegExp;
}

/** Notes the paths of the routes that are registered after this. */
function notePaths(app: FastifyInstance): readonly KnownPath[] {
  const paths: KnownPath[] = [];
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.refusesMethod || url.includes('*')) return;
    const pattern = url.replaceAll(/[.+^$()|[\]\\]/g, '\\$&').replaceAll(/:\w+/g, '[^/]+');
    paths.push({ methods: [method].flat(), literal: !url.includes(':'), pattern: new RegExp(`^${pattern}$`) });
  });
  return paths;
}

/** A known path with another method is 405 with the methods it has; anything else 404. */
function unknownRoute(request: FastifyRequest, paths: readonly KnownPath[]): PorticoError {
  const path = request.url.split('?')[0] as string;
  const matching = paths.filter(({ pattern }) => pattern.test(path));
  const literal = matching.filter((one) => one.literal);
  const allowed = new Set((literal.length > 0 ? literal : matching).flatMap(({ methods }) => methods));
  if (allowed.size === 0) return new PorticoError('UNKNOWN_ROUTE');
  const list = [...allowed].sort().join(', ');
  return new PorticoError('METHOD_NOT_ALLOWED', {
    message: `Method ${request.method} is not allowed; allowed: ${list}.`,
    headers: { Allow: list },
  });
}

/** Responds to input that cannot be parsed as HTTP, with the same body as every other error. */
function answerBrokenRequest(error: Error & { code?: string }, socket: import('node:net').Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  if (error.code === 'HPE_HEADER_OVERFLOW') sendRawError(socket, 'HEADERS_TOO_LARGE');
  else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') sendRawError(socket, 'REQUEST_TIMEOUT');
  else sendRawError(socket, 'MALFORMED_REQUEST', 'The request is not valid HTTP.');
}
