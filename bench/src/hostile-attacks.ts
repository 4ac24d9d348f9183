/**
 * The attacks of `npm run bench -- hostile`; loaded as a worker, this file runs an attack and
 * reports the result.
 */
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { encodeRequest, type HttpRequest, runLoad } from './measure/load.ts';

const ATTACKERS = 16;
/** Maximum requests of an attack. */
const MOST_REQUESTS = 2_000;
const HELD_CONNECTIONS = 128;

/** The order for a worker. */
export interface AttackOrder {
  readonly name: string;
  readonly port: number;
  readonly seconds: number;
  readonly list: HttpRequest;
  readonly detail: HttpRequest;
}

/** An attack that is a request, sent again and again, or connections that are held open. */
type Attack = { readonly request: HttpRequest } | { readonly hold: (socket: Socket) => void };

/** @returns the results of the requests, in words */
async function ask(port: number, seconds: number, request: HttpRequest): Promise<string> {
  const bytes = encodeRequest(request);
  const { answers, refused, lost, p50 } = await runLoad({
    port,
    connections: ATTACKERS,
    seconds,
    enough: MOST_REQUESTS,
    next: () => bytes,
  });
  return `${answers} answers, ${refused} of them refusals, ${lost} lost, p50 ${p50.toFixed(1)} ms`;
}

/** @returns the number of connections still open at the end, in words */
async function hold(port: number, seconds: number, begin: (socket: Socket) => void): Promise<string> {
  const sockets = Array.from({ length: HELD_CONNECTIONS }, () => {
    const socket = connect(port, '127.0.0.1');
    // A disconnect is the desired result.
    socket.on('error', () => socket.destroy()).resume();
    begin(socket);
    return socket;
  });
  await sleep(seconds * 1_000);
  const open = sockets.filter((socket) => !socket.destroyed && !socket.readableEnded).length;
  for (const socket of sockets) socket.destroy();
  return `${open} of ${sockets.length} connections held`;
}

const BOUNDARY = 'portico-bench';

/** All attacks by name. */
export function attacks(list: HttpRequest, detail: HttpRequest): Record<string, Attack> {
  const { host = '127.0.0.1' } = list.headers;
  const asList = (body: object): Attack => ({ request: { ...list, body: JSON.stringify(body) } });
  const check = (body: object): Attack => ({
    request: { ...list, path: '/portal/api/communication/posts/data/check-visibility', body: JSON.stringify(body) },
  });
  const get = (path: string): Attack => ({
    request: { method: 'GET', path, headers: { host, 'accept-encoding': 'gzip, br' } },
  });
  const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
  const filter = (index: number) => ({ columnId: index, typeId: 1, parameters: [index] });
  const form = (field: string) =>
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${'x'.repeat(1_024)}\r\n`;
  const start = (method: string, path: string, type: string) =>
    `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: ${type}\r\nContent-Length: 10000000\r\n\r\n`;
  const trickle = (method: string, path: string): Attack => ({
    hold: (socket) => {
      socket.write(start(method, path, 'application/json'));
      const timer = setInterval(() => socket.write(' '), 500);
      socket.once('close', () => clearInterval(timer));
    },
  });
  return {
    'upload forms that never come to their file': {
      hold: (socket) => {
        const fields = Array.from({ length: 15 }, (_, index) => form(`field${index}`)).join('');
        socket.write(start('POST', '/portal/storage/upload', `multipart/form-data; boundary=${BOUNDARY}`) + fields);
      },
    },
    'upload forms with 100 fields of 64 KB': {
      hold: (socket) => {
        socket.write(start('POST', '/portal/storage/upload', `multipart/form-data; boundary=${BOUNDARY}`));
        for (let index = 0; index < 100; index++) socket.write(form(`field${index}`).replace('x', 'x'.repeat(64_000)));
      },
    },
    'bodies that trickle, to a documents page': trickle('GET', '/portal/api/docs'),
    'bodies that trickle, to an unknown path': trickle('POST', '/nothing'),
    '4,700 conditions on fields': asList({ postFieldFilters: ids(4_700).map(filter) }),
    '50 conditions on fields': asList({ postFieldFilters: ids(50).map(filter) }),
    'all of 200 hashtags': asList({ hashtagIds: ids(200), hashtagsLogicalAnd: true }),
    'attachments with one of 1,000 hashtags': asList({ communityAttachmentFilters: { hashtagIds: ids(1_000) } }),
    '200,000 wrong ids': check({ ids: Array(200_000).fill('x') }),
    '50,000 keys that nobody declared': check(Object.fromEntries(ids(50_000).map((id) => [`key${id}`, id]))),
    'a megabyte of U+FDFA to search for': asList({ containsText: '\ufdfa'.repeat(340_000) }),
    'a megabyte of marks to search for': asList({ containsText: 'a\u0301\u0316'.repeat(200_000) }),
    'a body that is nested 64 times': check({ ids: [JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`)] }),
    'the script of the documents page': get('/portal/api/docs/swagger-ui-bundle.js'),
    'the OpenAPI document': get('/portal/api/openapi.json'),
    'sign-ins with nonsense': {
      request: {
        method: 'POST',
        path: '/portal/api/core/auth/create-access-token-by-service-account',
        headers: { host, 'content-type': 'application/json' },
        body: JSON.stringify({ jwtAssertion: 'a.b.c' }),
      },
    },
    'one account that asks for what is plain': {
      request: { ...detail, path: list.path.split('?')[0] ?? '', headers: list.headers, method: 'POST', body: '{}' },
    },
    'one account that asks for a heavy list': { request: list },
  };
}

async function run({ name, port, seconds, list, detail }: AttackOrder): Promise<string> {
  const attack = attacks(list, detail)[name];
  if (!attack) throw new Error(`there is no attack "${name}"`);
  return 'request' in attack ? ask(port, seconds, attack.request) : hold(port, seconds, attack.hold);
}

if (!isMainThread) parentPort?.postMessage(await run(workerData as AttackOrder));
