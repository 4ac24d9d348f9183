/** A choice among named keys. */
export function Choice({
  label,
  options,
  value,
  onChange,
}: {
  label: string;
  options: readonly (readonly [key: string, text: string])[];
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <label>
      <span className="admin-caption">{label}</span>
      <select className="field" value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {options.map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
