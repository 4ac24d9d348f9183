import type { Notification } from '@portico/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import {
  AtSign,
  Check,
  CheckCheck,
  CircleCheck,
  Clock,
  Megaphone,
  MessageSquareReply,
  Rss,
  Waypoints,
} from 'lucide-react';
import { portal, queries } from '../portal.ts';
import { nameOf } from '../post/user-name.ts';
import { useMe } from '../read.ts';
import { focusedItem, moveFocus, useKeys } from '../shell/keys.ts';
import { useTexts } from '../texts/index.ts';
import { say } from '../write/notices.ts';
import { Section } from './section.tsx';
import { useHomeTexts } from './texts.ts';
import { WorkRow } from './work-row.tsx';

const ICONS = {
  1: AtSign,
  2: CircleCheck,
  3: MessageSquareReply,
  4: Rss,
  5: Waypoints,
  6: Clock,
  7: Megaphone,
} as const;

const again = () =>
  Promise.all(['notifications', 'waiting'].map((key) => queries.invalidateQueries({ queryKey: [key] })));

/** The kind of notification for a task that is due; its author is whose task it is. */
const TASK_DUE = 6;

/** What happened that concerns the caller; opening it marks it as read. */
export function News() {
  const texts = useTexts();
  const home = useHomeTexts();
  const me = useMe();
  const news = useInfiniteQuery({
    queryKey: ['notifications', 'list'],
    queryFn: ({ pageParam }) =>
      portal.notifications.list({ done: false, pageSize: 20, ...(pageParam !== '' && { pageToken: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: ({ nextPageToken }) => nextPageToken,
  });
  const items = news.data?.pages.flatMap(({ items: page = [] }) => page) ?? [];
  const mark = (change: Parameters<typeof portal.notifications.mark>[0]) =>
    portal.notifications
      .mark(change)
      .catch(() => say(home.failed))
      .then(() => again())
      .then(() => undefined);
  const finish = ({ id }: Notification) => {
    moveFocus(1);
    mark({ ids: [id!], done: true });
    say(home.wasDone, { label: texts.undo, run: () => mark({ ids: [id!], done: false }) });
  };
  useKeys([
    {
      key: 'e',
      label: home.markDone,
      run: () => {
        const item = items.find(({ id }) => `news-${id}` === focusedItem()?.dataset['item']);
        return item !== undefined && finish(item);
      },
    },
  ]);
  const unread = items.some(({ read }) => !read);
  return (
    <Section
      title={home.news}
      query={news}
      empty={home.newsEmpty}
      count={items.length}
      action={
        unread && (
          <button type="button" className="quiet end" onClick={() => mark({ untilId: items[0]!.id!, read: true })}>
            <CheckCheck size={14} aria-hidden /> {home.markAllRead}
          </button>
        )
      }
    >
      {items.map((item) => {
        const Icon = ICONS[item.kind as keyof typeof ICONS] ?? Rss;
        const what = item.transitionName ?? home.kinds[item.kind as keyof typeof home.kinds];
        return (
          <WorkRow
            key={item.id}
            item={`news-${item.id}`}
            icon={<Icon size={16} aria-hidden />}
            reason={
              item.kind === TASK_DUE && item.authorUser?.id === me.data?.userData?.id
                ? home.ownTaskDue
                : `${nameOf(item.authorUser)} ${item.transitionName ? `· ${what}` : what}`
            }
            title={item.postTitle}
            postId={item.postId!}
            communityName={item.communityName}
            user={item.authorUser}
            timestamp={item.timestamp}
            fresh={!item.read}
            onOpen={() => item.read || mark({ ids: [item.id!], read: true })}
          >
            <button
              type="button"
              className="small icon"
              aria-label={`${home.markDone}: ${item.postTitle ?? ''}`}
              title={home.markDone}
              onClick={() => finish(item)}
            >
              <Check size={14} aria-hidden />
            </button>
          </WorkRow>
        );
      })}
    </Section>
  );
}
