import { useShowError } from './faults.ts';
import { showNotice } from './notices.ts';
import { useAllTexts } from './texts.ts';

/** A removal that the server can take back. */
interface Removal {
  /** Says in the notice what was removed. */
  readonly text: string;
  readonly remove: () => Promise<unknown>;
  /** Brings the object back. */
  readonly restore: () => Promise<unknown>;
  /** Reads again what the removal, or its end, changed. */
  readonly refetch: () => Promise<unknown>;
  /** Called once the object is removed. */
  readonly removed?: () => void;
}

/**
 * Removes at once, so that a page that is closed loses no removal, and shows a notice whose Undo
 * brings the object back. Failures are shown, with a button that tries again.
 */
export function useRemoval() {
  const texts = useAllTexts();
  const showError = useShowError();
  return async ({ text, remove, restore, refetch, removed }: Removal): Promise<void> => {
    const attempt = async (write: () => Promise<unknown>, done: () => void): Promise<void> => {
      try {
        await write();
        done();
      } catch (error) {
        showError(error, () => attempt(write, done));
      }
      await refetch();
    };
    const undo = () => attempt(restore, () => undefined);
    await attempt(remove, () => {
      removed?.();
      showNotice(text, { label: texts.undo, run: undo });
    });
  };
}
