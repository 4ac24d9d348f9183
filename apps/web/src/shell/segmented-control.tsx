import { type ReactNode, useId } from 'react';

/** A segmented control: a choice of few, all of them visible. @param label name for screen readers */
export function SegmentedControl<T extends string>({
  label,
  options,
  value,
  onChange,
}: {
  label: string;
  options: readonly { value: T; label: string /** Shown in place of the label. */; icon?: ReactNode }[];
  value: T;
  onChange: (value: T) => void;
}) {
  const name = useId();
  return (
    <fieldset className="segmented-control">
      <legend className="visually-hidden">{label}</legend>
      {options.map((option) => (
        <label key={option.value} title={option.icon === undefined ? undefined : option.label}>
          <input
            type="radio"
            name={name}
            aria-label={option.label}
            checked={value === option.value}
            onChange={() => onChange(option.value)}
          />
          <span>{option.icon ?? option.label}</span>
        </label>
      ))}
    </fieldset>
  );
}
