import { Star } from 'lucide-react';
import { useAttempt } from '../failures/attempt.ts';
import { portal, queryClient } from '../portal.ts';
import { useFavourites } from '../shared-queries.ts';
import { useListTexts } from './texts.ts';

/** The star that puts a community among the favourites, or takes it out. */
export function FavouriteCommunity({ communityId }: { communityId: number }) {
  const attempt = useAttempt();
  const favourites = useFavourites();
  const favourite = favourites.data?.communities?.some((each) => each.communityId === communityId) === true;
  const change = async () => {
    await portal.communities.favourite({ communityId, favourite: !favourite });
    await queryClient.invalidateQueries({ queryKey: ['favourites'] });
  };
  return <FavouriteStar favourite={favourite} toggle={() => void attempt(change)} />;
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
