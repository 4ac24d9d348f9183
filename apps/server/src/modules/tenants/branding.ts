/**
 * Looks of a tenant (operation getBranding): name, accent colour, logo, notice and legal pages. They are read with the
 * settings of every request, so they need no statement of their own.
 */
import type { GetBrandingResponse } from '@portico/contract';
import { PorticoError } from '../../kernel/errors.ts';
import { FILE_LINK_PATH } from '../../kernel/file-links.ts';
import type { TenantScope } from '../../kernel/scope.ts';

/** Path at which the logo is served. */
export const LOGO_PATH = `${FILE_LINK_PATH}/logo`;
/** Context of the keyed hash. */
const KIND = 'logo';

type LinkScope = Pick<TenantScope, 'settings' | 'baseUrl'>;

/**
 * Returns the absolute address of a logo. It holds a keyed hash of the content, with a key of the tenant: it is that of
 * no other tenant, and ends with the logo.
 * @returns undefined without a logo
 */
export function logoUrl(scope: LinkScope, contentRef: string | null): string | undefined {
  if (contentRef === null) return undefined;
  return `${scope.baseUrl}${LOGO_PATH}?v=${scope.settings.links.hash(KIND, contentRef)}`;
}

/**
 * Finds the stored picture that an address of the logo leads to.
 * @param version `v` of the address
 * @throws PorticoError NOT_FOUND without a logo and for another `v`, both alike
 */
export function findLogo({ settings }: Pick<TenantScope, 'settings'>, version: unknown): string {
  const { logoContentRef, links } = settings;
  if (logoContentRef === null || !links.isHash(KIND, logoContentRef, version)) throw new PorticoError('NOT_FOUND');
  return logoContentRef;
}

/** Returns the looks of the tenant; members without a value are left out. */
export async function getBranding(scope: TenantScope): Promise<GetBrandingResponse> {
  const { accentColor, logoContentRef, signInNotice, imprintUrl, privacyUrl } = scope.settings;
  return {
    portalName: scope.tenant.displayName,
    ...(accentColor !== null && { accentColor }),
    ...(signInNotice !== null && { signInNotice }),
    ...(imprintUrl !== null && { imprintUrl }),
    ...(privacyUrl !== null && { privacyUrl }),
    ...(logoContentRef !== null && { logoUrl: logoUrl(scope, logoContentRef)! }),
  };
}
