import { useWriteTexts } from './texts.ts';

/** Chooses the community of a new post. */
export function Where({
  communityId,
  communities,
  onCommunity,
}: {
  communityId: number;
  communities: readonly { id: number; label: string }[];
  onCommunity: (id: number) => void;
}) {
  const texts = useWriteTexts();
  return (
    <select
      className="field community-select"
      aria-label={texts.inCommunity}
      value={communityId}
      onChange={(event) => onCommunity(Number(event.currentTarget.value))}
    >
      {communities.map(({ id, label }) => (
        <option key={id} value={id}>
          {label}
        </option>
      ))}
    </select>
  );
}
