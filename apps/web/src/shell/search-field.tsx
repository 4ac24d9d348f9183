import { useDebouncedCallback } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';

/** Time without a key after which a search starts. Milliseconds. */
const PAUSE = 250;

/** A search field that searches when the user pauses. */
export function SearchField({
  label,
  value,
  onChange,
  autoFocus = false,
}: {
  label: string;
  value: string;
  onChange: (text: string) => void;
  /** Focused from the start, on a page for searching. */
  autoFocus?: boolean;
}) {
  const [text, setText] = useState(value);
  const later = useDebouncedCallback(onChange, PAUSE);
  // Text typed meanwhile stays, as does a space at its end.
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
