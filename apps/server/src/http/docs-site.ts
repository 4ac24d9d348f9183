/**
 * Serves the documentation site that `npm run docs` builds, at `/portal/docs/`. The site loads nothing from other addresses. Where
 * it was not built, the address says so.
 */
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PorticoError } from '../kernel/errors.ts';
import { DOCS_POLICY } from './docs.ts';
import { Document } from './documents.ts';
import { MOUNT_PREFIX } from './mount.ts';
import { renderPage, sendPage } from './pages.ts';
import { mustWantPage } from './web.ts';

/** Where `scripts/docs.ts` puts the site. */
const DIST = fileURLToPath(new URL('../../../../docs/dist/', import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.woff2': 'font/woff2',
  '.webp': 'image/webp',
};

/** Files of the site by name. */
type Site = ReadonlyMap<string, Document>;

const NOT_BUILT = renderPage(
  'Documents',
  `<p>The documents were not built here: <code>npm run docs</code> in the sources builds them, and a release has them.</p>
<p>The interface is described at <a href="${MOUNT_PREFIX}/docs">${MOUNT_PREFIX}/docs</a>.</p>`,
  [],
);

/** Reads the built site into memory. @returns undefined where it was not built */
async function readSite(folder: string): Promise<Site | undefined> {
  const names = await readdir(folder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!names) return undefined;
  const files = names.filter((name) => TYPES[extname(name)]).map((name) => name.replaceAll('\\', '/'));
  const read = async (name: string) => {
    const content = await readFile(join(folder, name));
    return [name, new Document(async () => content)] as const;
  };
  return new Map(await Promise.all(files.map(read)));
}

/** @param folder of the built site */
export function registerDocsSite(app: FastifyInstance, folder = DIST): void {
  let site: Site | undefined;
  const readOnce = async () => {
    site ??= await readSite(folder);
    return site;
  };
  app.get('/portal/docs', (request, reply) => {
    // Programs are never redirected.
    mustWantPage(request);
    return reply.redirect('/portal/docs/', 308);
  });
  app.get<{ Params: { '*': string } }>(
    '/portal/docs/*',
    // The files bring their compression with them.
    { ...({ compress: false } as object) },
    async (request, reply) => sendFile(request, reply, await readOnce(), request.params['*']),
  );
}

async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  site: Site | undefined,
  path: string,
): Promise<FastifyReply> {
  if (!site) {
    mustWantPage(request);
    return sendPage(reply.code(404), NOT_BUILT);
  }
  const name = [path, `${path}.html`, `${path}index.html`, `${path}/index.html`].find((file) => site.has(file));
  if (name === undefined) mustWantPage(request);
  const found = name ?? '404.html';
  const document = site.get(found);
  if (!document) throw new PorticoError('UNKNOWN_ROUTE');
  if (name === undefined) reply.code(404);
  // The names of assets hold a hash of their content.
  const lasting = found.startsWith('assets/');
  reply
    .header('Content-Type', TYPES[extname(found)])
    .header('Content-Security-Policy', DOCS_POLICY)
    .header('Referrer-Policy', 'same-origin')
    .header('Cache-Control', lasting ? 'public, max-age=31536000, immutable' : 'no-cache');
  return document.send(request, reply);
}
