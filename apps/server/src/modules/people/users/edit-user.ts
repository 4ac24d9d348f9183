import type {
  EditUserCredentialsRequest,
  EditUserCredentialsResponse,
  EditUserRequest,
  EditUserResponse,
} from '@portico/contract';
import {
  keepingHolders,
  mustHoldRightsOfUser,
  mustHoldRightsThatChange,
  type WriteScope,
  writeTransaction,
} from '../../../kernel/access/index.ts';
import { FieldErrors, notFound } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { staleToken } from '../../../kernel/stale-token.ts';
import { claimPicture, isClaimablePicture, releaseUpload } from '../../files/index.ts';
import { photoError, readCredentials } from './credentials.policy.ts';
import { answering } from './map-database-errors.ts';
import { mustManageUsers, mustNotBeSystem, readRights } from './people.policy.ts';
import { photoUrl } from './photos.ts';
import { checkUserTaken } from './uniqueness.ts';
import { checkUnits, readUserContent } from './user-content.ts';
import { fieldsOfRights, rightsGiven, type UserFields } from './user-fields.ts';
import { type Guard, readUser, type UserRow, updateUser } from './users.repository.ts';

/**
 * Fields of a holder of administrative rights that only callers with the same rights may change.
 */
const addresses = ['contactEmail', 'privateEmail'] as const;

/**
 * Edits a user (operation editUser); {@link readUserContent} describes the handling of omitted
 * members. Raises the version of access, because actors carry the user's name.
 * @throws PorticoError 403 (also for the addresses of a holder of a right that the caller lacks,
 * for rights that the caller lacks, and for removing a right from its last holder), 404 (unknown or
 * deleted), 409 with the author and time of the last change; ValidationError
 */
export function editUser(scope: Scope, userId: number, input: EditUserRequest): Promise<EditUserResponse> {
  return changeUser(scope, userId, async (write, current) => {
    const errors = new FieldErrors(write.missing);
    const patch: Partial<UserFields> = readUserContent(input, current, errors);
    const rights = readRights(input.adminCapabilities, errors);
    const occToken = input.occToken ?? 0;
    await checkUnits(write.tx, patch, userId, errors);
    // Invitations and resets go to these addresses: a user who changes them changes how the user signs in.
    if (addresses.some((name) => name in patch && (patch[name] ?? null) !== current[name]))
      await mustHoldRightsOfUser(write, userId);
    if (rights) {
      mustHoldRightsThatChange(write.actor, rightsGiven(current), rights);
      Object.assign(patch, fieldsOfRights(rights));
    }
    // A stale token is reported first, regardless of conflicts with other users.
    const stale = input.occToken !== undefined && input.occToken !== current.version;
    if (!stale) await checkUserTaken(write.tx, patch, userId, errors);
    errors.throwIfAny();
    const guard: Guard = { token: 'version', expected: occToken };
    const writing = { tx: write.tx, now: write.now, by: write.actor.userId };
    const update = () => updateUser(writing, current, patch, guard);
    const next = await (rights ? keepingHolders(write, update) : update());
    if (next === undefined) throw await staleUser(write, userId, 'version');
    const photo = photoUrl(scope, userId, current.photoContentRef);
    return { ...(photo !== undefined && { accountPhotoUrl: photo }), nextOccToken: next };
  });
}

/**
 * Edits the sign-in methods of a user (operation editUserCredentials); the form has a token of its
 * own. {@link readCredentials} describes the blocks. Removing the user name removes the password.
 * @throws PorticoError 403 (also for a holder of a right that the caller lacks, and if the last
 * person with a right could no longer sign in), 404 (unknown or deleted), 409; ValidationError
 */
export function editUserCredentials(
  scope: Scope,
  userId: number,
  input: EditUserCredentialsRequest,
): Promise<EditUserCredentialsResponse> {
  return changeUser(scope, userId, async (write, current) => {
    await mustHoldRightsOfUser(write, userId);
    const errors = new FieldErrors(write.missing);
    const change = readCredentials(input.userCredentialsConfiguration, current, write.settings.loginDomains, errors);
    const occToken = input.occToken ?? 0;
    // A stale token is reported first: the newer edit may have attached the photo or taken the
    // name.
    const fresh = current.credentialsVersion === occToken;
    if (fresh || input.occToken === undefined) await checkUserTaken(write.tx, change.patch, userId, errors);
    const newPhoto = change.photo && change.photo !== current.photoContentRef ? change.photo : undefined;
    if (fresh && newPhoto && !(await isClaimablePicture(write.tx, newPhoto, write.actor.userId))) photoError(errors);
    errors.throwIfAny();
    const writing = { tx: write.tx, now: write.now, by: write.actor.userId };
    if (newPhoto && !(await claimPicture(write.tx, newPhoto, write.actor.userId, write.now)) && fresh) {
      photoError(errors);
      errors.throwIfAny();
    }
    if (change.photo !== undefined) {
      const before = current.photoContentRef;
      if (before !== null && before !== change.photo) await releaseUpload(write.tx, before);
      change.patch.photoContentRef = change.photo;
    }
    const guard: Guard = { token: 'credentials_version', expected: occToken };
    const next = await keepingHolders(write, () =>
      updateUser(writing, current, change.patch, guard, change.removesPassword ? null : undefined),
    );
    if (next === undefined) throw await staleUser(write, userId, 'credentials_version');
    return { nextOccToken: next };
  });
}

function changeUser<T>(
  scope: Scope,
  userId: number,
  work: (write: WriteScope, current: UserRow) => Promise<T>,
): Promise<T> {
  mustManageUsers(scope.actor);
  return answering(() =>
    writeTransaction(scope, 'access', async (write) => {
      mustManageUsers(write.actor);
      const current = await readUser(write.tx, userId);
      if (!current || current.deleted) throw notFound();
      mustNotBeSystem(current);
      return work(write, current);
    }),
  );
}

/** The 409 of a user's form, from the row as it is now. */
export async function staleUser(write: WriteScope, userId: number, token: Guard['token']): Promise<Error> {
  const now = await readUser(write.tx, userId);
  if (!now || now.deleted) return notFound();
  if (token === 'version') return staleToken(write.tx, { ...now, modifierId: now.modifiedBy });
  return staleToken(write.tx, {
    version: now.credentialsVersion,
    modifiedAt: now.credentialsModifiedAt,
    modifierId: now.credentialsModifiedBy,
  });
}
