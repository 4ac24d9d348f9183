import type { Notification } from '@portico/sdk';
import { AtSign, CheckCheck, CircleCheck, Clock, Megaphone, MessageSquareReply, Rss, Waypoints } from 'lucide-react';
import { useAttempt } from '../failures/attempt.ts';
import { portal, queryClient } from '../portal.ts';
import { nameOf } from '../posts/user-name.ts';
import { useUnread } from '../shared-queries.ts';
import { focusedItem, moveFocus, useKeys } from '../shell/keys.ts';
import { type Texts, useFormats, useTexts } from '../texts/index.ts';
import { usePages } from '../use-pages.ts';
import { showNotice } from '../write/notices.ts';
import { Excerpt } from './excerpt.tsx';
import { HomeRow } from './home-row.tsx';
import { RemoveButton } from './remove-button.tsx';
import { Section } from './section.tsx';
import { useHomeTexts } from './texts.ts';
import { useStableRows } from './use-stable-rows.ts';

const ICONS = {
  1: AtSign,
  2: CircleCheck,
  3: MessageSquareReply,
  4: Rss,
  5: Waypoints,
  6: Clock,
  7: Megaphone,
} as const;

const refetchHome = () =>
  Promise.all(['notifications', 'waiting'].map((key) => queryClient.invalidateQueries({ queryKey: [key] })));

/** Maximum number of notifications in one request that marks them. */
const MARKED_AT_ONCE = 1_000;

/** Ids of unread notifications: undoing "mark all" leaves earlier reads as they were. */
async function unreadUntil(untilId: number): Promise<number[]> {
  const ids: number[] = [];
  let pageToken: string | undefined;
  do {
    const page = await portal.notifications.list({ unread: true, pageSize: 500, ...(pageToken && { pageToken }) });
    for (const { id } of page.items ?? []) if (id! <= untilId) ids.push(id!);
    pageToken = page.nextPageToken;
  } while (pageToken !== undefined && ids.length < MARKED_AT_ONCE);
  return ids.slice(0, MARKED_AT_ONCE);
}

/** The kind of notification for a task that is due. */
const TASK_DUE = 6;
/** The kind of notification for events of a followed post. */
const FOLLOWED = 4;
const MENTION = 1;
/** The kind of notification for an assigned task. */
const ASSIGNED = 2;

/** Codes of events, by their name in the history of posts. */
const EVENT_CODES: Readonly<Record<string, keyof Texts['happened']>> = {
  'Post created': 1,
  'Post modified': 2,
  'Comment added': 3,
  'Attachment added': 11,
  'Attachment removed': 12,
  'New version of an attachment': 13,
  'Post deleted': 15,
  'Comment deleted': 16,
  'Workflow screen modified': 17,
  'Task assigned': 21,
};

/** Events that concern the caller; opening an event marks it as read. */
export function Notifications() {
  const texts = useTexts();
  const home = useHomeTexts();
  const formats = useFormats();
  const notifications = usePages(['notifications', 'list'], (page) =>
    portal.notifications.list({ done: false, pageSize: 20, ...page }),
  );
  const loaded = notifications.data ?? [];
  // Mentions are in the list of waiting items. Notifications arrive in the order of detection and
  // are shown in the order of the events.
  const items = loaded
    .filter(({ kind }) => kind !== MENTION)
    .toSorted((one, other) => (other.timestamp ?? 0) - (one.timestamp ?? 0));
  const { rows, keep, isKept, pointerHandlers } = useStableRows(items, ({ id }) => String(id));
  const attempt = useAttempt();
  const mark = async (change: Parameters<typeof portal.notifications.mark>[0], done?: () => void) => {
    await attempt(async () => {
      await portal.notifications.mark(change);
      done?.();
      await refetchHome();
    }, home.failed);
  };
  const takeBack = ({ id, read = false }: Notification) => mark({ ids: [id!], done: false, read });
  const finish = (item: Notification) => {
    moveFocus(1);
    keep(item);
    void mark({ ids: [item.id!], done: true }, () =>
      showNotice(home.removed, { label: texts.undo, run: () => takeBack(item) }),
    );
  };
  const markAllRead = () =>
    attempt(async () => {
      const untilId = Math.max(...loaded.map(({ id }) => id!));
      const ids = await unreadUntil(untilId);
      await portal.notifications.mark({ untilId, read: true });
      showNotice(home.allRead, { label: texts.undo, run: () => mark({ ids, read: false }) });
      await refetchHome();
    }, home.failed);
  useKeys([
    {
      key: 'e',
      label: home.remove,
      run: () => {
        const item = items.find(({ id }) => `news-${id}` === focusedItem()?.dataset['item']);
        return item !== undefined && finish(item);
      },
    },
  ]);
  // The number beside Home in the sidebar.
  const unread = useUnread();
  return (
    <Section
      title={home.notifications}
      query={notifications}
      empty={home.notificationsEmpty}
      blank={rows.length === 0}
      count={unread > 0 ? texts.unread(formats.count(unread)) : undefined}
      pointerHandlers={pointerHandlers}
      action={
        loaded.some(({ read }) => !read) && (
          <button type="button" className="quiet end" onClick={() => void markAllRead()}>
            <CheckCheck size={14} aria-hidden /> {home.markAllRead}
          </button>
        )
      }
    >
      {rows.map(({ item, gone }) => {
        const Icon = ICONS[item.kind as keyof typeof ICONS] ?? Rss;
        const event = item.kind === FOLLOWED ? EVENT_CODES[item.typeDescription ?? ''] : undefined;
        const what = event ? texts.happened[event] : home.kinds[item.kind as keyof typeof home.kinds];
        const author = nameOf(item.authorUser);
        const done = item.transitionName ? home.tookStep(author, item.transitionName) : `${author} ${what}`;
        const due = item.expirationTimestamp;
        const late = item.overdue || (due !== undefined && due < Date.now());
        return (
          <HomeRow
            key={item.id}
            gone={gone}
            undo={isKept(item) ? () => void takeBack(item) : undefined}
            item={`news-${item.id}`}
            icon={<Icon size={16} aria-hidden />}
            reason={item.kind === TASK_DUE ? home.taskDue[late ? 1 : 0] : done}
            title={
              item.kind === TASK_DUE || item.kind === ASSIGNED ? (item.taskTitle ?? item.postTitle) : item.postTitle
            }
            detail={
              item.kind === TASK_DUE && due !== undefined ? (
                <span className={late ? 'late' : ''}>
                  {late ? home.overdue(formats.moment(due)) : home.due(formats.moment(due))}
                </span>
              ) : (
                item.excerpt && <Excerpt text={item.excerpt} />
              )
            }
            postId={item.postId!}
            communityName={item.communityName}
            user={item.authorUser}
            timestamp={item.timestamp}
            fresh={!item.read}
            onOpen={() => item.read || void mark({ ids: [item.id!], read: true })}
          >
            <RemoveButton label={home.remove} what={item.taskTitle ?? item.postTitle ?? ''} run={() => finish(item)} />
          </HomeRow>
        );
      })}
    </Section>
  );
}
