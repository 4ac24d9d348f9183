import { useEffect, useState } from 'react';
import { newUid } from './post-draft.ts';

const TAB_KEY = 'portico-tab';

/** A key of this tab, which stays the same after a reload. */
function tabKey(): string {
  const known = sessionStorage.getItem(TAB_KEY) ?? newUid();
  sessionStorage.setItem(TAB_KEY, known);
  return known;
}

/**
 * The name of a draft that only this tab writes: if another tab has the name, this tab gets a name
 * of its own. Two tabs with one draft would overwrite each other's words.
 * @returns undefined until it is known
 */
export function useOwnDraftName(name: string): string | undefined {
  const [own, setOwn] = useState<string>();
  useEffect(() => {
    // Browsers offer locks only on secure origins.
    if (!navigator.locks) return setOwn(name);
    let closed = false;
    let release: (() => void) | undefined;
    void navigator.locks.request(`portico-draft/${name}`, { ifAvailable: true }, (lock) => {
      if (closed) return undefined;
      setOwn(lock ? name : `${name}/${tabKey()}`);
      return lock ? new Promise<void>((resolve) => (release = resolve)) : undefined;
    });
    return () => {
      closed = true;
      release?.();
    };
  }, [name]);
  return own;
}
