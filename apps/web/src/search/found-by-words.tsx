import './search.css';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { portal } from '../portal.ts';
import { useFormats } from '../texts/index.ts';
import { searchKinds } from './search-address.ts';
import { useSearchTexts } from './texts.ts';
import { useSearch } from './use-search.ts';

/**
 * What the search over everything finds in a community for the words of its list, which only has
 * parts of words in posts and files: comments, tasks and files, and posts if it finds more of them.
 */
export function FoundByWords({ communityId, text }: { communityId: number; text: string }) {
  const words = useSearchTexts();
  const formats = useFormats();
  const found = useSearch({ text, communities: [communityId] }, 1).data;
  const listed = useQuery({
    queryKey: ['posts', communityId, 'counted', text],
    queryFn: ({ signal }) =>
      portal.posts.list(
        { communityId, containsText: text, pageSize: 1, fields: 'id', calculateTotalItemsCount: true },
        { signal },
      ),
    select: ({ totalItemsCount = 0 }) => totalItemsCount,
  }).data;
  const counts = new Map(found?.counts?.kinds?.map(({ value, count = 0 }) => [value, count]));
  const kinds = searchKinds.filter((kind) => (counts.get(kind) ?? 0) > (kind === 'post' ? (listed ?? 0) : 0));
  if (!found || listed === undefined || found.someWords || kinds.length === 0) return null;
  return (
    <p className="search-summary found-by-words muted" role="status">
      <span>{found.corrected ? words.correctedFinds(found.corrected) : words.alsoFinds}</span>
      {kinds.map((kind) => (
        <Link key={kind} to="/search" search={{ text, communities: [communityId], kinds: [kind] }}>
          {words.kinds[kind]} {formats.number(counts.get(kind)!)}
          {found.counts?.more && '+'}
        </Link>
      ))}
    </p>
  );
}
