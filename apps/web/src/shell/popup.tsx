import { type ReactNode, useId, useRef } from 'react';
import { positionPopup } from './position-popup.ts';

/** A button and what it opens beside it. The browser closes it by Escape and by a click elsewhere, and returns the focus. */
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
  /** Name of what opens. */
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
          // Whoever opens it types or chooses at once; on a phone the keyboard would hide what opened.
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
