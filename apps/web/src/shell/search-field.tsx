import { useDebouncedCallback } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';

/** Milliseconds without a key after which the typing has paused. */
const PAUSE = 250;

/** Finds when the typing pauses. */
export function SearchField({
  label,
  value,
  onChange,
  autoFocus = false,
}: {
  label: string;
  value: string;
  onChange: (text: string) => void;
  /** Where a page is there for it. */
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
