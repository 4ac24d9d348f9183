import { type ReactNode, useEffect, useRef } from 'react';

/** Something above the page, which the browser closes by Escape and where the focus stays until then. */
export function Dialog({
  label,
  className = '',
  onClose,
  children,
}: {
  label: string;
  className?: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it
    <dialog
      ref={dialog}
      aria-label={label}
      className={`dialog ${className}`}
      onClose={onClose}
      onClick={({ target }) => {
        if (target === dialog.current) dialog.current?.close();
      }}
    >
      {children}
    </dialog>
  );
}
