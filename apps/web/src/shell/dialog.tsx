import type { ReactNode } from 'react';
import { useDialog } from './use-dialog.ts';

/** Something above the page, which the browser closes by Escape and where the focus stays until then. */
export function Dialog({
  label,
  className = '',
  onClose,
  closeOnOutsideClick = true,
  children,
}: {
  label: string;
  className?: string;
  onClose: () => void;
  /** Whether a click outside closes it; not where that would lose what was written. */
  closeOnOutsideClick?: boolean;
  children: ReactNode;
}) {
  const dialog = useDialog();
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it
    <dialog
      {...dialog.props}
      aria-label={label}
      className={`dialog ${className}`}
      onClose={onClose}
      onClick={({ target }) => {
        if (closeOnOutsideClick && target === dialog.props.ref.current) dialog.close();
      }}
    >
      {children}
    </dialog>
  );
}
