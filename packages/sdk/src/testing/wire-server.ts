/** A real HTTP server that answers as a test says, and remembers what it was asked. */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';

export interface SeenRequest {
  method: string;
  /** Path without the query. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  text: string;
  /** The JSON body, if it was one. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came
  body: any;
}

export interface ScriptedAnswer {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** Never answers. */
  hang?: boolean;
  /** Cuts the connection. */
  cut?: boolean;
}

export interface WireServer {
  readonly origin: string;
  readonly requests: SeenRequest[];
  /** Requests but for sign-ins. */
  calls(): SeenRequest[];
  signIns(): SeenRequest[];
  close(): Promise<void>;
}

const PREFIX = '/portal/api/external/v2';
export const prefix = PREFIX;

/** An access token as a portal makes them. @param lifetime seconds */
export function accessToken(lifetime = 3600, more: object = {}): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const unsigned = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ exp: Math.floor(Date.now() / 1000) + lifetime, ...more })}`;
  return `${unsigned}.${createHmac('sha256', 'test').update(unsigned).digest('base64url')}`;
}

/** @param answer what each request gets; undefined means a sign-in that works, or `{}` */
export async function startWireServer(
  answer: (request: SeenRequest, count: number) => ScriptedAnswer | undefined = () => undefined,
): Promise<WireServer> {
  const requests: SeenRequest[] = [];
  let tokens = 0;
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.once('end', () => {
      const url = new URL(incoming.url ?? '/', 'http://wire');
      const text = Buffer.concat(chunks).toString('utf8');
      const json = /\bjson\b/.test(incoming.headers['content-type'] ?? '');
      const request: SeenRequest = {
        method: incoming.method ?? '',
        path: url.pathname,
        query: url.searchParams,
        headers: incoming.headers,
        text,
        body: json ? JSON.parse(text) : undefined,
      };
      requests.push(request);
      const isSignIn = url.pathname.includes('/core/auth/create-access-token');
      const scripted = answer(request, requests.length);
      if (scripted?.hang) return;
      if (scripted?.cut) return void incoming.socket.destroy();
      const given =
        scripted ?? (isSignIn ? { body: { accessToken: accessToken(3600, { n: ++tokens }) } } : { body: {} });
      outgoing.writeHead(given.status ?? 200, {
        'Content-Type': 'application/json',
        'X-Request-Id': 'r-1',
        ...given.headers,
      });
      const { body = '' } = given;
      outgoing.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
  const signIns = () => requests.filter(({ path }) => path.includes('/core/auth/create-access-token'));
  return {
    origin: `http://127.0.0.1:${address.port}`,
    requests,
    signIns,
    calls: () => requests.filter((request) => !signIns().includes(request)),
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
