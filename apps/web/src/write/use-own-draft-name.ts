import { useEffect, useState } from 'react';
import { newUid } from './post-draft.ts';

const TAB_KEY = 'portico-tab';

/** A key of this tab, which it keeps when it is loaded again. */
function tabKey(): string {
  const known = sessionStorage.getItem(TAB_KEY) ?? newUid();
  sessionStorage.setItem(TAB_KEY, known);
  return known;
}

/**
 * The name of a draft that no other tab writes at the same time: while one has the name, another gets a name of its own. What two
 * tabs wrote under one name would be a single post, with the words of one of them.
 * @returns undefined until it is known
 */
export function useOwnDraftName(name: string): string | undefined {
  const [own, setOwn] = useState<string>();
  useEffect(() => {
    // Browsers have locks only where the address is a secure one.
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
