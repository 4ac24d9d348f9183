/** A server that stops while clients send: each request is answered, or its connection refused. */
import { Agent, request } from 'node:http';
import { request as requestTls } from 'node:https';
import Fastify, { type FastifyInstance } from 'fastify';
import { describe, expect, it } from 'vitest';
// @ts-expect-error: an example in plain JavaScript
import { selfSignedCertificate } from '../../../../examples/self-signed-certificate.mjs';
import { listen } from './listen.ts';

const CLIENTS = 6;

type Outcome = 'answered' | 'refused' | `cut: ${string}`;

/** Sends a request with a body. @param agent one that keeps its connection, or false for a connection of its own */
function send(url: URL, agent: Agent | false): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const secure = url.protocol === 'https:';
  const outgoing = (secure ? requestTls : request)(url, {
    method: 'POST',
    agent: secure ? false : agent,
    rejectUnauthorized: false,
    headers: { 'Content-Type': 'application/json', 'Content-Length': 2 },
  });
  outgoing.once('response', (response) => {
    response.resume();
    response.once('end', () => resolve('answered'));
    response.once('error', (error) => resolve(`cut: ${error.message}`));
  });
  outgoing.once('error', (error: NodeJS.ErrnoException) =>
    resolve(error.code === 'ECONNREFUSED' ? 'refused' : `cut: ${error.message}`),
  );
  outgoing.end('{}');
  return promise;
}

/** Stops the server while clients keep asking. @returns the results of the requests */
async function stopUnderLoad(
  app: FastifyInstance,
  scheme: 'http' | 'https',
  host: string,
): Promise<Map<Outcome, number>> {
  app.post('/', async () => {
    // Work, so that there is a queue.
    for (const end = performance.now() + 0.5; performance.now() < end; );
    return {};
  });
  const listening = await listen(app, { host, port: 0 });
  const url = new URL(`${scheme}://127.0.0.1:${listening.port}/`);
  const outcomes = new Map<Outcome, number>();
  const agents = Array.from({ length: CLIENTS }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const started = Promise.withResolvers<void>();
  const clients = [...agents, ...Array.from({ length: CLIENTS }, () => false as const)].map(async (agent) => {
    for (let outcome: Outcome = 'answered'; outcome !== 'refused'; ) {
      outcome = await send(url, agent);
      const count = (outcomes.get(outcome) ?? 0) + 1;
      outcomes.set(outcome, count);
      if (count === 100) started.resolve();
    }
  });
  await started.promise;
  expect(await listening.close({ requestsMs: 10_000 })).toBe(0);
  await Promise.all(clients);
  for (const agent of agents) agent.destroy();
  return outcomes;
}

describe('a server that stops under load', () => {
  it.each([
    ['on one address', '127.0.0.1'],
    ['on both addresses of localhost', 'localhost'],
  ])('cuts no request off, POST included: %s', async (_name, host) => {
    for (let round = 0; round < 3; round++) {
      const outcomes = await stopUnderLoad(Fastify(), 'http', host);
      expect([...outcomes.keys()].sort()).toEqual(['answered', 'refused']);
      expect(outcomes.get('refused')).toBe(2 * CLIENTS);
    }
  });

  it('cuts no request off that came by TLS', async () => {
    const https = selfSignedCertificate(['localhost', '127.0.0.1']);
    const outcomes = await stopUnderLoad(Fastify({ https }) as unknown as FastifyInstance, 'https', '127.0.0.1');
    expect([...outcomes.keys()].sort()).toEqual(['answered', 'refused']);
  });

  it('ends connections that carry no request, after the moment in which one may still come', async () => {
    const app = Fastify();
    app.post('/', async () => ({}));
    const listening = await listen(app, { host: '127.0.0.1', port: 0 });
    const url = new URL(`http://127.0.0.1:${listening.port}/`);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect(await send(url, agent)).toBe('answered');
    const closed = listening.close({ requestsMs: 10_000 });
    // The connection is kept for one more request, a new one is refused.
    expect(await send(url, agent)).toBe('answered');
    await expect.poll(() => send(url, false)).toBe('refused');
    expect(await closed).toBe(0);
    agent.destroy();
  });
});
