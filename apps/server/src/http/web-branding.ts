/** Puts the looks of a tenant into the page and into its manifest, which are the same for every tenant otherwise. */
import { accentTones } from '@portico/contract';
import type { FastifyRequest } from 'fastify';
import type { TenantScope } from '../kernel/scope.ts';
import { logoUrl } from '../modules/tenants/index.ts';
import { escaped } from './escaped.ts';

/** Looks of a tenant as the page shows them. */
export interface PageLooks {
  readonly name: string;
  readonly accent: string | null;
  /** Address of the logo on the host of the page. */
  readonly logo: string | undefined;
}

/** Time within which the tenant must be found. The page is sent without its looks afterwards. Milliseconds. */
const PATIENCE_MS = 1_000;

/**
 * Returns what finds the looks of the tenant that a request names. The page is served to any host, and while the
 * database is away: it is undefined then.
 */
export function findLooks(
  tenantScope: (request: FastifyRequest) => Promise<TenantScope>,
): (request: FastifyRequest) => Promise<PageLooks | undefined> {
  const find = async (request: FastifyRequest): Promise<PageLooks | undefined> => {
    const { tenant, settings } = await tenantScope(request);
    return {
      name: tenant.displayName,
      accent: settings.accentColor,
      logo: logoUrl({ settings, baseUrl: '' }, settings.logoContentRef),
    };
  };
  return async (request) => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, PATIENCE_MS, undefined);
    });
    try {
      return await Promise.race([find(request).catch(() => undefined), late]);
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Returns the page with the name, the logo and the accent colour. @param nonce of styles of the page */
export function brandedPage(html: string, { name, accent, logo }: PageLooks, nonce: string): string {
  let page = html.replace('<title>Portico</title>', () => `<title>${escaped(name)}</title>`);
  if (logo !== undefined)
    page = page.replace('<link rel="icon" href="data:,"', () => `<link rel="icon" href="${escaped(logo)}"`);
  if (accent === null) return page;
  return page.replace('</head>', () => `<style nonce="${nonce}">${styleOf(accent)}</style></head>`);
}

/** The selector outweighs that of the theme, which comes later. The theme takes shades 6 and 4, and the next on hover. */
function styleOf(accent: string): string {
  const { light, lightHover, dark, darkHover } = accentTones(accent);
  const tones = { 6: light, 7: lightHover, 4: dark, 5: darkHover };
  return `:root:root{${Object.entries(tones)
    .map(([shade, tone]) => `--mantine-color-accent-${shade}:${tone}`)
    .join(';')}}`;
}

/** Returns the manifest with the name, the logo and the accent colour. */
export function brandedManifest(manifest: string, { name, accent, logo }: PageLooks): string {
  const { icons, ...common } = JSON.parse(manifest) as { icons: readonly object[] };
  return JSON.stringify({
    ...common,
    name,
    short_name: name,
    ...(accent !== null && { theme_color: accent }),
    icons: [...(logo === undefined ? [] : [{ src: logo, sizes: 'any', purpose: 'any' }]), ...icons],
  });
}
