import { useTexts } from '../texts/index.ts';

/** Narrows a list to one community, or shows all of them. */
export function CommunitySelect({
  communities,
  value,
  all,
  onChange,
}: {
  communities: readonly { id?: number; name?: string }[];
  value: number | undefined;
  /** Text of the choice of all communities. */
  all: string;
  onChange: (id: number | undefined) => void;
}) {
  const texts = useTexts();
  return (
    <select
      className="field auto"
      aria-label={texts.communities}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? undefined : Number(currentTarget.value))}
    >
      <option value="">{all}</option>
      {communities.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}
