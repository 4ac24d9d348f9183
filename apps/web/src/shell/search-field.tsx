import { useDebouncedCallback } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';

/** Time without a key after which typing has paused. Milliseconds. */
const PAUSE = 250;

/** A search field that searches when typing pauses. */
export function SearchField({
  label,
  value,
  onChange,
  autoFocus = false,
}: {
  label: string;
  value: string;
  onChange: (text: string) => void;
  /** Focused from the start, on a page that is made for searching. */
  autoFocus?: boolean;
}) {
  const [text, setText] = useState(value);
  const later = useDebouncedCallback(onChange, PAUSE);
  // What was typed since stays, as does a space at its end.
  useEffect(() => setText((before) => (before.trim() === value ? before : value)), [value]);
  return (
    <span className="search-field">
      <Search size={14} aria-hidden />
      <input
        type="search"
        className="field"
        aria-label={label}
        placeholder={label}
        // biome-ignore lint/a11y/noAutofocus: the page is there for it
        autoFocus={autoFocus}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          later(currentTarget.value.trim());
        }}
      />
    </span>
  );
}
