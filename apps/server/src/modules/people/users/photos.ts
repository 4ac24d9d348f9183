/**
 * Photos of accounts. Each has one address for as long as it is the photo: pages show it with `<img>`, which sends no token,
 * and browsers keep it. The address holds a keyed hash of the content, so that it cannot be guessed, and ends with the photo.
 */
import { PorticoError } from '../../../kernel/errors.ts';
import { FILE_LINK_PATH } from '../../../kernel/file-links.ts';
import type { TenantScope } from '../../../kernel/scope.ts';

/** Path below which photos are served, without trailing slash. */
export const USER_PHOTO_PATH = `${FILE_LINK_PATH}/user-photo`;
/** Context of the keyed hash. */
const KIND = 'user-photo';

/** Parts of a scope from which addresses of photos are built. */
export type PhotoScope = Pick<TenantScope, 'settings' | 'baseUrl'>;

/**
 * Returns the hashed text. A reference names the same bytes forever, so its hash identifies the
 * content.
 */
function hashed(userId: number, contentRef: string): string {
  return `${userId} ${contentRef}`;
}

/** The absolute address under which the photo of a user is served; undefined without one. @param size `high` for the large one */
export function photoUrl(
  scope: PhotoScope,
  userId: number,
  contentRef: string | null,
  size?: 'high',
): string | undefined {
  if (contentRef === null) return undefined;
  const version = scope.settings.links.hash(KIND, hashed(userId, contentRef));
  return `${scope.baseUrl}${USER_PHOTO_PATH}/${userId}?v=${version}${size ? `&size=${size}` : ''}`;
}

/**
 * The content that an address of a photo leads to.
 * @param version `v` of the address
 * @throws PorticoError NOT_FOUND for an unknown user, one without a photo, and another `v`, all alike
 */
export async function findPhoto(scope: TenantScope, userId: string, version: unknown): Promise<string> {
  const id = /^[1-9]\d{0,15}$/.test(userId) ? Number(userId) : 0;
  const [user] = Number.isSafeInteger(id)
    ? await scope.db.query<{ contentRef: string | null }>(
        'SELECT photo_content_ref AS "contentRef" FROM users WHERE tenant_id = $1 AND id = $2',
        [scope.tenant.id, id],
      )
    : [];
  const matches = scope.settings.links.isHash(KIND, hashed(id, user?.contentRef ?? ''), version);
  if (!matches || !user?.contentRef) throw new PorticoError('NOT_FOUND');
  return user.contentRef;
}
