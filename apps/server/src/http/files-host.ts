/**
 * A separate address for files (PORTICO_FILES_ORIGIN): links lead there, and nothing of the portal
 * answers there, so that uploads of users never share an origin with it. Files of all tenants are
 * served from it: the link names the tenant.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PorticoError } from '../kernel/errors.ts';
import { FILE_LINK_PATH, tenantIdOfLink } from '../kernel/file-links.ts';
import type { Tenant } from '../kernel/scope.ts';
import { normaliseHost, type TenantRegistry } from '../modules/tenants/index.ts';

const LINKS = `${FILE_LINK_PATH}/`;
/** The route that serves links. */
const LINK_ROUTE = `${LINKS}:token`;
/** Routes served at every address. */
const HEALTH: readonly string[] = ['/healthz', '/readyz'];

/**
 * Whether a request is addressed to the host of files. @param origin `https://files.example.org`;
 * undefined without such a host
 */
export function isFilesHost(origin: string | undefined, request: FastifyRequest): boolean {
  if (origin === undefined) return false;
  const { host, port, hostname } = new URL(origin);
  const asked = normaliseHost(request.host ?? '');
  return asked === host || (port === '' && asked.replace(/:(?:80|443)$/, '') === hostname);
}

/**
 * Keeps both hosts apart. Call it before other hooks are registered.
 * @param origin scheme and host of files, without a path
 */
export function registerFilesHost(app: FastifyInstance, origin: string): void {
  app.addHook('onRequest', async (request, reply) => {
    const token = tokenOf(request);
    if (!isFilesHost(origin, request)) {
      // Links that were made before the address was set, or by a node that does not know it yet.
      return token === undefined ? undefined : reply.redirect(`${origin}${LINKS}${encodeURIComponent(token)}`, 307);
    }
    reply.header('Content-Security-Policy', "default-src 'none'; sandbox");
    if (token === undefined && !HEALTH.includes(request.routeOptions.url ?? ''))
      throw new PorticoError('UNKNOWN_ROUTE');
  });
}

/**
 * The token of the link that is requested; undefined for a request of anything else. Where there is a route, the router has
 * decided: it also recognises `/portal/%66iles/…` and `http://portal.example.org/portal/files/…`, which a comparison of texts
 * would miss. Requests without a route (OPTIONS, before a page of another origin reads a file) serve no file; for them the
 * comparison is enough.
 */
function tokenOf(request: FastifyRequest): string | undefined {
  const { url } = request.routeOptions;
  if (url === LINK_ROUTE) return (request.params as { token: string }).token;
  if (url !== undefined || !request.url.startsWith(LINKS)) return undefined;
  return request.url.slice(LINKS.length).split('?')[0] as string;
}

/**
 * The tenant whose file a link names, at the host of files. The signature shows whether the link is
 * that tenant's.
 * @throws PorticoError INVALID_LINK for a link that names no tenant
 */
export async function tenantOfLink(registry: TenantRegistry, request: FastifyRequest): Promise<Tenant> {
  const id = tenantIdOfLink(tokenOf(request) ?? '');
  const tenant = id === undefined ? undefined : await registry.byId(id);
  if (!tenant) throw new PorticoError('INVALID_LINK');
  return tenant;
}
