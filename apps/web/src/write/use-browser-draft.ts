import { useCallback, useEffect, useRef, useState } from 'react';
import { useMe } from '../shared-queries.ts';
import { deleteBrowserDraft, readBrowserDraft, saveBrowserDraft } from './browser-drafts.ts';

/** Milliseconds without typing after which a draft is kept. */
const PAUSE = 300;

/**
 * What is being written under a name: read once, kept as it is typed.
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
    // So it is when the page is loaded again or closed.
    const keep = () => pending.current?.run();
    window.addEventListener('pagehide', keep);
    return () => {
      stale = true;
      window.removeEventListener('pagehide', keep);
      // What was typed last is kept at once when the form goes.
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
