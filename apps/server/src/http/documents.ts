/**
 * Documents that are the same for everybody, or nearly so: compressed once, sent with an entity tag, and not sent again to
 * clients that have them (304).
 */
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, crc32, deflateRawSync, gzip } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import { matchesEtag } from '@portico/platform/etags';
import type { FastifyReply, FastifyRequest } from 'fastify';

type Encoding = 'gzip' | 'br' | 'identity';

/** A document as it is sent. */
interface Bodies {
  readonly etag: string;
  body(encoding: Encoding): Buffer;
}

/** A document whose content never changes. */
export class Document {
  readonly #read: () => Promise<string | Buffer>;
  #bodies: Promise<Bodies> | undefined;

  /** @param read gives the content; asked once */
  constructor(read: () => Promise<string | Buffer>) {
    this.#read = read;
  }

  /** Answers with the document, or with 304. The reply has its other headers already. */
  async send(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    this.#bodies ??= this.#compress();
    return answer(request, reply, ['br', 'gzip', 'identity'], await this.#bodies);
  }

  async #compress(): Promise<Bodies> {
    const content = await this.#read();
    const identity = typeof content === 'string' ? Buffer.from(content) : content;
    const [gzipped, brotli] = await Promise.all([
      promisify(gzip)(identity, { level: 9 }),
      // The highest levels take seconds for a megabyte and gain some percents.
      promisify(brotliCompress)(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
    ]);
    const bodies = { identity, gzip: gzipped, br: brotli };
    return { etag: etagOf(identity), body: (encoding) => bodies[encoding] };
  }
}

/**
 * A document in which a few texts differ from request to request, such as the address that it was asked at. Neither the
 * rest of the text nor its compression is made again, and nothing is kept for each of the texts.
 */
export class Template {
  readonly #parts: readonly { plain: Buffer; deflated: Buffer }[];
  /** Index of the text after each part except the last. */
  readonly #between: readonly number[];
  readonly #etag: string;

  /** @param text with `placeholders` wherever the texts go */
  constructor(text: string, placeholders: readonly string[]) {
    const pieces = text.split(
      new RegExp(`(${placeholders.map((one) => one.replaceAll(/[^\w-]/g, '\\$&')).join('|')})`),
    );
    this.#parts = pieces
      .filter((_, index) => index % 2 === 0)
      .map((part) => ({ plain: Buffer.from(part), deflated: deflated(part) }));
    this.#between = pieces.filter((_, index) => index % 2 === 1).map((found) => placeholders.indexOf(found));
    this.#etag = etagOf(text);
  }

  /** Answers with the document, or with 304. The reply has its other headers already. @param texts one for each placeholder */
  send(request: FastifyRequest, reply: FastifyReply, texts: readonly string[]): FastifyReply {
    return answer(request, reply, ['gzip', 'identity'], {
      etag: etagOf(this.#etag + JSON.stringify(texts)),
      body: (encoding) => (encoding === 'gzip' ? this.#gzip(texts) : this.#plain(texts)),
    });
  }

  #plain(texts: readonly string[]): Buffer {
    return Buffer.concat(this.#pieces(texts));
  }

  #pieces(texts: readonly string[]): Buffer[] {
    return this.#joined(
      ({ plain }) => plain,
      texts.map((text) => Buffer.from(text)),
    );
  }

  /** Returns a gzip member (RFC 1952) made of blocks that were deflated separately. */
  #gzip(texts: readonly string[]): Buffer {
    const pieces = this.#pieces(texts);
    const trailer = Buffer.alloc(8);
    trailer.writeUInt32LE(pieces.reduce((sum, piece) => crc32(piece, sum), 0));
    trailer.writeUInt32LE(pieces.reduce((sum, piece) => sum + piece.length, 0) % 2 ** 32, 4);
    const blocks = this.#joined((part) => part.deflated, texts.map(deflated));
    return Buffer.concat([GZIP_HEADER, ...blocks, LAST_BLOCK, trailer]);
  }

  #joined(of: (part: { plain: Buffer; deflated: Buffer }) => Buffer, texts: readonly Buffer[]): Buffer[] {
    return this.#parts.flatMap((part, index) => {
      const before = this.#between[index - 1];
      return before === undefined ? [of(part)] : [texts[before]!, of(part)];
    });
  }
}

/** No flags, no time, unknown system. */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** An empty block that is marked as the last. */
const LAST_BLOCK = Buffer.from([0x03, 0x00]);

/** Blocks that end at a byte and are not the last: others can follow. */
function deflated(text: string): Buffer {
  return deflateRawSync(text, { level: 9, finishFlush: constants.Z_FULL_FLUSH });
}

/** Weak: it is the same for every encoding. */
function etagOf(text: string | Buffer): string {
  return `W/"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
}

function answer(request: FastifyRequest, reply: FastifyReply, offered: Encoding[], bodies: Bodies): FastifyReply {
  const { headers } = request;
  reply.header('ETag', bodies.etag).header('Vary', 'Accept-Encoding');
  if (matchesEtag(headers['if-none-match'], bodies.etag.slice(2))) return reply.code(304).send();
  const accepted = headers['accept-encoding'];
  const encoding = (accepted === undefined ? null : negotiate(accepted.toLowerCase(), offered)) ?? 'identity';
  if (encoding !== 'identity') reply.header('Content-Encoding', encoding);
  return reply.send(bodies.body(encoding));
}
