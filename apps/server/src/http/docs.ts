/**
 * The contract, served: OpenAPI 3.1, OpenAPI 3.0 for generators of clients and Swagger 2.0 for old tools
 * (docs/decisions/types.md), and a page to read and try it that loads nothing from outside.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import {
  type ApiDocument,
  buildOpenApi,
  buildOpenApi30,
  buildSamples,
  buildSwagger2,
  nameCommunitySchemas,
} from '@portico/contract/openapi';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { invalid } from '../kernel/errors.ts';
import type { Scope, TenantScope } from '../kernel/scope.ts';
import { DOCS, PAGE, PAGE_SCRIPT, SAMPLES } from './docs-page.ts';
import { Document, Template } from './documents.ts';
import { MOUNT_PREFIX } from './mount.ts';
import type { RateLimits } from './rate-limits.ts';
import { baseUrlOf } from './tenancy.ts';

const JSON_TYPE = 'application/json; charset=utf-8';

/** The files of the page that come from the package, and their types. */
const ASSETS: readonly (readonly [name: string, type: string])[] = [
  ['swagger-ui.css', 'text/css; charset=utf-8'],
  ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
];
const assetsDirectory = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** A page of documents may load and call its own origin only; the packages set styles and data images inline. */
export const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Placeholder in the text for the address that a client requested. */
const ADDRESS = 'https://address.invalid';

/** Placeholder in the document of a community for its schemas. */
const SCHEMAS = '"portico-community-schemas":{}';

/** Dependencies of the routes. */
interface DocsOptions {
  /** Limits the requests for a document. */
  readonly rateLimits: RateLimits;
  /** The scope of a request before anyone has signed in. */
  tenantScope(request: FastifyRequest): Promise<TenantScope>;
  /** Signs the caller in. */
  signedInScope(request: FastifyRequest, reply: FastifyReply, scope: TenantScope): Promise<Scope>;
  /** The schemas of the fields that the caller sees of a community. @throws PorticoError NOT_FOUND */
  communitySchemas(scope: Scope, communityId: number): Promise<object>;
}

export function registerDocs(app: FastifyInstance, options: DocsOptions): void {
  const { rateLimits } = options;
  // Documents bring their compression with them.
  const documentRoute = {
    compress: false as const,
    onRequest: (request: FastifyRequest, reply: FastifyReply) => rateLimits.anonymous(request, reply),
  };
  let openApi: Template | undefined;
  app.get(`${MOUNT_PREFIX}/openapi.json`, documentRoute, async (request, reply) => {
    const { community } = request.query as { community?: unknown };
    if (community !== undefined) return sendOfCommunity(request, reply, community);
    openApi ??= withAddress(buildOpenApi);
    return openApi.send(request, withHeaders(reply, JSON_TYPE), [addressOf(request)]);
  });
  let openApi30: Template | undefined;
  app.get(`${MOUNT_PREFIX}/openapi-3.0.json`, documentRoute, async (request, reply) => {
    openApi30 ??= withAddress(buildOpenApi30);
    return openApi30.send(request, withHeaders(reply, JSON_TYPE), [addressOf(request)]);
  });
  let ofCommunity: Template | undefined;
  /** The document with the fields of a community, for who sees it. */
  const sendOfCommunity = async (request: FastifyRequest, reply: FastifyReply, community: unknown) => {
    const scope = await options.signedInScope(request, reply, await options.tenantScope(request));
    request.signedInScope = scope;
    await rateLimits.signedIn(request, reply, scope);
    const communityId =
      typeof community === 'string' && /^[0-9]{1,15}$/.test(community) ? Number(community) : undefined;
    if (communityId === undefined) throw invalid('community', 'INVALID_VALUE', 'Send the id of one community.');
    const schemas = await options.communitySchemas(scope, communityId);
    ofCommunity ??= new Template(documentOfCommunities(), [ADDRESS, SCHEMAS]);
    withHeaders(reply, JSON_TYPE).header('Cache-Control', 'private, no-cache').header('Vary', 'Authorization, Cookie');
    return ofCommunity.send(request, reply, [addressOf(request), JSON.stringify(schemas).slice(1, -1)]);
  };
  const documents: (readonly [path: string, type: string, read: () => Promise<string>])[] = [
    [`${MOUNT_PREFIX}/swagger.json`, 'application/json; charset=utf-8', async () => JSON.stringify(buildSwagger2())],
    [SAMPLES, JSON_TYPE, async () => JSON.stringify(buildSamples())],
    [DOCS, 'text/html; charset=utf-8', async () => PAGE],
    [`${DOCS}/page.js`, 'text/javascript; charset=utf-8', async () => PAGE_SCRIPT],
    ...ASSETS.map(
      ([name, type]) => [`${DOCS}/${name}`, type, () => readFile(join(assetsDirectory, name), 'utf8')] as const,
    ),
  ];
  for (const [path, type, read] of documents) {
    const document = new Document(read);
    app.get(path, documentRoute, async (request, reply) => document.send(request, withHeaders(reply, type)));
  }
}

function withHeaders(reply: FastifyReply, type: string): FastifyReply {
  // Browsers ask each time whether it has changed (304 if not), so that a new release shows at once.
  return reply
    .header('Content-Type', type)
    .header('Content-Security-Policy', DOCS_POLICY)
    .header('Cache-Control', 'no-cache');
}

/** A document that names the address at which it is asked for. */
function withAddress(build: (options: { serverUrl: string }) => ApiDocument): Template {
  return new Template(JSON.stringify(build({ serverUrl: ADDRESS })), [ADDRESS]);
}

/** The document of a community, with placeholders for the differing parts. */
function documentOfCommunities(): string {
  const document = nameCommunitySchemas(buildOpenApi({ serverUrl: ADDRESS }));
  const { schemas } = document['components'] as { schemas: Record<string, unknown> };
  schemas['portico-community-schemas'] = {};
  return JSON.stringify(document);
}

/** As it is written in JSON, without the quotes around it. */
function addressOf(request: FastifyRequest): string {
  return JSON.stringify(baseUrlOf(request)).slice(1, -1);
}
