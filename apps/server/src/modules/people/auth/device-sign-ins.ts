/**
 * Sign-ins of programs without a browser (device authorization, RFC 8628). The device shows a code;
 * a person confirms it in the session of a browser; the device receives a personal access token.
 * Its secret follows from the code of the device, so that it is never stored, not even for the
 * moment between confirmation and collection.
 */
import { randomBytes, randomInt } from 'node:crypto';
import {
  type CollectDeviceSignInResponse,
  type ConfirmDeviceSignInResponse,
  type DeviceSignInResponse,
  deviceSignInLimits,
  type StartDeviceSignInRequest,
  type StartDeviceSignInResponse,
} from '@portico/contract';
import { holds, writeTransaction } from '../../../kernel/access/index.ts';
import { forbidden, invalid, type ValidationError } from '../../../kernel/errors.ts';
import { clientKey, type FailureLimit } from '../../../kernel/failure-limit.ts';
import { requireFields } from '../../../kernel/missing-fields.ts';
import type { Handlers } from '../../../kernel/operations.ts';
import type { Scope, TenantScope } from '../../../kernel/scope.ts';
import {
  type AskingDevice,
  decideDevice,
  insertDevice,
  readDevice,
  readResult,
  tokenOfDevice,
} from './device-sign-ins.repository.ts';
import { failedConfirmation, failuresKey } from './failed-confirmation.ts';
import { hashOfSecret } from './personal-tokens.repository.ts';
import { addToken, TOKEN_PREFIX } from './personal-tokens.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const DEVICE_CODE_BYTES = 32;

/** Letters of codes for people: consonants, so that no words result (RFC 8628, 6.1). */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const CODE_LENGTH = 8;

/** Requests to sign in of one address within a minute. */
export const DEVICE_REQUESTS = 20;
/** Requests for the result by one device within a minute. */
export const DEVICE_POLLS = 30;
/** Wrong codes of one person within a minute. */
export const CODE_FAILURES = 10;

/** Limits of sign-ins on devices. */
interface DeviceLimits {
  /** Counts requests to sign in by the address of the device. */
  requests: FailureLimit;
  /** Counts requests for the result by the code of the device. */
  polls: FailureLimit;
  /** Counts wrong codes by account. */
  guesses: FailureLimit;
}

/** Operations of sign-ins on devices. */
export function deviceSignInHandlers({ requests, polls, guesses }: DeviceLimits) {
  return {
    startDeviceSignIn: ({ scope, body }) => start(scope, requireFields(scope, body), requests),
    collectDeviceSignIn: ({ scope, body }) => collect(scope, requireFields(scope, body).deviceCode, polls),
    readDeviceSignIn: async ({ scope, body }) => {
      const userCode = await mustAttempt(scope, requireFields(scope, body).userCode, guesses);
      const device = await readDevice(scope.db, userCode, scope.clock.now());
      return present(scope, device ?? (await refuseGuess(scope, guesses)));
    },
    confirmDeviceSignIn: ({ scope, body }) => {
      const { userCode, manageUsers = false } = requireFields(scope, body);
      return confirm(scope, userCode, manageUsers, guesses);
    },
    refuseDeviceSignIn: async ({ scope, body }) => {
      const userCode = await mustAttempt(scope, requireFields(scope, body).userCode, guesses);
      const refused = await writeTransaction(scope, 'none', ({ tx, now }) => decideDevice(tx, userCode, false, now));
      if (!refused) await refuseGuess(scope, guesses);
      return undefined;
    },
  } satisfies Handlers;
}

/** @throws PorticoError RATE_LIMITED (429) after too many requests of one address */
async function start(
  scope: TenantScope,
  { name, access, validDays }: StartDeviceSignInRequest,
  requests: FailureLimit,
): Promise<StartDeviceSignInResponse> {
  const now = scope.clock.now();
  const address = scope.db.caller.origin?.address ?? null;
  const counted = `${scope.tenant.id} ${clientKey(address ?? '')}`;
  await requests.check(counted, now);
  await requests.note(counted, now);
  const shown = name?.trim();
  if (!shown) throw invalid('name', 'REQUIRED_FIELD', 'name is required: a text that can be seen.');
  const deviceCode = randomBytes(DEVICE_CODE_BYTES).toString('base64url');
  const secret = `${TOKEN_PREFIX}${tokenOfDevice(deviceCode)}`;
  const device: AskingDevice = {
    name: shown,
    readOnly: access === 'read',
    validDays: validDays ?? deviceSignInLimits.days,
    address,
    createdAt: now,
    expiresAt: now + deviceSignInLimits.seconds * 1000,
  };
  let userCode = newUserCode();
  while (!(await insertDevice(scope.db, { deviceCode, userCode, secret }, device))) userCode = newUserCode();
  const written = `${userCode.slice(0, CODE_LENGTH / 2)}-${userCode.slice(CODE_LENGTH / 2)}`;
  const verificationUri = `${scope.baseUrl}/portal/device`;
  return {
    deviceCode,
    userCode: written,
    verificationUri,
    verificationUriComplete: `${verificationUri}?code=${written}`,
    expiresInSeconds: deviceSignInLimits.seconds,
    intervalSeconds: deviceSignInLimits.intervalSeconds,
  };
}

