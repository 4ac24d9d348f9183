import { type ReactNode, useId, useRef } from 'react';
import { positionPopup } from './position-popup.ts';

/**
 * A button with a popup. The browser closes the popup on Escape and on a click elsewhere, and
 * returns the focus.
 */
export function Popup({
  className,
  button,
  label,
  children,
  onOpen,
  onClose,
}: {
  className?: string;
  button: ReactNode;
  /** Name of the popup. */
  label: string;
  children: ReactNode;
  onOpen?: () => void;
  onClose?: () => void;
}) {
  const id = useId();
  const opener = useRef<HTMLButtonElement>(null);
  return (
    <>
      <button ref={opener} type="button" className={className ?? 'quiet'} popoverTarget={id}>
        {button}
      </button>
      <div
        id={id}
        popover="auto"
        role="dialog"
        aria-label={label}
        className="popup"
        onBeforeToggle={({ newState, currentTarget }) => {
          // With a mouse, the first input gets the focus; on a phone the keyboard would cover the
          // popup.
          if (newState !== 'open' || !window.matchMedia('(pointer: fine)').matches) return;
          const input = currentTarget.querySelector('input:not([type=checkbox], [type=radio]), textarea');
          (input ?? currentTarget.querySelector('.option'))?.setAttribute('autofocus', '');
        }}
        onToggle={({ newState, currentTarget }) => {
          if (newState === 'open') {
            positionPopup(currentTarget, opener.current!);
            onOpen?.();
          } else onClose?.();
        }}
      >
        {children}
      </div>
    </>
  );
}
