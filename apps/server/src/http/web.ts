/**
 * Serves the portal in a browser: the page that `apps/web` is built into, and its files. The page
 * is the same for every person, and for every tenant but for its looks; it gets its data from the interface. Addresses of
 * pages answer a browser only: programs get the same responses as without the page.
 */
import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { negotiate } from '@fastify/accept-negotiator';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addresses } from '../../../web/src/addresses.ts';
import { PorticoError } from '../kernel/errors.ts';
import { brandedManifest, brandedPage, type PageLooks } from './web-branding.ts';

/** Where `apps/web/build.ts` puts the page. */
const DIST = fileURLToPath(new URL('../../../web/dist/', import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
};

/** The service worker of the page, and what browsers need to install it. */
const FIXED = ['sw.js', 'manifest.webmanifest', 'icon.svg'];

const NONCE = '__STYLE_NONCE__';

/** The built page. */
export interface WebPage {
  readonly html: string;
  /** Files by name, with the encodings in which they were compressed. */
  readonly assets: ReadonlyMap<string, ReadonlyMap<Encoding, Buffer>>;
  /** Files whose addresses do not change with their content. */
  readonly fixed?: ReadonlyMap<string, Buffer>;
}

type Encoding = 'br' | 'gzip' | 'identity';
const SUFFIXES: Readonly<Record<string, Encoding>> = { '.br': 'br', '.gz': 'gzip' };

/** Reads the built page into memory. @returns undefined where it was not built */
export async function readWebPage(): Promise<WebPage | undefined> {
  let html: string;
  try {
    html = await readFile(join(DIST, 'index.html'), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const assets = new Map<string, Map<Encoding, Buffer>>();
  for (const file of await readdir(join(DIST, 'assets'))) {
    const encoding = SUFFIXES[extname(file)] ?? 'identity';
    const name = encoding === 'identity' ? file : file.slice(0, -3);
    if (!TYPES[extname(name)]) continue;
    const forms = assets.get(name) ?? new Map<Encoding, Buffer>();
    assets.set(name, forms.set(encoding, await readFile(join(DIST, 'assets', file))));
  }
  const fixed = new Map<string, Buffer>();
  for (const name of FIXED) fixed.set(name, await readFile(join(DIST, name)));
  return { html, assets, fixed };
}

/** Addresses of the pages, in the form of Fastify: `/portal/post/:postId`. */
const webAddresses: readonly string[] = Object.values(addresses).map(
  (address) => `/portal${address.replaceAll('$', ':')}`,
);

/** Paths below `/portal/` that are no pages. */
const NO_PAGES = /^\/portal\/(?:api|assets|files|storage|mcp)(?:[/?]|$)/;

/** How the page is sent. */
interface WebOptions {
  /** Scheme and host that files are served from, where it is another one. */
  readonly filesOrigin: string | undefined;
  /** Finds the looks of the tenant that a request names. */
  readonly looksOf?: (request: FastifyRequest) => Promise<PageLooks | undefined>;
}

/** Registers the page, its files and its manifest. */
export function registerWeb(app: FastifyInstance, page: WebPage, options: WebOptions): void {
  app.get('/portal', (request, reply) => {
    // Programs are never redirected.
    mustWantPage(request);
    return reply.redirect('/portal/', 308);
  });
  for (const path of webAddresses) {
    for (const url of path.endsWith('/') ? [path] : [path, `${path}/`]) {
      app.get(url, (request, reply) => {
        if (path === '/portal/') mustTakePage(request);
        else mustWantPage(request);
        return sendPage(request, reply, page, options);
      });
    }
  }
  app.get<{ Params: { name: string } }>(
    '/portal/assets/:name',
    // The files are compressed already.
    { ...({ compress: false } as object) },
    (request, reply) => sendAsset(request, reply, page, request.params.name),
  );
  for (const [name, content] of page.fixed ?? []) {
    app.get(`/portal/${name}`, async (request, reply) => {
      const looks = extname(name) === '.webmanifest' ? await options.looksOf?.(request) : undefined;
      return reply
        .header('Content-Type', TYPES[extname(name)])
        .header('Cache-Control', 'no-cache')
        .send(looks ? brandedManifest(content.toString(), looks) : content);
    });
  }
  // The page says to a person that it does not know an address.
  app.get('/portal/*', (request, reply) => {
    if (NO_PAGES.test(request.url)) return reply.callNotFound();
    mustWantPage(request);
    return sendPage(request, reply.code(404), page, options);
  });
}

async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { html }: WebPage,
  { filesOrigin, looksOf }: WebOptions,
): Promise<FastifyReply> {
  const looks = await looksOf?.(request);
  const nonce = randomBytes(16).toString('base64');
  const page = html.replaceAll(NONCE, nonce);
  const media = ["'self'", 'data:', 'blob:', ...(filesOrigin ? [filesOrigin] : [])].join(' ');
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "font-src 'self'",
    `img-src ${media}`,
    `media-src ${media}`,
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
  return reply
    .header('Content-Type', 'text/html; charset=utf-8')
    .header('Content-Security-Policy', policy)
    .header('Referrer-Policy', 'same-origin')
    .header('Cross-Origin-Opener-Policy', 'same-origin')
    .header('Cache-Control', 'no-store')
    .header('Vary', 'Accept')
    .send(looks ? brandedPage(page, looks, nonce) : page);
}

function sendAsset(request: FastifyRequest, reply: FastifyReply, { assets }: WebPage, name: string): FastifyReply {
  const forms = assets.get(name);
  if (!forms) throw new PorticoError('UNKNOWN_ROUTE');
  const wanted = (negotiate(request.headers['accept-encoding'] ?? 'identity', ['br', 'gzip', 'identity']) ??
    'identity') as Encoding;
  const encoding = forms.has(wanted) ? wanted : 'identity';
  if (encoding !== 'identity') reply.header('Content-Encoding', encoding);
  return (
    reply
      .header('Content-Type', TYPES[extname(name)])
      // The name holds a hash of the content.
      .header('Cache-Control', 'public, max-age=31536000, immutable')
      .header('Vary', 'Accept-Encoding')
      .send(forms.get(encoding))
  );
}

/** Returns the accepted ranges of `Accept`, in lower case, and the ranges refused by `q=0`. */
function acceptedRanges(accept: string): { taken: Set<string>; refused: Set<string> } {
  const [taken, refused] = [new Set<string>(), new Set<string>()];
  for (const range of accept.split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const isRefused = parameters.some((parameter) => /^q\s*=\s*0(?:\.0*)?$/.test(parameter));
    (isRefused ? refused : taken).add(type);
  }
  return { taken, refused };
}

/**
 * For the address that stands for the whole portal, which checks of availability and `curl` ask for with any type.
 * @throws PorticoError UNKNOWN_ROUTE where a page is not taken
 */
function mustTakePage(request: Pick<FastifyRequest, 'headers'>): void {
  const { taken, refused } = acceptedRanges(request.headers.accept || '*/*');
  const takesAny = (taken.has('*/*') || taken.has('text/*')) && !refused.has('text/html');
  if (!takesAny) mustWantPage(request);
}

/** @throws PorticoError UNKNOWN_ROUTE, as for every other path, where no page is asked for */
export function mustWantPage({ headers }: Pick<FastifyRequest, 'headers'>): void {
  if (!acceptedRanges(headers.accept ?? '').taken.has('text/html'))
    throw new PorticoError('UNKNOWN_ROUTE', { headers: { Vary: 'Accept' } });
}
