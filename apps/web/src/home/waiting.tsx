import type { WaitingItem } from '@portico/sdk';
import { type InfiniteData, useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { AtSign, CircleCheck, CornerUpLeft, Signature, Waypoints } from 'lucide-react';
import { useState } from 'react';
import { useAttempt } from '../failures/attempt.ts';
import { Panel } from '../failures/boundary.tsx';
import { part } from '../failures/part.ts';
import { portal, queryClient } from '../portal.ts';
import { nameOf as userName } from '../posts/user-name.ts';
import { focusedItem, moveFocus, useKeys } from '../shell/keys.ts';
import { useFormats, useTexts } from '../texts/index.ts';
import { usePages } from '../use-pages.ts';
import { showNotice } from '../write/notices.ts';
import { Excerpt } from './excerpt.tsx';
import { HomeRow } from './home-row.tsx';
import { RemoveButton } from './remove-button.tsx';
import { Section } from './section.tsx';
import { useHomeTexts } from './texts.ts';
import { useStableRows } from './use-stable-rows.ts';

const ScreenDialog = part(() => import('../posts/editing/index.ts'), 'ScreenDialog');
const CommentBox = part(() => import('../posts/editing/index.ts'), 'CommentBox');
const Quote = part(() => import('./quote.tsx'), 'default');

const ICONS = { 1: CircleCheck, 2: Signature, 3: AtSign, 4: Waypoints } as const;
/** Kinds of waiting items, and states of a task, as the interface numbers them. */
const [TASK, ACKNOWLEDGEMENT, MENTION, STEP] = [1, 2, 3, 4];
const [TO_DO, CLOSED] = [1, 3] as const;
const KEY = ['waiting'];

/** Steps that have a button in the row. */
const MAX_STEP_BUTTONS = 2;

type Transition = NonNullable<WaitingItem['transitions']>[number];
type Pages = InfiniteData<Awaited<ReturnType<typeof portal.posts.waiting>>>;

const nameOf = ({ kind, taskId, notificationId, postId }: WaitingItem) =>
  `waiting-${kind}-${taskId ?? notificationId ?? postId}`;

/**
 * Removes an item from the list at once, runs the action that settles it, and reads the list again.
 */
async function removeAndRun(
  item: WaitingItem,
  run: () => Promise<unknown>,
  tell: (run: () => Promise<unknown>) => Promise<boolean>,
): Promise<boolean> {
  const before = queryClient.getQueryData<Pages>(KEY);
  const index = nameOf(item);
  queryClient.setQueryData<Pages>(KEY, (data) =>
    data === undefined
      ? data
      : {
          ...data,
          pages: data.pages.map((page) => ({
            ...page,
            items: (page.items ?? []).filter((each) => nameOf(each) !== index),
          })),
        },
  );
  const refetch = () => {
    void queryClient.invalidateQueries({ queryKey: KEY });
    void queryClient.invalidateQueries({ queryKey: ['notifications'] });
  };
  const done = await tell(async () => {
    await run();
    refetch();
  });
  if (!done) {
    // Without a connection the list cannot be read again.
    queryClient.setQueryData<Pages>(KEY, before);
    refetch();
  }
  return done;
}

/**
 * Items that wait for the caller. Steps and answers to mentions are available in the row; every
 * item can be marked as done.
 */
export function Waiting() {
  const texts = useTexts();
  const home = useHomeTexts();
  const formats = useFormats();
  const router = useRouter();
  const attempt = useAttempt();
  const tell = (run: () => Promise<unknown>) => attempt(run, home.failed);
  const waiting = usePages(KEY, (page) => portal.inbox.list({ pageSize: 20, ...page }));
  const items = waiting.data ?? [];
  const { rows, keep, isKept, pointerHandlers } = useStableRows(items, nameOf);
  // The server counts the items if the list is not loaded completely.
  const counted = useQuery({
    queryKey: [...KEY, 'count'],
    enabled: waiting.hasNextPage,
    queryFn: () => portal.inbox.count(),
  }).data;
  const { tasks = 0, acknowledgements = 0, mentions = 0, steps = 0 } = counted ?? {};
  const all = waiting.hasNextPage ? tasks + acknowledgements + mentions + steps : items.length;

  const mark = ({ kind, taskId, postId, notificationId }: WaitingItem, done: boolean) => {
    if (kind === TASK) return portal.tasks.setState({ taskId: taskId!, state: done ? CLOSED : TO_DO });
    if (kind === MENTION) return portal.notifications.mark({ ids: [notificationId!], done });
    return portal.inbox.done({ items: [{ kind: kind!, id: kind === STEP ? postId! : taskId! }], done });
  };
  const [openScreen, setOpenScreen] = useState<{ item: WaitingItem; step: Transition }>();
  const [replyingTo, setReplyingTo] = useState<string>();
  const takeBack = async (item: WaitingItem) => {
    await removeAndRun(item, () => mark(item, false), tell);
  };
  const finish = async (item: WaitingItem) => {
    moveFocus(1);
    keep(item);
    const run = async () => {
      await mark(item, true);
      showNotice(item.kind === TASK ? home.taskClosed : home.removed, {
        label: texts.undo,
        run: () => takeBack(item),
      });
    };
    await removeAndRun(item, run, tell);
  };
  const open = (item: WaitingItem) => router.navigate({ to: '/post/$postId', params: { postId: String(item.postId) } });
  /** Answers a mention, and marks it as done. */
  const answer = async (item: WaitingItem) => {
    setReplyingTo(undefined);
    moveFocus(1);
    const run = async () => {
      await mark(item, true);
      showNotice(home.replied(userName(item.authorUser)), { label: texts.openPost, run: () => open(item) });
    };
    await removeAndRun(item, run, tell);
  };
  const read = async ({ notificationId }: WaitingItem) => {
    await portal.notifications.mark({ ids: [notificationId!], read: true }).catch(() => undefined);
    await queryClient.invalidateQueries({ queryKey: ['notifications'] });
  };
  const take = async (item: WaitingItem, step: Transition) => {
    const { id, screen } = step;
    if (screen) return setOpenScreen({ item, step });
    await removeAndRun(
      item,
      async () => {
        const { takeStep } = await import('../posts/editing/take-step.ts');
        const elsewhere = { title: item.postTitle || texts.untitled, open: () => open(item) };
        await takeStep({ id: item.postId!, communityId: item.communityId! }, id!, texts, { elsewhere });
      },
      tell,
    );
  };
  const acknowledge = async (item: WaitingItem) => {
    const run = async () => {
      await portal.posts.acknowledge({ postId: item.postId! });
      showNotice(home.acknowledged);
    };
    await removeAndRun(item, run, tell);
  };
  useKeys([
    {
      key: 'e',
      label: home.remove,
      run: () => {
        const item = items.find((each) => nameOf(each) === focusedItem()?.dataset['item']);
        if (!item) return false;
        return finish(item);
      },
    },
  ]);

  return (
    <Section
      title={home.waiting}
      query={waiting}
      empty={home.waitingEmpty}
      blank={rows.length === 0}
      count={all > 0 ? formats.number(all) : undefined}
      pointerHandlers={pointerHandlers}
    >
      {rows.map(({ item, gone }) => {
        const Icon = ICONS[item.kind as keyof typeof ICONS] ?? CircleCheck;
        const late = item.expirationTimestamp !== undefined && item.expirationTimestamp < Date.now();
        const due = item.expirationTimestamp !== undefined && formats.moment(item.expirationTimestamp);
        return (
          <HomeRow
            key={nameOf(item)}
            gone={gone}
            undo={isKept(item) ? () => void takeBack(item) : undefined}
            item={nameOf(item)}
            icon={<Icon size={16} aria-hidden />}
            reason={
              item.kind === MENTION && item.authorUser
                ? home.mentionedYou(userName(item.authorUser))
                : home.reasons[item.kind as keyof typeof home.reasons]
            }
            title={item.kind === STEP || item.kind === MENTION ? item.postTitle : (item.taskTitle ?? item.postTitle)}
            detail={
              item.excerpt ? (
                <Excerpt text={item.excerpt} />
              ) : (
                due && <span className={late ? 'late' : ''}>{late ? home.overdue(due) : home.due(due)}</span>
              )
            }
            {...(item.kind === MENTION && { onOpen: () => void read(item) })}
            postId={item.postId!}
            communityName={item.communityName}
            user={item.authorUser}
            timestamp={item.timestamp}
            below={
              replyingTo === nameOf(item) && (
                <MentionReply item={item} sent={() => void answer(item)} close={() => setReplyingTo(undefined)} />
              )
            }
          >
            {item.transitions?.slice(0, MAX_STEP_BUTTONS).map((transition) => (
              <button key={transition.id} type="button" className="small" onClick={() => void take(item, transition)}>
                {transition.name}
                {transition.screen && ' …'}
              </button>
            ))}
            {item.kind === ACKNOWLEDGEMENT && (
              <button type="button" className="small" onClick={() => void acknowledge(item)}>
                {home.acknowledge}
              </button>
            )}
            {item.kind === MENTION && (
              <button
                type="button"
                className="small"
                aria-expanded={replyingTo === nameOf(item)}
                aria-label={`${home.reply}: ${item.postTitle ?? ''}`}
                onClick={() => setReplyingTo(replyingTo === nameOf(item) ? undefined : nameOf(item))}
              >
                <CornerUpLeft size={14} aria-hidden /> {home.reply}
              </button>
            )}
            <RemoveButton
              closes={item.kind === TASK}
              label={item.kind === TASK ? home.closeTask : home.remove}
              what={item.taskTitle ?? item.postTitle ?? ''}
              run={() => void finish(item)}
            />
          </HomeRow>
        );
      })}
      {openScreen && (
        <Panel close={() => setOpenScreen(undefined)}>
          <ScreenDialog
            post={{ id: openScreen.item.postId!, communityId: openScreen.item.communityId! }}
            step={openScreen.step}
            elsewhere
            onClose={() => setOpenScreen(undefined)}
          />
        </Panel>
      )}
    </Section>
  );
}

/**
 * Answers a mention in the list: with a comment, or with a reply to the comment that contains it.
 */
function MentionReply({
  item: { postId, communityId, commentId, authorUser },
  sent,
  close,
}: {
  item: WaitingItem;
  sent: () => void;
  close: () => void;
}) {
  const home = useHomeTexts();
  return (
    <div className="list-row-answer">
      <Panel>
        {commentId !== undefined && <Quote postId={postId!} commentId={commentId} />}
        <CommentBox
          name={`comment/${postId}/reply/${commentId ?? 'post'}`}
          label={home.replyTo(userName(authorUser))}
          communityId={communityId!}
          postId={postId!}
          submit={home.send}
          send={async (comment) => {
            const { sendComment } = await import('../posts/editing/index.ts');
            const place = { postId: postId!, ...(commentId !== undefined && { parentCommentId: commentId }) };
            if (await sendComment(place, comment)) sent();
          }}
          onClose={close}
        />
      </Panel>
    </div>
  );
}
