// Receives messages of a webhook, verifies them and prints each once, in the order of arrival.
// usage: SECRET=whsec_… node examples/webhook-receiver.mjs [PORT]
import { createServer } from 'node:http';

await (await import('./node-24.mjs')).useNode24();
const { WebhookVerificationError, webhooks } = await import('@portico/sdk');
const LONGEST = 100_000;
const keys = (process.env.SECRET ?? '').split(',');
const seen = new Set();

const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) {
    body += chunk;
    if (body.length > LONGEST) return response.writeHead(413).end();
  }
  try {
    const message = await webhooks.verify(body, request.headers, keys);
    response.writeHead(204).end(); // before the work: the portal waits 20 seconds
    const id = request.headers['webhook-id'];
    if (!seen.has(id)) console.log(JSON.stringify({ id, ...message }));
    seen.add(id);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    response.writeHead(401).end();
  }
});
server.listen(Number(process.argv[2] ?? 3000), () => console.log(`listening on port ${server.address().port}`));
