/**
 * The contract, served: OpenAPI 3.1, Swagger 2.0 for old tools (ruling 7), and a page to read and try it that loads
 * nothing from outside.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { buildOpenApi, buildSwagger2 } from '@portico/contract/openapi';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { PorticoError } from '../platform/errors.ts';
import { MOUNT_PREFIX } from './mount.ts';
import { baseUrlOf } from './tenancy.ts';

const DOCS = `${MOUNT_PREFIX}/docs`;

/** The files of the page that come from the package, and their types. */
const ASSETS: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Portico interface</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${DOCS}/swagger-ui.css">
</head>
<body>
<div id="page"></div>
<script src="${DOCS}/swagger-ui-bundle.js"></script>
<script src="${DOCS}/page.js"></script>
</body>
</html>
`;

const PAGE_SCRIPT = `SwaggerUIBundle({
  url: '${MOUNT_PREFIX}/openapi.json',
  dom_id: '#page',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  validatorUrl: null,
});
`;

/** The page may load and call its own origin only; the package sets styles and data images inline. */
const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export function registerDocs(app: FastifyInstance): void {
  let swagger2: string | undefined;
  app.get(`${MOUNT_PREFIX}/openapi.json`, async (request, reply) =>
    sendText(reply, 'application/json; charset=utf-8', JSON.stringify(buildOpenApi({ serverUrl: baseUrlOf(request) }))),
  );
  app.get(`${MOUNT_PREFIX}/swagger.json`, async (_request, reply) => {
    swagger2 ??= JSON.stringify(buildSwagger2());
    return sendText(reply, 'application/json; charset=utf-8', swagger2);
  });
  app.get(DOCS, async (_request, reply) => sendText(reply, 'text/html; charset=utf-8', PAGE));
  app.get(`${DOCS}/page.js`, async (_request, reply) => sendText(reply, 'text/javascript; charset=utf-8', PAGE_SCRIPT));
  const assets = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  app.get<{ Params: { asset: string } }>(`${DOCS}/:asset`, async (request, reply) => {
    const type = ASSETS[request.params.asset];
    if (!type) throw new PorticoError('UNKNOWN_ROUTE');
    reply.header('Cache-Control', 'public, max-age=86400');
    return sendText(reply, type, await readFile(join(assets, request.params.asset), 'utf8'));
  });
}

function sendText(reply: FastifyReply, type: string, text: string): FastifyReply {
  return reply
    .header('Content-Type', type)
    .header('Content-Security-Policy', CSP)
    .header('X-Content-Type-Options', 'nosniff')
    .send(text);
}
