import { ConflictError, PermissionError, ResponseError } from '@portico/sdk';
import { useState } from 'react';
import { queryClient } from '../portal.ts';
import { type Faults, faultsOf, NO_FAULTS } from '../write/faults.ts';
import { showNotice } from '../write/notices.ts';
import { type AllTexts, useAllTexts } from '../write/texts.ts';
import { type AdminTexts, useAdminTexts } from './texts.ts';

/** Codes whose sentence in the language of the page says enough. */
const SAID: ReadonlySet<string | undefined> = new Set(['CONFLICT_STALE_TOKEN', 'RATE_LIMITED']);

/**
 * Returns the faults of a refused administrative request by input. A refusal as a whole, such as that
 * of the removal of the last administrator, shows the reason that the server gives.
 */
export function adminFaults(error: unknown, texts: AllTexts, admin: AdminTexts): Faults {
  const refused = error instanceof PermissionError || error instanceof ConflictError;
  if (refused && error instanceof ResponseError && !SAID.has(error.code)) {
    const said = error.code === undefined ? undefined : texts.fieldError({ code: error.code });
    if (said !== undefined) return { '': said };
    const reason = (error.body as { message?: unknown } | undefined)?.message;
    if (typeof reason === 'string') return { '': admin.refused(withNames(reason, admin)) };
  }
  return faultsOf(error, texts);
}

/** A reason of the server with the names that the page gives to rights. */
export const withNames = (reason: string, { rights }: AdminTexts): string =>
  Object.entries(rights).reduce((text, [right, name]) => text.replaceAll(right, `“${name}”`), reason);

/** The state of a form: whether its request is under way, and the faults of the last one. */
export function useSend() {
  const texts = useAllTexts();
  const admin = useAdminTexts();
  const [busy, setBusy] = useState(false);
  const [faults, setFaults] = useState<Faults>(NO_FAULTS);
  /**
   * Sends a request, and reads the lists of the administration again.
   * @returns whether it succeeded
   */
  const send = async (run: () => Promise<unknown>, done?: string): Promise<boolean> => {
    setBusy(true);
    setFaults(NO_FAULTS);
    try {
      await run();
      await refreshAdmin();
      if (done !== undefined) showNotice(done);
      return true;
    } catch (error) {
      setFaults(adminFaults(error, texts, admin));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, faults, setFaults, send };
}

/** Reads again all that the administration shows, and the rights of the caller. */
export const refreshAdmin = () =>
  Promise.all([['admin'], ['rights'], ['me']].map((queryKey) => queryClient.invalidateQueries({ queryKey })));
