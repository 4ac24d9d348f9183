/**
 * Tenants may require a second factor of everybody or of their administrators. Who lacks one is signed in by the first factor all the
 * same, but may do nothing but set one up. It is decided at each request, so that sign-ins from before the setting are limited too, and
 * are whole again as soon as there is a factor.
 */
import type { Operation } from '@portico/contract';
import { loadActor } from '../../kernel/access/index.ts';
import { PorticoError } from '../../kernel/errors.ts';
import type { Actor, TenantScope } from '../../kernel/scope.ts';

/** What somebody without a second factor may do: set one up, and learn who they are. */
const SETTING_UP: ReadonlySet<string> = new Set([
  'currentUserData',
  'getTotp',
  'startTotp',
  'confirmTotp',
  'listPasskeys',
  'startPasskey',
  'confirmPasskey',
]);

/** What somebody may do who has a second factor, but signed in by a provider alone. */
const CONFIRMING: ReadonlySet<string> = new Set(['currentUserData', 'getTotp', 'confirmSession']);

/** Whether the tenant requires a second factor of a person. */
export function requiresSecondFactor({ settings }: Pick<TenantScope, 'settings'>, actor: Actor): boolean {
  if (!actor.person || settings.requireSecondFactor === 'nobody') return false;
  return settings.requireSecondFactor === 'all' || actor.rights.size > 0;
}

/**
 * Refuses what a person may not do yet.
 * @param actor with all rights of the person, those that a personal access token takes away too
 * @param operation left out for files and photos, which are none
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

/** What a tenant's setting asks of a person who signs in. */
interface FactorState {
  required: boolean;
  /** Whether the person has an authenticator app or a passkey. */
  present: boolean;
}

/** Reads it; nothing is read where the tenant requires no second factor. */
export async function factorStateOf(scope: TenantScope, userId: number): Promise<FactorState> {
  if (scope.settings.requireSecondFactor === 'nobody') return { required: false, present: false };
  const actor = await loadActor(scope.db, userId);
  if (!actor) return { required: false, present: false };
  return { required: requiresSecondFactor(scope, actor), present: actor.secondFactor };
}
