/**
 * Limits the bytes of responses that wait to be sent. A client that does not read leaves them in
 * memory. An account above its limit gets no further responses of reads; above the total limit, the
 * connections of the account with the most bytes are closed. The limits hold for a node and are
 * divided among its processes.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PorticoError } from '../kernel/errors.ts';
import { type NodeLimits, shareOf } from '../kernel/node-limits.ts';
import { keyOf, requesterOf } from './requester.ts';

/** Bounds of the bytes that wait to be sent on a node. */
interface UnsentLimits {
  readonly ofAccount: number;
  readonly ofNode: number;
}

const UNSENT_LIMITS: UnsentLimits = { ofAccount: 16 * 1024 * 1024, ofNode: 48 * 1024 * 1024 };

/** Seconds after which a request that was refused may come again. */
const RETRY_SECONDS = 5;

interface Account {
  bytes: number;
  /** Answers that wait, the oldest first. */
  readonly answers: Map<FastifyReply, number>;
}

/** Follows the answers of a process until they are sent. */
export class UnsentAnswers {
  readonly #ofAccount: number;
  readonly #ofProcess: number;
  readonly #accounts = new Map<string, Account>();
  #bytes = 0;

  constructor(node: NodeLimits, { ofAccount, ofNode }: UnsentLimits = UNSENT_LIMITS) {
    this.#ofAccount = shareOf(node, ofAccount);
    this.#ofProcess = shareOf(node, ofNode);
  }

  /** Bytes that wait in this process. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Refuses a request of an account whose answers are not read. @throws PorticoError TOO_MANY_AT_ONCE */
  check(key: string, more = 0): void {
    const { bytes = 0 } = this.#accounts.get(key) ?? {};
    if (bytes === 0 || bytes + more <= this.#ofAccount) return;
    throw new PorticoError('TOO_MANY_AT_ONCE', {
      message: `${bytes} bytes of responses to this account wait to be read; read them, and retry in ${RETRY_SECONDS} seconds.`,
      headers: { 'Retry-After': String(RETRY_SECONDS) },
    });
  }

  /** Counts an answer until it is sent or its connection is closed. */
  add(key: string, reply: FastifyReply, bytes: number): void {
    const account = this.#accounts.get(key) ?? { bytes: 0, answers: new Map() };
    this.#accounts.set(key, account);
    account.answers.set(reply, bytes);
    account.bytes += bytes;
    this.#bytes += bytes;
    reply.raw.once('close', () => {
      account.answers.delete(reply);
      account.bytes -= bytes;
      this.#bytes -= bytes;
      if (account.answers.size === 0) this.#accounts.delete(key);
    });
    if (this.#bytes > this.#ofProcess) this.#cut();
  }

  /** Closes connections of the account that holds most, the oldest answers first, until as much is free as another may hold. */
  #cut(): void {
    let most: Account | undefined;
    for (const account of this.#accounts.values()) if (!most || account.bytes > most.bytes) most = account;
    let excess = this.#bytes - (this.#ofProcess - this.#ofAccount);
    for (const [reply, bytes] of most?.answers ?? []) {
      if (excess <= 0) return;
      excess -= bytes;
      reply.raw.destroy();
    }
  }
}

/** Follows every answer of a server that is not a stream. Register it before hooks that change answers. */
export function registerUnsentAnswers(app: FastifyInstance, unsent: UnsentAnswers): void {
  app.addHook('onSend', async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
    const bytes = typeof payload === 'string' || Buffer.isBuffer(payload) ? Buffer.byteLength(payload) : 0;
    if (bytes === 0) return;
    const key = keyOf(requesterOf(request));
    // The response of a write reports the written objects: it is never refused.
    const { operation } = request.routeOptions.config;
    if (reply.statusCode === 200 && operation?.kind !== 'write') unsent.check(key, bytes);
    unsent.add(key, reply, bytes);
  });
}
