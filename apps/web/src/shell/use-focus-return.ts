import { type RefObject, useEffect, useRef } from 'react';

/**
 * Gives the focus back to what opens something, when that has closed and the focus went with it.
 * @param open whether it is open
 * @returns the ref of what opens it
 */
export function useFocusReturn(open: boolean): RefObject<HTMLButtonElement | null> {
  const opener = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(open);
  useEffect(() => {
    if (wasOpen.current && !open && document.activeElement === document.body) opener.current?.focus();
    wasOpen.current = open;
  }, [open]);
  return opener;
}
