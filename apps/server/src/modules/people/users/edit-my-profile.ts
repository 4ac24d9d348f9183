/** Changes that people make to their own profile. */
import type { EditMyProfileRequest, EditUserResponse } from '@portico/contract';
import { type WriteScope, writeTransaction } from '../../../kernel/access/index.ts';
import { FieldErrors, forbidden, notFound, PorticoError } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { claimPicture, releaseUpload } from '../../files/index.ts';
import { staleUser } from './edit-user.ts';
import { maxLengths, readEmail } from './people.policy.ts';
import { photoUrl } from './photos.ts';
import { readLanguage, readZone } from './user-content.ts';
import type { UserFields } from './user-fields.ts';
import { readUser, type UserRow, updateUser } from './users.repository.ts';

const texts = [
  ['phone', maxLengths.phone],
  ['internalPhone', maxLengths.phone],
  ['mobilePhone', maxLengths.phone],
  ['biography', maxLengths.biography],
] as const;

/**
 * Edits the caller's own profile (operation editMyProfile); keeps omitted members.
 * @throws PorticoError 403 for a photo or private address that only administrators change, and for
 * another private address by a personal access token; 409 with the author and time of the last
 * change
 * @throws ValidationError
 */
export function editMyProfile(scope: Scope, input: EditMyProfileRequest): Promise<EditUserResponse> {
  return writeTransaction(scope, 'access', async (write) => {
    const { userId } = write.actor;
    const current = await readUser(write.tx, userId);
    if (!current || current.deleted) throw notFound();
    const errors = new FieldErrors(write.missing);
    const patch = readOwnContent(input, current, errors);
    errors.throwIfAny();
    if (input.occToken !== current.version) throw await staleUser(write, userId, 'version');
    mustBeOwn(write, current, patch);
    const { photoContentRef } = patch;
    if (photoContentRef !== undefined) await replacePhoto(write, current.photoContentRef, photoContentRef);
    const guard = { token: 'version', expected: current.version } as const;
    const nextOccToken = await updateUser({ tx: write.tx, now: write.now, by: userId }, current, patch, guard);
    if (nextOccToken === undefined) throw await staleUser(write, userId, 'version');
    const photo = photoUrl(scope, userId, photoContentRef === undefined ? current.photoContentRef : photoContentRef);
    return { ...(photo !== undefined && { accountPhotoUrl: photo }), nextOccToken };
  });
}

function readOwnContent(input: EditMyProfileRequest, current: UserRow, errors: FieldErrors): Partial<UserFields> {
  const patch: Partial<UserFields> = {};
  for (const [name, maxLength] of texts)
    if (input[name] !== undefined) patch[name] = errors.optional(name, input[name], maxLength);
  if (input.privateEmail !== undefined) {
    const address = readEmail('privateEmail', input.privateEmail, errors);
    if (address !== current.privateEmail) Object.assign(patch, { privateEmail: address, privateEmailVerified: false });
  }
  if (input.defaultLanguageId !== undefined)
    patch.language = readLanguage('defaultLanguageId', input.defaultLanguageId, errors);
  if (input.defaultTimezoneId !== undefined)
    patch.timezone = readZone('defaultTimezoneId', input.defaultTimezoneId, errors);
  if (input.emailNotificationsEnabled !== undefined) patch.emailNotifications = input.emailNotificationsEnabled;
  if (input.digestHour !== undefined) {
    const { digestHour: hour } = input;
    if (Number.isInteger(hour) && hour >= 0 && hour < 24) patch.digestHour = hour;
    else errors.add('digestHour', 'INVALID_VALUE', 'An hour from 0 to 23.', [hour]);
  }
  const photo = input.profilePhoto && (input.profilePhoto.newContentRef ?? null);
  if (photo !== undefined && photo !== current.photoContentRef) patch.photoContentRef = photo;
  return patch;
}

/** @throws PorticoError 403 for members that the caller may not change */
function mustBeOwn({ actor }: WriteScope, current: UserRow, patch: Partial<UserFields>): void {
  if ('privateEmail' in patch) {
    if (!current.editPrivateEmailEnabled) throw forbidden('Only an administrator may change your private address.');
    // People may be reached there when they have lost every other way in.
    if (actor.limits) throw new PorticoError('PERSONAL_TOKEN_NOT_ACCEPTED');
  }
  if ('photoContentRef' in patch && !current.customCanManagePhoto)
    throw forbidden('Only an administrator may change your photo.');
}

/**
 * @throws ValidationError unless the photo is a picture that the caller uploaded and has not used
 * yet
 */
async function replacePhoto(write: WriteScope, before: string | null, photo: string | null): Promise<void> {
  if (photo !== null && !(await claimPicture(write.tx, photo, write.actor.userId, write.now))) {
    const errors = new FieldErrors(write.missing);
    errors.add('profilePhoto.newContentRef', 'CONTENT_REF_INVALID');
    errors.throwIfAny();
  }
  if (before !== null) await releaseUpload(write.tx, before);
}
