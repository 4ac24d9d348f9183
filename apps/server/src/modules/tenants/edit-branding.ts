/** Editing the looks of a tenant (operation editBranding). */
import {
  brandingLimits,
  type EditBrandingRequest,
  type EditBrandingResponse,
  isReadableAccent,
  readableAccent,
  settingPatterns,
} from '@portico/contract';
import { requireRight, type WriteScope, writeTransaction } from '../../kernel/access/index.ts';
import { FieldErrors } from '../../kernel/errors.ts';
import type { Scope } from '../../kernel/scope.ts';
import { optionalText } from '../../kernel/text-input.ts';
import { claimUploads, lockUsableUploads, releaseUpload } from '../files/index.ts';
import {
  findSettingFaults,
  lockSettingsVersion,
  readVersionedSettings,
  staleSettings,
  type TenantSettingValues,
  writeTenantSettings,
} from './tenant-settings.ts';

/** Media types of logos. SVG may carry script, and moving pictures disturb. */
const LOGO_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp'];

type Looks = Pick<TenantSettingValues, 'accentColor' | 'signInNotice' | 'imprintUrl' | 'privacyUrl'>;

/**
 * Replaces the looks of the tenant; omitted texts and colour are emptied, an omitted name or logo stays. Running servers
 * use them within a second.
 * @throws PorticoError FORBIDDEN without the right manageDigitalWorplace; CONFLICT_STALE_TOKEN with the last editor and
 *   the time; ValidationError with every error
 */
export async function editBranding(
  scope: Scope,
  { occToken, ...input }: EditBrandingRequest,
): Promise<EditBrandingResponse> {
  return writeTransaction(scope, 'none', async (write) => {
    const { tx, actor, now } = write;
    requireRight(actor, 'manageDigitalWorplace');
    const version = await lockSettingsVersion(tx);
    if (occToken !== undefined && occToken !== version) throw await staleSettings(tx, version);
    const before = await readVersionedSettings(tx);
    const errors = new FieldErrors(write.missing);
    if (input.name !== undefined)
      for (const { field, message } of findSettingFaults({ name: input.name }))
        errors.add(field, 'INVALID_VALUE', message);
    const looks = readLooks(input, errors);
    const logoContentRef = await readLogo(write, input, before.logoContentRef, errors);
    errors.throwIfAny();
    if (logoContentRef !== before.logoContentRef) {
      if (logoContentRef !== null)
        await claimUploads(write, [{ contentRef: logoContentRef, field: 'newLogoContentRef' }]);
      if (before.logoContentRef !== null) await releaseUpload(tx, before.logoContentRef);
    }
    const name = input.name === undefined ? {} : { name: input.name.trim() };
    await writeTenantSettings(tx, { ...name, ...looks, logoContentRef }, { by: actor.userId, at: now });
    return { nextOccToken: version + 1 };
  });
}

function readLooks(input: EditBrandingRequest, errors: FieldErrors): Looks {
  return {
    accentColor: readAccent(input.accentColor, errors),
    signInNotice: optionalText('signInNotice', input.signInNotice, brandingLimits.notice, errors),
    imprintUrl: readAddress('imprintUrl', input.imprintUrl, errors),
    privacyUrl: readAddress('privacyUrl', input.privacyUrl, errors),
  };
}

function readAccent(given: string | undefined, errors: FieldErrors): string | null {
  const colour = given?.trim().toLowerCase() || null;
  if (colour === null) return null;
  if (!settingPatterns.color.test(colour)) errors.add('accentColor', 'INVALID_VALUE', 'A colour such as #0b6e4f.');
  else if (!isReadableAccent(colour))
    errors.add(
      'accentColor',
      'INVALID_VALUE',
      `${colour} is too light to be read on the background of the page. The nearest readable colour is ${readableAccent(colour)}.`,
    );
  return colour;
}

function readAddress(
  field: 'imprintUrl' | 'privacyUrl',
  given: string | undefined,
  errors: FieldErrors,
): string | null {
  const address = optionalText(field, given, brandingLimits.url, errors);
  if (address !== null && !(settingPatterns.url.test(address) && URL.canParse(address)))
    errors.add(field, 'INVALID_VALUE', 'An address of a page, such as https://acme.example/imprint.');
  return address;
}

/** @returns the logo after the edit; a new one is locked until the write ends */
async function readLogo(
  write: WriteScope,
  { newLogoContentRef: given, removeLogo }: EditBrandingRequest,
  present: string | null,
  errors: FieldErrors,
): Promise<string | null> {
  const kept = removeLogo === true ? null : present;
  if (given === undefined || given === '' || given === present) return kept;
  const upload = (await lockUsableUploads(write, [given])).get(given);
  if (!upload) errors.add('newLogoContentRef', 'CONTENT_REF_INVALID');
  else if (!LOGO_TYPES.includes(upload.mimeType ?? ''))
    errors.add('newLogoContentRef', 'INVALID_VALUE', 'The logo must be a PNG, JPEG or WebP picture.');
  else if ((upload.size ?? 0) > brandingLimits.logoBytes)
    errors.add('newLogoContentRef', 'INVALID_VALUE', 'The logo must not be larger than 1 MiB.');
  return given;
}
