import { CalendarClock, Clock, Pencil } from 'lucide-react';
import { portal } from '../portal.ts';
import { useFormats } from '../texts/index.ts';
import { usePages } from '../use-pages.ts';
import { HomeRow } from './home-row.tsx';
import { Section } from './section.tsx';
import { useHomeTexts } from './texts.ts';

const PAGE = 10;

/** Posts that the caller has not published yet. */
export function Drafts() {
  const home = useHomeTexts();
  const formats = useFormats();
  const drafts = usePages(['drafts'], (page) => portal.posts.drafts({ pageSize: PAGE, ...page }));
  const items = drafts.data ?? [];
  return (
    <Section title={home.drafts} query={drafts} empty={home.draftsEmpty} blank={items.length === 0}>
      {items.map(({ postId, postTitle, communityName, timestamp, scheduledTimestamp }) => (
        <HomeRow
          key={postId}
          item={`draft-${postId}`}
          icon={scheduledTimestamp ? <CalendarClock size={16} aria-hidden /> : <Pencil size={16} aria-hidden />}
          title={postTitle}
          detail={scheduledTimestamp !== undefined && home.scheduled(formats.moment(scheduledTimestamp))}
          postId={postId!}
          compact
          communityName={communityName}
          timestamp={timestamp}
        />
      ))}
    </Section>
  );
}

/** Posts that the caller has read, the last first. */
export function Recent() {
  const home = useHomeTexts();
  const recent = usePages(['recent'], (page) => portal.posts.recent({ pageSize: PAGE, ...page }));
  const items = recent.data ?? [];
  return (
    <Section title={home.recent} query={recent} empty={home.recentEmpty} blank={items.length === 0}>
      {items.map(({ postId, postTitle, communityName, timestamp, changed }) => (
        <HomeRow
          key={postId}
          item={`recent-${postId}`}
          icon={<Clock size={16} aria-hidden />}
          title={postTitle}
          detail={changed && home.changedSince}
          postId={postId!}
          compact
          communityName={communityName}
          timestamp={timestamp}
          fresh={changed === true}
        />
      ))}
    </Section>
  );
}
