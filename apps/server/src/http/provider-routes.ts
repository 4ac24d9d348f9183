/**
 * The addresses of sign-in by an identity provider. They are no operations of the contract: browsers go there, and are sent on.
 * A sign-in that fails ends on the sign-in page with a code (docs/interface.md).
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { countSignInFailure } from '../kernel/audit/index.ts';
import { PorticoError } from '../kernel/errors.ts';
import { clientKey, type FailureLimit } from '../kernel/failure-limit.ts';
import type { Clock, TenantScope } from '../kernel/scope.ts';
import {
  beginSignIn,
  finishSignIn,
  isTrialState,
  PROVIDERS_PATH,
  type ProviderSignIns,
  SIGN_IN_MS,
  SignInFailure,
  START_PAGE,
  startSession,
} from '../modules/people/index.ts';
import type { RateLimits } from './rate-limits.ts';
import { hostCookie, sessionCookie } from './session-cookie.ts';

/** Dependencies of the routes. */
interface ProviderRouteOptions extends ProviderSignIns {
  /** The scope of a request before anyone has signed in. */
  tenantScope(request: FastifyRequest): Promise<TenantScope>;
  readonly rateLimits: Pick<RateLimits, 'anonymous'>;
  /** Counts failed sign-ins by the address of the client. */
  readonly signIns: { readonly limit: FailureLimit; readonly clock: Clock };
}

/** The name of these sign-ins in the audit log. */
const OPERATION = 'signInByProvider';
/** The cookie of a sign-in that was begun. */
const COOKIE = 'portico_sign_in';

interface Route {
  Params: { key: string };
  Querystring: Record<string, unknown>;
}

/** Registers `GET …/auth/providers/{key}/start` and `…/callback`. */
export function registerProviderRoutes(app: FastifyInstance, options: ProviderRouteOptions): void {
  const { client, rateLimits, signIns } = options;
  const scopeOf = async (request: FastifyRequest, reply: FastifyReply): Promise<TenantScope> => {
    // The address holds a code, and the response is for this browser at this time.
    reply.header('Cache-Control', 'no-store').header('Referrer-Policy', 'no-referrer');
    await rateLimits.anonymous(request, reply);
    const scope = await options.tenantScope(request);
    await signIns.limit.check(clientKey(request.ip), signIns.clock.now());
    const { caller } = scope.db;
    return { ...scope, db: scope.db.boundTo({ ...caller, origin: { ...caller.origin, operation: OPERATION } }) };
  };

  app.route<Route>({
    method: 'GET',
    url: `${PROVIDERS_PATH}/:key/start`,
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const scope = await scopeOf(request, reply);
      const { key } = request.params;
      const own = ownAddressOf(scope, request);
      if (own !== undefined) return reply.redirect(own);
      try {
        const { location, cookie } = await beginSignIn(scope, await client(), key, request.query['returnTo']);
        hostCookie(request, reply, scope, COOKIE).set(cookie, SIGN_IN_MS / 1000);
        return reply.redirect(location);
      } catch (error) {
        return reply.redirect(errorPage(failureOf(error, scope, key)));
      }
    },
  });

  app.route<Route>({
    method: 'GET',
    url: `${PROVIDERS_PATH}/:key/callback`,
    // A HEAD request would end the sign-in as a GET does.
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const scope = await scopeOf(request, reply);
      const { key } = request.params;
      // The page finishes it as the administrator. The answer is in the fragment, which browsers do not send.
      if (isTrialState(request.query['state'])) return reply.redirect(trialPage(queryOf(request)));
      const begun = hostCookie(request, reply, scope, COOKIE);
      const answer = { cookie: begun.value, query: queryOf(request) };
      try {
        const system = () => options.systemScope(scope);
        const { signIn, returnTo } = await finishSignIn(scope, await client(), key, answer, system);
        await startSession(scope, signIn, sessionCookie(request, reply, scope));
        begun.clear();
        return reply.redirect(returnTo);
      } catch (error) {
        const failure = failureOf(error, scope, key);
        const [address, now] = [clientKey(request.ip), signIns.clock.now()];
        await signIns.limit.note(address, now);
        await countSignInFailure(scope.db, failure.account, address, now);
        // A sign-in that another page began may still end.
        if (failure.code !== 'sign-in-expired') begun.clear();
        return reply.redirect(errorPage(failure));
      }
    },
  });
}

/** @returns the failure, which is logged @throws any other error */
function failureOf(thrown: unknown, { log, tenant }: TenantScope, key: string): SignInFailure {
  // The sign-ins of the account have ended meanwhile.
  const ended = thrown instanceof PorticoError && thrown.code === 'INVALID_CREDENTIALS' ? thrown : undefined;
  const error = ended
    ? new SignInFailure('account-blocked', ended.message, { cause: ended, account: ended.account })
    : thrown;
  if (!(error instanceof SignInFailure)) throw error;
  const fields = { tenant: tenant.name, provider: key, code: error.code, reason: error.message };
  if (error.code === 'provider-unavailable') log.warn(fields, 'an identity provider does not answer as one');
  else log.info(fields, 'a sign-in by a provider failed');
  return error;
}

/** @returns the query of a request, with its `?` */
const queryOf = ({ url }: FastifyRequest): string => (url.includes('?') ? url.slice(url.indexOf('?')) : '');

/** @returns the page of the administration that finishes trials; the fragment survives other encodings unchanged */
const trialPage = (query: string) =>
  `${START_PAGE}admin/providers/trial#answer=${Buffer.from(query).toString('base64url')}`;

const errorPage = ({ code }: SignInFailure) => `${START_PAGE}#/sign-in?error=${code}`;

/**
 * Providers send people back to the tenant's own host, where the cookie must be.
 * @returns the same address there; undefined where it was asked for there
 */
function ownAddressOf({ ownAddress, baseUrl }: TenantScope, request: FastifyRequest): string | undefined {
  if (ownAddress === null || new URL(ownAddress).hostname === new URL(baseUrl).hostname) return undefined;
  return `${ownAddress}${request.url}`;
}
