/**
 * Lets tenants require a second factor of everybody or of their administrators. A person without
 * one can still sign in with the first factor, but may only set up a second one. Each request
 * checks it, so that the setting also limits earlier sign-ins, and a new factor lifts the limit at
 * once.
 */
import type { Operation } from '@portico/contract';
import { loadActor } from '../../../kernel/access/index.ts';
import { PorticoError } from '../../../kernel/errors.ts';
import type { Actor, TenantScope } from '../../../kernel/scope.ts';

/** Operations of a person without a second factor: set one up, and read the own account. */
const SETTING_UP: ReadonlySet<string> = new Set([
  'currentUserData',
  'getTotp',
  'startTotp',
  'confirmTotp',
  'listPasskeys',
  'startPasskey',
  'confirmPasskey',
]);

/** Operations of a person with a second factor who signed in with a provider alone. */
const CONFIRMING: ReadonlySet<string> = new Set(['currentUserData', 'getTotp', 'confirmSession']);

/** Returns whether the tenant requires a second factor of a person. */
export function requiresSecondFactor({ settings }: Pick<TenantScope, 'settings'>, actor: Actor): boolean {
  if (!actor.person || settings.requireSecondFactor === 'nobody') return false;
  return settings.requireSecondFactor === 'all' || actor.rights.size > 0;
}

/**
 * Refuses operations that need a second factor.
 * @param actor with all rights of the person, including rights that a personal access token removes
 * @param operation omitted for files and photos, which are not operations
 * @param unconfirmed true for a sign-in by a provider that no second factor has confirmed
 * @throws PorticoError SECOND_FACTOR_SETUP_REQUIRED, SECOND_FACTOR_CONFIRMATION_REQUIRED (403)
 */
export function mustHaveSecondFactor(
  scope: Pick<TenantScope, 'settings'>,
  actor: Actor,
  operation: Pick<Operation, 'id'> | undefined,
  unconfirmed: boolean,
): void {
  if (!requiresSecondFactor(scope, actor)) return;
  const id = operation?.id ?? '';
  if (!actor.secondFactor) {
    if (!SETTING_UP.has(id)) throw new PorticoError('SECOND_FACTOR_SETUP_REQUIRED');
  } else if (unconfirmed && !CONFIRMING.has(id)) throw new PorticoError('SECOND_FACTOR_CONFIRMATION_REQUIRED');
}

/** Requirement of a second factor for a person who signs in. */
interface FactorState {
  required: boolean;
  /** Whether the person has an authenticator app or a passkey. */
  present: boolean;
}

/** Reads the requirement. Reads nothing if the tenant requires no second factor. */
export async function factorStateOf(scope: TenantScope, userId: number): Promise<FactorState> {
  if (scope.settings.requireSecondFactor === 'nobody') return { required: false, present: false };
  const actor = await loadActor(scope.db, userId);
  if (!actor) return { required: false, present: false };
  return { required: requiresSecondFactor(scope, actor), present: actor.secondFactor };
}
