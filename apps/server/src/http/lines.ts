/**
 * Reads bodies of many elements, one JSON object per line (`application/x-ndjson`), as they arrive:
 * memory holds no more than a line and the buffer of the socket. An unreadable line is an error of
 * that line alone.
 */
import type { Readable } from 'node:stream';
import { bulkLimits, type Operation } from '@portico/contract';
import { type DeclaredName, declarations, type FieldSchema, inputId, normaliseBody } from '@portico/contract/schemas';
import { finishInTurns } from '@portico/platform/parts';
import { Turns } from '@portico/platform/turns';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refusalOf } from '../kernel/bulk.ts';
import { invalid, PorticoError } from '../kernel/errors.ts';
import type { Line } from '../kernel/operations.ts';
import { decodeUtf8, exactBodyParts, readJsonBody } from './body.ts';
import type { InputCheck, SchemaChecks } from './validation.ts';

/** Bodies that came as lines, before they are read. */
const streams = new WeakMap<FastifyRequest, Readable>();

/** Whether the body of a request came as lines. */
export function hasLines(request: FastifyRequest): boolean {
  return streams.has(request);
}

/** Takes bodies of lines for the operations that declare such. */
export function registerLines(app: FastifyInstance): void {
  app.addContentTypeParser(/^application\/(?:x-)?(?:ndjson|jsonl)(?:$|\s*;)/i, (request, payload, done) => {
    const { operation } = request.routeOptions.config;
    if (!operation?.lines) {
      // As every other content type that is not taken.
      if (operation?.bodyless) payload.resume();
      done(operation?.bodyless ? null : new PorticoError('UNSUPPORTED_MEDIA_TYPE'), undefined);
      return;
    }
    streams.set(request, payload);
    done(null, undefined);
  });
}

/** Reads the lines of a request; undefined where its body is JSON. */
type ReadLines = (request: FastifyRequest) => AsyncIterable<Line> | undefined;

/** Makes the reader of an operation's lines; undefined where it takes none. */
export function linesOf(operation: Operation, checks: SchemaChecks): ReadLines | undefined {
  if (!operation.lines || !operation.body) return undefined;
  const fields: Readonly<Record<string, FieldSchema>> = declarations[operation.body].fields;
  const element = String(fields[operation.lines]?.items?.$ref).slice(0, -1) as DeclaredName;
  const check = checks.input('body', { $ref: `${inputId(element)}#` });
  return (request) => {
    const stream = streams.get(request);
    return stream && readLines(request, stream, (text, turns) => elementOf(text, element, check, turns));
  };
}

/** @throws PorticoError for a line that is no such element */
async function elementOf(
  text: string,
  element: DeclaredName,
  check: InputCheck,
  turns: Turns,
): Promise<Record<string, unknown>> {
  const goOn = async () => {
    if (turns.isOver) await turns.next();
  };
  const value = await readJsonBody(text, false, goOn);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid('$', 'INVALID_TYPE', 'A line must be a JSON object.');
  }
  check(value);
  await goOn();
  const exact = await finishInTurns(exactBodyParts(value));
  await goOn();
  return normaliseBody(element, exact);
}

async function* readLines(
  { limits }: FastifyRequest,
  stream: Readable,
  read: (text: string, turns: Turns) => Promise<unknown>,
): AsyncGenerator<Line, void, undefined> {
  let line = 0;
  const turns = new Turns();
  const next = async (text: Buffer | undefined): Promise<Line | undefined> => {
    line += 1;
    try {
      if (text === undefined) {
        throw new PorticoError('BODY_TOO_LARGE', { message: `A line may have ${bulkLimits.lineBytes} bytes.` });
      }
      const words = decodeUtf8(text, 'The line');
      if (words.trim() === '') return undefined;
      return { line, bytes: text.length, value: await read(words, turns) };
    } catch (error) {
      return { line, error: refusalOf(error) };
    }
  };
  let lines = 0;
  for await (const text of textLines(limits.waiting(stream))) {
    // Lines that came together would else be read in one turn of the event loop.
    if (turns.isOver) await turns.next();
    const found = await next(text);
    if (!found) continue;
    lines += 1;
    if (lines > bulkLimits.lines) {
      throw invalid(
        '$',
        'TOO_MANY_ITEMS',
        `A body may have at most ${bulkLimits.lines} lines; those before line ${line} may have been written.`,
        [bulkLimits.lines],
      );
    }
    yield found;
  }
}

const LINE_FEED = 10;

/**
 * Yields the bytes of each line; undefined for a line that is too long, whose rest is skipped.
 * @throws PorticoError BODY_TOO_LARGE
 */
async function* textLines(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer | undefined, void, undefined> {
  let kept: Buffer[] = [];
  let size = 0;
  let total = 0;
  const flush = () => {
    const whole = size > bulkLimits.lineBytes ? undefined : Buffer.concat(kept);
    kept = [];
    size = 0;
    return whole;
  };
  for await (const chunk of stream) {
    total += chunk.length;
    if (total > bulkLimits.bytes) {
      throw new PorticoError('BODY_TOO_LARGE', {
        message: `A body of lines may have ${bulkLimits.bytes} bytes; its first lines may have been written.`,
      });
    }
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      kept.push(chunk.subarray(from, at));
      size += at - from;
      yield flush();
      from = at + 1;
    }
    size += chunk.length - from;
    if (size <= bulkLimits.lineBytes) kept.push(chunk.subarray(from));
    else kept = [];
  }
  if (size > 0) yield flush();
}
