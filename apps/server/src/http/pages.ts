/**
 * Pages for people who open an address of the portal in a browser: the name of the service, links
 * to its description, its state. Programs get the same responses as without the pages, so a page
 * comes only where `Accept` names text/html. A page about a post, a community, a user or a group is
 * the same for every id: it does not reveal whether the object exists.
 */
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { PorticoError } from '../kernel/errors.ts';
import { escaped } from './escaped.ts';
import { MOUNT_PREFIX } from './mount.ts';
import { baseUrlOf } from './tenancy.ts';
import { mustWantPage } from './web.ts';

/** State of the service on the page at `/`. */
type PageState = 'ok' | 'read-only' | 'unavailable' | 'stopping';

const STYLE = `:root{color-scheme:light dark;--ink:#1c2530;--soft:#5a6775;--paper:#f5f6f4;--card:#fff;--line:#dcdfdb;--accent:#1d5b79}
@media (prefers-color-scheme:dark){:root{--ink:#e8ebee;--soft:#9fabb7;--paper:#14191e;--card:#1c2329;--line:#313a43;--accent:#7fbfdd}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:2rem 1rem;background:var(--paper);color:var(--ink);font:1rem/1.55 system-ui,sans-serif}
main{width:100%;max-width:38rem;padding:2.25rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem}
header{display:flex;align-items:center;gap:.75rem;margin-bottom:1.25rem}
svg{width:2.25rem;height:2.25rem;color:var(--accent);flex:none}
h1{margin:0;font-size:1.35rem;line-height:1.25}
p{margin:0 0 1rem}
dl{display:grid;grid-template-columns:auto 1fr;gap:.4rem 1.25rem;margin:1.25rem 0 0;padding-top:1.25rem;border-top:1px solid var(--line)}
dt{color:var(--soft)}
dd{margin:0;min-width:0;overflow-wrap:anywhere}
a{color:var(--accent)}
.open{display:inline-block;padding:.6rem 1.25rem;border-radius:.4rem;background:var(--accent);color:var(--card);font-weight:600;text-decoration:none}
button{border:0;font:inherit;cursor:pointer}
code{font:.9em ui-monospace,monospace}
@media (max-width:30rem){main{padding:1.5rem}dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.6rem}}`;

const MARK =
  '<svg viewBox="0 0 32 32" fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round" aria-hidden="true"><path d="M3 12 16 4l13 8H3Z"/><path d="M6 12v13M12.7 12v13M19.3 12v13M26 12v13M3 28h26"/></svg>';

/** Nothing is loaded, run, framed or sent anywhere; the one style is named by its hash. */
const CSP = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Paths of pages, each with and without a slash at the end, and the subject of each. */
const LINKS: Readonly<Record<string, string>> = {
  '/portal/post/:id': 'a post',
  '/portal/community/:id': 'a community',
  '/portal/admin/user/:id': 'a user',
  '/portal/admin/group/:id': 'a group',
};

const STATES: Readonly<Record<PageState, string>> = {
  ok: 'The service is running.',
  'read-only': 'The database is read-only at the moment; the service recovers automatically.',
  unavailable: 'The service cannot reach its database at the moment; it recovers automatically.',
  stopping: 'The service is shutting down.',
};

/**
 * Registers the page at `/` and the pages that links lead to.
 * @param state returns the state of the service, for each page at `/`
 * @param web whether the portal in a browser is served, which has pages of its own for the links
 */
export function registerPages(app: FastifyInstance, state: () => Promise<PageState>, web: boolean): void {
  app.get('/', async (request, reply) => {
    mustWantPage(request);
    return sendPage(reply, startPage(baseUrlOf(request), await state(), web));
  });
  if (web) return;
  for (const [path, subject] of Object.entries(LINKS)) {
    for (const url of [path, `${path}/`]) {
      app.get<{ Params: { id: string } }>(url, async (request, reply) => {
        if (request.params.id === '') throw new PorticoError('UNKNOWN_ROUTE');
        mustWantPage(request);
        return sendPage(reply, linkPage(baseUrlOf(request), subject));
      });
    }
  }
}

/** Sends a page. @param options.forms the page has a form for its own address */
export function sendPage(reply: FastifyReply, html: string, { forms = false } = {}): FastifyReply {
  return reply
    .header('Content-Type', 'text/html; charset=utf-8')
    .header('Content-Security-Policy', forms ? CSP.replace("form-action 'none'", "form-action 'self'") : CSP)
    .header('Referrer-Policy', 'no-referrer')
    .header('Cache-Control', 'no-store')
    .header('Vary', 'Accept')
    .send(html);
}

function startPage(baseUrl: string, state: PageState, web: boolean): string {
  return renderPage(
    'Portico',
    `<p>A portal for collaboration: communities, posts, tasks and files, for people and for programs.</p>${
      web ? '\n<p><a class="open" href="/portal/">Open the portal</a></p>' : ''
    }`,
    [
      ['Documents', '<a href="/portal/docs/">Quick starts, guides, every operation</a>'],
      ['Interface', `<a href="${MOUNT_PREFIX}/docs">Read it and try it</a>`],
      [
        'Description',
        `<a href="${MOUNT_PREFIX}/openapi.json">OpenAPI 3.1</a>, <a href="${MOUNT_PREFIX}/openapi-3.0.json">OpenAPI 3.0</a>, <a href="${MOUNT_PREFIX}/swagger.json">Swagger 2.0</a>`,
      ],
      ...signingIn(baseUrl),
      ['State', `${STATES[state]} <a href="/readyz">/readyz</a>`],
    ],
  );
}

function linkPage(baseUrl: string, subject: string): string {
  return renderPage(
    'A link into the portal',
    `<p>This address stands for ${subject} in a portal. Who may see it is found out when somebody signs in; this page is the same
whether or not it is there. Open it with the program that your organisation uses for the portal, or with the command line.</p>`,
    [...signingIn(baseUrl), ['About', '<a href="/">What this is</a>']],
  );
}

function signingIn(baseUrl: string): [string, string][] {
  return [
    ['Command line', `<code>portico login --url ${escaped(baseUrl)} --key KEY_FILE</code>`],
    ['Token', '<code>portico token</code> prints one, to be pasted into the page of the interface'],
  ];
}

/** Renders a page. @param text HTML @param facts names and values, HTML */
export function renderPage(
  title: string,
  text: string,
  facts: readonly (readonly [string, string])[],
  language = 'en',
): string {
  const list = facts.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join('\n');
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
<header>${MARK}<h1>${title}</h1></header>
${text}${
  list === ''
    ? ''
    : `
<dl>
${list}
</dl>`
}
</main>
</body>
</html>
`;
}
