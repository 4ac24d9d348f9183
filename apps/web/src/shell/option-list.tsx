import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useTexts } from '../texts/index.ts';

/** More options than these are searched by name. */
const MAX_UNSEARCHED = 8;

interface Option {
  readonly key: string | number;
  readonly label: string;
}

/** Options in a popup, found by a part of their name, one of which is chosen. Arrows move between them. */
export function OptionList<T extends Option>({
  search,
  options,
  onChoose,
  stays = false,
}: {
  /** Name of the input. */
  search: string;
  options: readonly T[];
  onChoose: (option: T) => void;
  /** Whether the popup stays open when one is chosen. */
  stays?: boolean;
}) {
  const texts = useTexts();
  const box = useRef<HTMLDivElement>(null);
  const [sought, setSought] = useState('');
  // The popup keeps what it holds: each time it opens the search begins anew.
  useEffect(() => {
    const popup = box.current!.closest('[popover]');
    const clear = (event: Event) => {
      if ((event as ToggleEvent).newState === 'closed') setSought('');
    };
    popup?.addEventListener('toggle', clear);
    return () => popup?.removeEventListener('toggle', clear);
  }, []);
  const wanted = sought.trim().toLowerCase();
  const found = options.filter(({ label }) => label.toLowerCase().includes(wanted));
  const choose = (option: T) => {
    if (!stays) box.current!.closest<HTMLElement>('[popover]')?.hidePopover();
    onChoose(option);
  };
  const move = (event: KeyboardEvent) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    const places = [...box.current!.querySelectorAll<HTMLElement>('input, .option')];
    event.preventDefault();
    places.at((places.indexOf(document.activeElement as HTMLElement) + by) % places.length)?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it looks after the options within
    <div ref={box} onKeyDown={move}>
      {options.length > MAX_UNSEARCHED && (
        <input
          className="field"
          type="search"
          aria-label={search}
          placeholder={search}
          value={sought}
          onChange={({ currentTarget: { value } }) => setSought(value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            // It belongs to no form around it.
            event.preventDefault();
            if (wanted !== '' && found[0]) choose(found[0]);
          }}
        />
      )}
      <div className="options">
        {found.map((option) => (
          <button key={option.key} type="button" className="option" onClick={() => choose(option)}>
            <bdi>{option.label}</bdi>
          </button>
        ))}
      </div>
      {found.length === 0 && (
        <p className="muted" role="status">
          {texts.nothingFound}
        </p>
      )}
    </div>
  );
}