const newUserCode = () => Array.from({ length: CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');

/** @throws PorticoError RATE_LIMITED (429) for a device that asks too often */
async function collect(
  scope: TenantScope,
  deviceCode: string,
  polls: FailureLimit,
): Promise<CollectDeviceSignInResponse> {
  const now = scope.clock.now();
  const counted = `${scope.tenant.id} ${hashOfSecret(deviceCode).toString('base64')}`;
  await polls.check(counted, now);
  await polls.note(counted, now);
  const result = await readResult(scope.db, deviceCode, now);
  if (!result) return { status: 'expired' };
  const { confirmed, tokenId, expiresAt } = result;
  if (confirmed === null) return { status: 'pending' };
  if (!confirmed) return { status: 'refused' };
  if (tokenId === null || expiresAt === null) return { status: 'expired' };
  const accessToken = `${TOKEN_PREFIX}${tokenOfDevice(deviceCode)}`;
  return { status: 'confirmed', accessToken, tokenId, expirationTimestamp: expiresAt };
}

/** @throws PorticoError 403 without a session or the right; 409 with the maximum number of tokens; 429 */
async function confirm(
  scope: Scope,
  code: string,
  manageUsers: boolean,
  guesses: FailureLimit,
): Promise<ConfirmDeviceSignInResponse> {
  const userCode = await mustAttempt(scope, code, guesses);
  const token = await writeTransaction(scope, 'access', async (write) => {
    if (manageUsers && !holds(write.actor, 'manageUsers'))
      throw forbidden('Missing administrative right: manageUsers.');
    const device = await decideDevice(write.tx, userCode, true, write.now);
    if (!device) return undefined;
    const { name, readOnly, tokenHash } = device;
    const lifetime = manageUsers ? deviceSignInLimits.managerHours * HOUR_MS : device.validDays * DAY_MS;
    const expiresAt = write.now + lifetime;
    const tokenId = await addToken(write, {
      name,
      readOnly,
      communityIds: null,
      managesUsers: manageUsers,
      secretHash: tokenHash,
      expiresAt,
    });
    return { tokenId, expirationTimestamp: expiresAt };
  });
  return token ?? refuseGuess(scope, guesses);
}

function present(scope: Scope, device: AskingDevice): DeviceSignInResponse {
  return {
    name: device.name,
    access: device.readOnly ? 'read' : 'write',
    validDays: device.validDays,
    address: device.address ?? undefined,
    creationTimestamp: device.createdAt,
    expirationTimestamp: device.expiresAt,
    mayManageUsers: holds(scope.actor, 'manageUsers'),
  };
}

/**
 * Requires a session and few wrong codes. @returns the code as it is stored
 * @throws PorticoError FORBIDDEN (403) for callers without a session; RATE_LIMITED (429)
 */
async function mustAttempt(scope: Scope, code: string, guesses: FailureLimit): Promise<string> {
  if (scope.sessionId === undefined) throw forbidden('Only the session of a browser decides about a device.');
  await guesses.check(failuresKey(scope, scope.actor.userId), scope.clock.now());
  return code.toUpperCase().replaceAll(/[\s-]/g, '');
}

/** Counts a wrong code. @throws ValidationError on `userCode` */
async function refuseGuess(scope: Scope, guesses: FailureLimit): Promise<never> {
  await guesses.note(failuresKey(scope, scope.actor.userId), scope.clock.now());
  throw wrongCode(scope.actor.userId);
}

const wrongCode = (userId: number): ValidationError =>
  failedConfirmation(userId, 'userCode', 'The code is unknown, expired or already used; start again on the device.');
