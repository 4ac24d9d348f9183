import { type KeyboardEvent, type SyntheticEvent, useEffect, useRef } from 'react';

/** What is open within a dialog, but for lists that are open as long as it is. */
const OPEN = ':is([aria-expanded="true"], [aria-activedescendant]):not([data-always-open])';

/** A dialog above the page from the start. Escape closes first what is open within it. */
export function useDialog() {
  const ref = useRef<HTMLDialogElement>(null);
  const hasOpenPopup = useRef(false);
  useEffect(() => ref.current?.showModal(), []);
  return {
    close: () => ref.current?.close(),
    props: {
      ref,
      onKeyDownCapture: ({ key }: KeyboardEvent) => {
        // When the dialog is asked to close, what was open has closed already.
        hasOpenPopup.current = key === 'Escape' && ref.current?.querySelector(OPEN) != null;
      },
      onCancel: (event: SyntheticEvent) => {
        if (hasOpenPopup.current) event.preventDefault();
        hasOpenPopup.current = false;
      },
    },
  };
}
