/** Actions that may fail: a notice says why, and offers to run the action again where that can help. */
import { ConflictError, PorticoClientError, RateLimitedError } from '@portico/sdk';
import { type Failure, failureOf, onFailedPage } from '../portal.ts';
import { lastLanguage, type Texts, useTexts } from '../texts/index.ts';
import { showNotice } from '../write/notices.ts';

const REASONS: Readonly<Record<Failure, keyof Texts & ('actionRefused' | 'offline' | 'failed' | 'sessionEnded')>> = {
  'signed-out': 'sessionEnded',
  'not-found': 'actionRefused',
  forbidden: 'actionRefused',
  'needs-factor': 'actionRefused',
  'needs-code': 'actionRefused',
  offline: 'offline',
  other: 'failed',
};

/** A sentence about the failure of an action. */
export function reasonOf(error: unknown, texts: Texts): string {
  if (error instanceof ConflictError) return texts.changedMeanwhile;
  if (error instanceof RateLimitedError) return texts.tooManyAttempts;
  return texts[REASONS[failureOf(error)]];
}

/** Whether the same action may succeed later. */
const canRepeat = (error: unknown): boolean =>
  error instanceof RateLimitedError || ['offline', 'other', 'signed-out'].includes(failureOf(error));

/**
 * The button of a notice that runs a failed action again; undefined where that cannot help.
 * @param run shows its own failures
 */
export const repetition = (error: unknown, texts: Texts, run: () => Promise<unknown>) =>
  canRepeat(error)
    ? {
        label: texts.retry,
        run: async () => {
          await run();
        },
      }
    : undefined;

/**
 * Runs an action. Where it fails, a notice says why and offers to run it again.
 * @returns whether it succeeded
 */
export async function attempt(run: () => Promise<unknown>, texts: Texts, what?: string): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (error) {
    const reason = reasonOf(error, texts);
    showNotice(
      what === undefined ? reason : `${what} ${reason}`,
      repetition(error, texts, () => attempt(run, texts, what)),
    );
    return false;
  }
}

/** {@link attempt} in the language of the page. @param what says which action failed */
export function useAttempt() {
  const texts = useTexts();
  return (run: () => Promise<unknown>, what?: string) => attempt(run, texts, what);
}

/** Shows a notice for requests whose failure no other code shows. */
export function showUnseenFailures(): void {
  onFailedPage((error) => showNotice(reasonOf(error, lastLanguage().texts)));
  window.addEventListener('unhandledrejection', ({ reason }) => {
    if (reason instanceof PorticoClientError) showNotice(reasonOf(reason, lastLanguage().texts));
  });
}
