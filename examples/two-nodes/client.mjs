// A client of the portal that trusts one certificate: signs in with a service-account key file, asks, counts failures.
import { Agent, request } from 'node:https';
import { signAssertion } from '../shared.mjs';

/** A client of `https://localhost:PORT` whose certificate is `ca`. */
export function makeClient(port, ca) {
  const agent = new Agent({ keepAlive: true, ca });
  let token;

  /** Sends one request. @returns status, headers, body (parsed when it is JSON), and the node that answered */
  function send(method, path, { body, node } = {}) {
    return new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const outgoing = request(
        new URL(path, `https://localhost:${port}`),
        {
          agent,
          method,
          // The certificate is for localhost; the proxy listens on the IPv4 address of it.
          lookup: (_host, options, done) =>
            options.all ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4),
          headers: {
            ...(token && path.startsWith('/portal/') && { Authorization: `Bearer ${token}` }),
            ...(node && { 'X-Example-Node': node }),
            ...(text !== undefined && {
              'Content-Type': 'application/json',
              'Content-Length': Buffer.byteLength(text),
            }),
          },
        },
        (response) => {
          const chunks = [];
          response.on('data', (chunk) => chunks.push(chunk));
          response.once('error', reject);
          response.once('end', () => {
            const content = Buffer.concat(chunks);
            const json = (response.headers['content-type'] ?? '').includes('json');
            resolve({
              status: response.statusCode,
              headers: response.headers,
              body: json ? JSON.parse(content.toString()) : content,
              node: response.headers['x-served-by'],
            });
          });
        },
      );
      outgoing.once('error', reject);
      outgoing.end(text);
    });
  }

  return {
    send,
    /** A request that has to succeed. */
    async ask(method, path, options) {
      const answer = await send(method, `/portal/api/external/v2/${path}`, options);
      if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer;
    },
    /** Exchanges an assertion signed with the key for an access token, which every further request carries. */
    async signIn(key) {
      const answer = await this.ask('POST', 'core/auth/create-access-token-by-service-account', {
        body: { jwtAssertion: signAssertion(key) },
      });
      token = answer.body.accessToken;
      return answer;
    },
    close: () => agent.destroy(),
  };
}
