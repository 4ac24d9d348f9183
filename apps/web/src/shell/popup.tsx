import { type ReactNode, useId, useRef } from 'react';

const MARGIN = 8;

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
  const place = (popup: HTMLElement) => {
    const { left, bottom } = opener.current!.getBoundingClientRect();
    popup.style.left = `${Math.max(MARGIN, Math.min(left, window.innerWidth - popup.offsetWidth - MARGIN))}px`;
    popup.style.top = `${Math.max(MARGIN, Math.min(bottom + 4, window.innerHeight - popup.offsetHeight - MARGIN))}px`;
  };
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
          // Whoever opens it types at once; on a phone the keyboard would hide what opened.
          if (newState === 'open' && window.matchMedia('(pointer: fine)').matches)
            currentTarget
              .querySelector('input:not([type=checkbox], [type=radio]), textarea')
              ?.setAttribute('autofocus', '');
        }}
        onToggle={({ newState, currentTarget }) => {
          if (newState === 'open') {
            place(currentTarget);
            onOpen?.();
          } else onClose?.();
        }}
      >
        {children}
      </div>
    </>
  );
}
