import { type ReactNode, useId, useRef } from 'react';
import { positionPopup } from '../shell/position-popup.ts';

export interface MenuItem {
  readonly label: string;
  readonly hint?: string;
  readonly icon?: ReactNode;
  readonly run: () => void;
  /** Why it cannot be done; it is shown all the same. */
  readonly whyNot?: string;
}

/** A button with a menu of actions. Arrows move in it; Escape and a click elsewhere close it. */
export function Menu({
  label,
  button,
  className = 'tool',
  items,
  onOpen,
}: {
  label: string;
  button: ReactNode;
  className?: string;
  items: readonly MenuItem[];
  onOpen?: () => void;
}) {
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const entries = () => [...menu.current!.querySelectorAll<HTMLElement>('[role="menuitem"]')];
  const move = (event: React.KeyboardEvent) => {
    const all = entries();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    all.at(next % all.length)?.focus();
  };
  return (
    <>
      <button
        ref={opener}
        type="button"
        className={className}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        popoverTarget={id}
      >
        {button}
      </button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        className="popup menu"
        onKeyDown={move}
        onToggle={({ newState }) => {
          if (newState !== 'open') return;
          onOpen?.();
          positionPopup(menu.current!, opener.current!);
          entries()[0]?.focus();
        }}
      >
        {items.map(({ label: name, hint, icon, run, whyNot }) => (
          <button
            key={name + hint}
            type="button"
            role="menuitem"
            tabIndex={-1}
            className="option"
            aria-disabled={whyNot !== undefined}
            onClick={() => {
              if (whyNot !== undefined) return;
              menu.current?.hidePopover();
              run();
            }}
          >
            {icon}
            <span>{name}</span>
            {hint !== undefined && <span className="muted menu-hint">{hint}</span>}
            {whyNot !== undefined && <span className="muted menu-why">{whyNot}</span>}
          </button>
        ))}
      </div>
    </>
  );
}
