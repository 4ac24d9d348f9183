import { Star } from 'lucide-react';
import { portal, queryClient } from '../portal.ts';
import { useFavourites } from '../shared-queries.ts';
import { useTexts } from '../texts/index.ts';
import { showNotice } from '../write/notices.ts';
import { useListTexts } from './texts.ts';

/** The star that puts a community among the favourites, or takes it out. */
export function FavouriteCommunity({ communityId }: { communityId: number }) {
  const texts = useTexts();
  const favourites = useFavourites();
  const favourite = favourites.data?.communities?.some((each) => each.communityId === communityId) === true;
  const change = async () => {
    await portal.communities.favourite({ communityId, favourite: !favourite }).catch(() => showNotice(texts.failed));
    await queryClient.invalidateQueries({ queryKey: ['favourites'] });
  };
  return <FavouriteStar favourite={favourite} toggle={() => void change()} />;
}

/** A star that is filled where something is among the favourites. */
export function FavouriteStar({ favourite, toggle }: { favourite: boolean; toggle: () => void }) {
  const list = useListTexts();
  const label = favourite ? list.unfavourite : list.favourite;
  return (
    <button
      type="button"
      className="quiet star"
      aria-pressed={favourite}
      aria-label={label}
      title={label}
      onClick={toggle}
    >
      <Star size={14} aria-hidden {...(favourite && { fill: 'currentColor' })} />
    </button>
  );
}
