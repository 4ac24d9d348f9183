import { useState } from 'react';
import { numberOf, typedNumber } from '../texts/numbers.ts';

/** A number, typed with the marks of the reader's language. */
export function NumberInput({
  label,
  value,
  onChange,
}: {
  label: string;
  value: number | undefined;
  /** Called with each number that the text stands for, and with undefined once it is empty. */
  onChange: (value: number | undefined) => void;
}) {
  const [text, setText] = useState(() => (value === undefined ? '' : typedNumber(String(value))));
  const read = (typed: string): number | undefined => {
    const digits = numberOf(typed);
    return digits === undefined ? undefined : Number(digits);
  };
  // Another number from outside, such as an emptied filter, replaces what was typed.
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    if (read(text) !== value) setText(value === undefined ? '' : typedNumber(String(value)));
  }
  const isNone = text.trim() === '';
  return (
    <input
      className="field"
      inputMode="decimal"
      autoComplete="off"
      aria-label={label}
      aria-invalid={(!isNone && read(text) === undefined) || undefined}
      value={text}
      onChange={({ currentTarget: { value: typed } }) => {
        setText(typed);
        const number = read(typed);
        if (number === undefined && typed.trim() !== '') return;
        setKnown(number);
        onChange(number);
      }}
    />
  );
}
