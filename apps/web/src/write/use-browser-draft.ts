import { useCallback, useEffect, useRef, useState } from 'react';
import { useMe } from '../shared-queries.ts';
import { deleteBrowserDraft, readBrowserDraft, saveBrowserDraft } from './browser-drafts.ts';

/** Milliseconds without typing after which a draft is stored. */
const PAUSE = 300;

/**
 * Unsaved input under a name: read once, stored as the user types.
 * @returns the value, undefined until the draft was read
 */
export function useBrowserDraft<T>(name: string, empty: T) {
  const userId = useMe().data?.userData?.id ?? 0;
  const [value, setValue] = useState<T>();
  const pending = useRef<{ timer: ReturnType<typeof setTimeout>; run: () => void }>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an empty draft is the same whenever it is made
  useEffect(() => {
    let stale = false;
    setValue(undefined);
    void readBrowserDraft<T>(userId, name).then((kept) => {
      if (!stale) setValue(kept ?? empty);
    });
    // A reload or the closing of the page stores the draft, too.
    const keep = () => pending.current?.run();
    window.addEventListener('pagehide', keep);
    return () => {
      stale = true;
      window.removeEventListener('pagehide', keep);
      // The last input is stored at once when the form is unmounted.
      pending.current?.run();
    };
  }, [userId, name]);
  const change = useCallback(
    (next: T) => {
      setValue(next);
      if (pending.current) clearTimeout(pending.current.timer);
      const run = () => {
        if (pending.current) clearTimeout(pending.current.timer);
        pending.current = undefined;
        void saveBrowserDraft(userId, name, next);
      };
      pending.current = { timer: setTimeout(run, PAUSE), run };
    },
    [userId, name],
  );
  const keepNow = useCallback(() => pending.current?.run(), []);
  const drop = useCallback(async () => {
    if (pending.current) clearTimeout(pending.current.timer);
    pending.current = undefined;
    await deleteBrowserDraft(userId, name);
  }, [userId, name]);
  return { value, change, keepNow, drop };
}
