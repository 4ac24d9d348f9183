/**
 * The addresses that end mail of notifications (RFC 8058). They are no operation of the contract:
 * the signed address is the permission. Scanners follow links, so a GET changes nothing.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Scope, TenantScope } from '../kernel/scope.ts';
import {
  readUnsubscription,
  UNSUBSCRIBE_PATH,
  type UnsubscriptionTexts,
  unsubscribe,
  unsubscriptionTexts,
} from '../modules/notifications/index.ts';
import { escaped } from './escaped.ts';
import { renderPage, sendPage } from './pages.ts';
import type { RateLimits } from './rate-limits.ts';

/** Largest body, of which nothing is read. Bytes. */
const MAX_BODY = 16 * 1024;

/** Dependencies of the route. */
interface UnsubscribeRouteOptions {
  /** The scope of a request before anyone has signed in. */
  tenantScope(request: FastifyRequest): Promise<TenantScope>;
  /** @returns the scope of a person; undefined if the person cannot sign in */
  personScope(scope: TenantScope, userId: number): Promise<Scope | undefined>;
  readonly rateLimits: Pick<RateLimits, 'anonymous'>;
}

type TokenRequest = FastifyRequest<{ Params: { token: string } }>;

/** Registers `GET` and `POST /portal/unsubscribe/{token}`. */
export function registerUnsubscribeRoute(app: FastifyInstance, options: UnsubscribeRouteOptions): void {
  const read = async (request: TokenRequest) => {
    const scope = await options.tenantScope(request);
    const asked = readUnsubscription(scope, request.params.token);
    return { scope, asked, person: asked && (await options.personScope(scope, asked.userId)) };
  };
  void app.register(async (routes) => {
    // Mail programs send a form, which says nothing that the address does not say.
    routes.removeAllContentTypeParsers();
    routes.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BODY }, (_request, _body, done) => done(null));
    routes.route<{ Params: { token: string } }>({
      method: 'GET',
      url: `${UNSUBSCRIBE_PATH}/:token`,
      onRequest: options.rateLimits.anonymous,
      handler: async (request, reply) => {
        const { scope, asked } = await read(request);
        const texts = unsubscriptionTexts(request.headers['accept-language'], scope.settings.defaultLanguage);
        return asked
          ? sendPage(reply, formPage(texts), { forms: true })
          : sendPage(reply.code(404), messagePage(texts, texts.broken));
      },
    });
    routes.route<{ Params: { token: string } }>({
      method: 'POST',
      url: `${UNSUBSCRIBE_PATH}/:token`,
      onRequest: options.rateLimits.anonymous,
      handler: async (request, reply) => {
        const { scope, asked, person } = await read(request);
        const texts = unsubscriptionTexts(request.headers['accept-language'], scope.settings.defaultLanguage);
        if (!asked) return sendPage(reply.code(404), messagePage(texts, texts.broken));
        // People who cannot sign in get no mail.
        if (person) await unsubscribe(person, asked.kinds);
        return sendPage(reply, messagePage(texts, texts.done));
      },
    });
  });
}

const messagePage = ({ title, language }: UnsubscriptionTexts, text: string) =>
  renderPage(title, `<p>${escaped(text)}</p>`, [], language);

const formPage = ({ title, language, ask, button }: UnsubscriptionTexts) =>
  renderPage(
    title,
    `<p>${escaped(ask)}</p>
<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click"><button class="open" type="submit">${escaped(button)}</button></form>`,
    [],
    language,
  );
