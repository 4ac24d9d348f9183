/** Inputs that the forms of the administration share. */
import type { ReactNode } from 'react';
import type { Right } from '../shared-queries.ts';
import { useAdminTexts } from './texts.ts';

/** A box to tick, with a hint below its label. */
export function Check({
  label,
  hint,
  checked,
  disabled = false,
  onChange,
}: {
  label: ReactNode;
  hint?: ReactNode;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}) {
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span>
        <span dir="auto">{label}</span>
        {hint !== undefined && <span className="muted">{hint}</span>}
      </span>
    </label>
  );
}

/** The administrative rights. @param mine the rights of the caller, who gives and takes only these */
export function RightsInput({
  mine,
  value,
  onChange,
}: {
  mine: ReadonlySet<Right>;
  value: readonly Right[];
  onChange: (rights: readonly Right[]) => void;
}) {
  const texts = useAdminTexts();
  return (
    <fieldset className="choices">
      <legend>{texts.rightsTitle}</legend>
      {(Object.keys(texts.rights) as Right[]).map((right) => (
        <Check
          key={right}
          label={texts.rights[right]}
          hint={texts.rightHints[right]}
          checked={value.includes(right)}
          disabled={!mine.has(right)}
          onChange={(checked) => onChange(checked ? [...value, right] : value.filter((each) => each !== right))}
        />
      ))}
    </fieldset>
  );
}

/** A choice among few, with a choice that does not narrow a list. */
export function FilterSelect<T extends string | number>({
  label,
  all,
  options,
  value,
  onChange,
}: {
  label: string;
  all: string;
  options: readonly { readonly id: T; readonly label: string }[];
  value: T | undefined;
  onChange: (value: T | undefined) => void;
}) {
  return (
    <select
      className="field auto"
      aria-label={label}
      value={value === undefined ? '' : String(value)}
      onChange={({ currentTarget }) => onChange(options.find(({ id }) => String(id) === currentTarget.value)?.id)}
    >
      <option value="">{all}</option>
      {options.map(({ id, label: name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}
