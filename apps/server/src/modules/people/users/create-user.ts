import type { CreateUserRequest, CreateUserResponse } from '@portico/contract';
import { isMailAddress } from '@portico/platform/mail';
import { mustHoldRightsThatChange, writeTransaction } from '../../../kernel/access/index.ts';
import { FieldErrors } from '../../../kernel/errors.ts';
import type { Scope } from '../../../kernel/scope.ts';
import { claimPicture, isClaimablePicture } from '../../files/index.ts';
import { photoError, readCredentials } from './credentials.policy.ts';
import { answering } from './map-database-errors.ts';
import { mailLink, recipientOf } from './password-links.ts';
import { generatePassword, hashPassword, passwordError } from './passwords.ts';
import { isEmail, mustManageUsers, readRights } from './people.policy.ts';
import { photoUrl } from './photos.ts';
import { checkUserTaken } from './uniqueness.ts';
import { checkUnits, readUserContent } from './user-content.ts';
import { fieldsOfRights, newUser } from './user-fields.ts';
import { insertUsers } from './users.repository.ts';

/**
 * Creates a user (operation createUser). Only this operation gives or generates a password for a
 * new user; a generated one is in the response and nowhere else. A user name without a password is
 * accepted, but the user cannot sign in by it. The `emailNotifyRecipients` receive an invitation: a
 * link by which the user chooses a password, never the password.
 * @throws ValidationError with every error; PorticoError 403 without manageUsers, or without a
 * right that the user is to hold
 */
export async function createUser(scope: Scope, input: CreateUserRequest): Promise<CreateUserResponse> {
  mustManageUsers(scope.actor);
  const errors = new FieldErrors(scope.missing);
  const user = newUser('', '');
  Object.assign(user, readUserContent(input, undefined, errors));
  const rights = readRights(input.adminCapabilities, errors) ?? [];
  Object.assign(user, fieldsOfRights(rights));
  const credentials = readCredentials(input.userCredentialsConfiguration, user, scope.settings.loginDomains, errors);
  Object.assign(user, credentials.patch);
  const secret = readPassword(input.resetUserCustomCredentialsCommand, user.customUsername, errors);
  user.passwordExpired =
    secret !== undefined && input.resetUserCustomCredentialsCommand?.forceCredentialsExpiration === true;
  const db = scope.db;
  await checkUnits(db, user, null, errors);
  await checkUserTaken(db, user, null, errors);
  if (credentials.photo && !(await isClaimablePicture(db, credentials.photo, scope.actor.userId))) photoError(errors);
  errors.throwIfAny();
  // Hashing takes tens of milliseconds, so it runs before the transaction and holds no lock.
  const passwordHash = secret ? await hashPassword(secret.password) : null;

  return answering(() =>
    writeTransaction(scope, 'none', async (write) => {
      mustManageUsers(write.actor);
      mustHoldRightsThatChange(write.actor, [], rights);
      const writing = { tx: write.tx, now: write.now, by: write.actor.userId };
      if (credentials.photo) {
        if (!(await claimPicture(write.tx, credentials.photo, write.actor.userId, write.now))) photoError(errors);
        user.photoContentRef = credentials.photo;
      }
      errors.throwIfAny();
      const [userId] = await insertUsers(writing, [{ ...user, passwordHash }]);
      const recipients = recipientsOf(input.resetUserCustomCredentialsCommand);
      const invites = user.customActive && recipients.length > 0 && scope.ownAddress !== null;
      if (invites) await mailLink(write, 'invitation', recipients, recipientOf(userId!, user));
      const photo = photoUrl(scope, userId!, user.photoContentRef);
      return {
        userId: userId!,
        ...(photo !== undefined && { accountPhotoUrl: photo }),
        ...(secret?.generated && { generatedPassword: [secret.password] }),
        expiredCredentials: user.passwordExpired,
        sentEmailNotify: invites && scope.sendsMail,
        nextOccToken: 1,
      };
    }),
  );
}

/** Returns the valid mail addresses, each once. */
function recipientsOf(command: CreateUserRequest['resetUserCustomCredentialsCommand']): string[] {
  return [...new Set((command?.emailNotifyRecipients ?? []).map((address) => address.trim()))].filter(isMailAddress);
}

const COMMAND = 'resetUserCustomCredentialsCommand';

/** Returns the first password: given, generated, or none. */
function readPassword(
  command: CreateUserRequest['resetUserCustomCredentialsCommand'],
  username: string | null,
  errors: FieldErrors,
): { password: string; generated: boolean } | undefined {
  if (!command) return undefined;
  for (const [index, address] of (command.emailNotifyRecipients ?? []).entries()) {
    if (!isEmail(address.trim())) errors.add(`${COMMAND}.emailNotifyRecipients[${index}]`, 'INVALID_VALUE');
  }
  const given = typeof command.password === 'string' ? [command.password] : (command.password ?? []);
  if (given.length === 0 && command.generatePassword !== true) return undefined;
  if (given.length > 1) errors.add(`${COMMAND}.password`, 'INVALID_VALUE', 'Send a list with exactly one password.');
  if (given.length > 0 && command.generatePassword === true) {
    errors.add(`${COMMAND}.generatePassword`, 'INVALID_VALUE', 'Send either a password or generatePassword, not both.');
  }
  if (username === null) {
    const message = 'A password needs a user name; send the custom block with active true and a username.';
    errors.add('userCredentialsConfiguration.custom.username', 'REQUIRED_FIELD', message);
  }
  if (given.length === 0) return { password: generatePassword(), generated: true };
  const error = passwordError(given[0]!, username);
  if (error) errors.add(`${COMMAND}.password`, 'INVALID_VALUE', error);
  return { password: given[0]!, generated: false };
}
