// A small TLS reverse proxy with health checks, like nginx, HAProxy or a cloud load balancer in
// front of several nodes.
import { Agent, request as httpRequest } from 'node:http';
import { createServer } from 'node:https';

const HEALTH_INTERVAL_MS = 100;

/**
 * Starts the proxy on a free port of 127.0.0.1. Its nodes are `{ name, origin }`; `origin` may change while a node is
 * restarted.
 */
export async function startProxy({ cert, key, nodes }) {
  const healthy = new Set();
  // Connections to the nodes are used once: a node that stops then never finds a request in a closing connection.
  const agent = new Agent({ keepAlive: false });
  let turn = 0;

  const server = createServer({ cert, key }, (incoming, answer) => {
    // Nodes that are not ready come last: an answer to the health check may be late on a busy machine.
    const ready = nodes.filter((node) => healthy.has(node.name));
    const first = turn++ % Math.max(1, ready.length);
    const others = nodes.filter((node) => !healthy.has(node.name));
    const candidates = [...ready.slice(first), ...ready.slice(0, first), ...others];
    // The example's client may name a node, to compare two of them; everybody else takes turns.
    const wanted = ready.find((node) => node.name === incoming.headers['x-example-node']);
    forward(incoming, answer, wanted ? [wanted] : candidates);
  });

  /** Sends a request to the first node; to the next one only if no connection was made, so that nothing is done twice. */
  function forward(incoming, answer, [node, ...others]) {
    const { hostname, port } = new URL(node.origin);
    const outgoing = httpRequest({
      agent,
      hostname,
      port,
      method: incoming.method,
      path: incoming.url,
      headers: {
        ...incoming.headers,
        connection: 'close',
        // Replaced, never passed on: the value from the client is not trusted.
        'x-forwarded-for': incoming.socket.remoteAddress,
        'x-forwarded-proto': 'https',
        'x-forwarded-host': incoming.headers.host,
      },
    });
    outgoing.once('response', (response) => {
      const { connection: _, 'keep-alive': __, ...headers } = response.headers;
      answer.writeHead(response.statusCode, { ...headers, 'x-served-by': node.name });
      response.pipe(answer);
    });
    outgoing.once('error', (error) => {
      healthy.delete(node.name);
      if (answer.headersSent) answer.destroy(error);
      else if (error.syscall === 'connect' && others.length > 0) forward(incoming, answer, others);
      else answer.writeHead(502, { 'Content-Type': 'text/plain' }).end(`${node.name}: ${error.message}\n`);
    });
    // The body is kept until there is a connection: the next node may need it.
    outgoing.once('socket', (socket) => socket.once('connect', () => incoming.pipe(outgoing)));
  }

  async function check(node) {
    const ready = await new Promise((resolve) => {
      const probe = httpRequest(`${node.origin}/readyz`, { agent, timeout: 1_000 }, (response) => {
        response.resume();
        resolve(response.statusCode === 200);
      });
      probe.once('timeout', () => probe.destroy());
      probe.once('error', () => resolve(false)); // a node that is being restarted: not ready
      probe.end();
    });
    if (ready) healthy.add(node.name);
    else healthy.delete(node.name);
  }
  let checking = true;
  const checks = (async () => {
    while (checking) {
      await Promise.all(nodes.map(check));
      await new Promise((resolve) => setTimeout(resolve, HEALTH_INTERVAL_MS));
    }
  })();

  await new Promise((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  return {
    port: server.address().port,
    healthy,
    close: async () => {
      checking = false;
      await checks;
      server.close();
      server.closeAllConnections();
    },
  };
}
