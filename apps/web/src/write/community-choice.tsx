import type { Community } from '@portico/sdk';
import { colourOf } from '../shell/colour.ts';
import { useWriteTexts } from './texts.ts';

/** Chooses the community of a new post. */
export function PostCommunitySelect({
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

/** Asks for the community of a new post, where nothing says which it is. */
export function CommunityChooser({
  communities,
  onCommunity,
}: {
  communities: readonly Community[];
  onCommunity: (id: number) => void;
}) {
  const texts = useWriteTexts();
  return (
    <nav className="panel-body" aria-label={texts.inCommunity}>
      <p>{texts.chooseCommunity}</p>
      {communities.map(({ id, name, description, colorCode }, index) => (
        <button
          key={id}
          type="button"
          className="option community-option"
          // biome-ignore lint/a11y/noAutofocus: the panel asks for nothing else
          autoFocus={index === 0}
          onClick={() => onCommunity(id!)}
        >
          <span className="dot" style={{ background: colourOf(colorCode) }} aria-hidden />
          <span>
            {name}
            {description && <span className="muted community-option-about">{description}</span>}
          </span>
        </button>
      ))}
    </nav>
  );
}
