import { type KeyboardEvent, type SyntheticEvent, useEffect, useRef } from 'react';

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
        hasOpenPopup.current =
          key === 'Escape' && ref.current?.querySelector('[aria-expanded="true"], [aria-activedescendant]') != null;
      },
      onCancel: (event: SyntheticEvent) => {
        if (hasOpenPopup.current) event.preventDefault();
        hasOpenPopup.current = false;
      },
    },
  };
}
