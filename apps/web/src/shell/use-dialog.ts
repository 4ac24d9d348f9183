import { type KeyboardEvent, type SyntheticEvent, useEffect, useRef } from 'react';

/** Open popups within a dialog, except lists that are open as long as the dialog is. */
const OPEN = ':is([aria-expanded="true"], [aria-activedescendant]):not([data-always-open])';

/** A dialog above the page from the start. Escape closes an open popup in it first. */
export function useDialog() {
  const ref = useRef<HTMLDialogElement>(null);
  const hasOpenPopup = useRef(false);
  useEffect(() => ref.current?.showModal(), []);
  return {
    close: () => ref.current?.close(),
    props: {
      ref,
      onKeyDownCapture: ({ key }: KeyboardEvent) => {
        // When the dialog receives the request to close, the popup has already closed.
        hasOpenPopup.current = key === 'Escape' && ref.current?.querySelector(OPEN) != null;
      },
      onCancel: (event: SyntheticEvent) => {
        if (hasOpenPopup.current) event.preventDefault();
        hasOpenPopup.current = false;
      },
    },
  };
}
