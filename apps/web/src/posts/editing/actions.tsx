import { Button } from '@mantine/core';
import type { Input } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import {
  CircleHelp,
  Copy,
  Ellipsis,
  EyeOff,
  FolderInput,
  Globe,
  History,
  Link,
  Lock,
  Megaphone,
  Pin,
  PinOff,
  Signature,
  Trash2,
} from 'lucide-react';
import { useState } from 'react';
import { copyText } from '../../copy-text.ts';
import { markPostDeleted, refetchAll, removeDeletedQueries, unmarkPostDeleted } from '../../live/live-updates.ts';
import { portal, queryClient } from '../../portal.ts';
import { useFormats } from '../../texts/index.ts';
import { timeZone } from '../../texts/time-zone.ts';
import { MomentInput } from '../../write/day-input.tsx';
import { Fault } from '../../write/fault.tsx';
import { faultOf, useShowError } from '../../write/faults.ts';
import { toDatetimeLocal } from '../../write/input-values.ts';
import { Menu } from '../../write/menu.tsx';
import { openNewPost } from '../../write/new-post.ts';
import { showNotice } from '../../write/notices.ts';
import { useAllTexts } from '../../write/texts.ts';
import { AskToAcknowledge } from './acknowledge.tsx';
import { MovePost } from './move-post.tsx';
import { useMoveTexts } from './move-texts.ts';
import { PermissionsDialog } from './permissions-dialog.tsx';
import { type Capabilities, formQuery, type Post, refetchPost } from './save-part.ts';

const PRIVATE = 1;
const PUBLIC = 2;

type Change = Omit<Input<'patchPost'>, 'postId' | 'occToken'>;

/** Changes settings of the post with the present concurrency token: the last write wins. */
async function change(post: Post, body: Change): Promise<void> {
  const { occToken } = await portal.posts.readForEdit({ postId: post.id!, loadAttachments: false });
  await portal.posts.update(post.id!, { version: occToken, ...body });
  await refetchPost(post.id!);
}

/** Actions on the post as a whole. */
export function Actions({ post, capabilities }: { post: Post; capabilities: Capabilities }) {
  const texts = useAllTexts();
  const { title: moveLabel } = useMoveTexts();
  const navigate = useNavigate();
  const postId = post.id!;
  const title = post.title || texts.untitled;
  const showError = useShowError();
  const restore = async () => {
    try {
      await portal.posts.restore({ postId });
      unmarkPostDeleted(postId);
      await queryClient.invalidateQueries();
      await navigate({ to: '/post/$postId', params: { postId: String(postId) } });
      showNotice(texts.restored(title));
    } catch (error) {
      showError(error, restore);
    }
  };
  const remove = async () => {
    markPostDeleted(postId);
    try {
      await portal.posts.delete({ postId });
    } catch (error) {
      unmarkPostDeleted(postId);
      return showError(error, remove);
    }
    await navigate({
      to: '/community/$communityId',
      params: { communityId: String(post.communityId) },
      // If the post is shown beside a list, the list keeps its settings.
      search: ({ peek: _, ...rest }: { peek?: number }) =>
        window.location.pathname.includes('/community/') ? rest : {},
    });
    await refetchAll();
    removeDeletedQueries();
    showNotice(texts.deleted(title), {
      label: texts.undo,
      run: restore,
    });
  };
  const isPrivate = post.visibility === PRIVATE;
  const pinned = useQuery({
    queryKey: ['post', postId, 'pinned'],
    enabled: capabilities.canPin === true,
    queryFn: async () => {
      const { items: [found] = [] } = await portal.posts.list({
        communityId: post.communityId!,
        postId,
        onlyPinned: true,
        pageSize: 1,
        fields: 'id',
      });
      return found !== undefined;
    },
  }).data;
  const [permissionsOpen, setPermissionsOpen] = useState(false);
  const [requesting, setRequesting] = useState(false);
  const [moving, setMoving] = useState(false);
  /** Runs a change, and says that it was made or why it failed. */
  const mark = (run: () => Promise<unknown>, done?: string) => {
    const go = async (): Promise<void> => {
      try {
        await run();
        await queryClient.invalidateQueries();
        if (done !== undefined) showNotice(done);
      } catch (error) {
        showError(error, go);
      }
    };
    return () => void go();
  };
  const items = [
    capabilities.canEditVisibility &&
      capabilities.canModify && {
        label: isPrivate ? texts.makePublic : texts.makePrivate,
        icon: isPrivate ? <Globe size={14} aria-hidden /> : <Lock size={14} aria-hidden />,
        run: mark(() => change(post, { visibility: isPrivate ? PUBLIC : PRIVATE })),
      },
    pinned !== undefined && {
      label: pinned ? texts.unpin : texts.pin,
      icon: pinned ? <PinOff size={14} aria-hidden /> : <Pin size={14} aria-hidden />,
      run: mark(() => portal.posts.pin({ postId, pinned: !pinned }), pinned ? texts.unpinned : texts.pinned),
    },
    capabilities.canAnnounce && {
      label: post.announcement ? texts.unannounce : texts.announce,
      icon: <Megaphone size={14} aria-hidden />,
      run: mark(
        () => portal.posts.announce({ postId, announcement: !post.announcement }),
        post.announcement ? texts.unannounced : texts.announced,
      ),
    },
    capabilities.canRequestAcknowledgements && {
      label: texts.askToAcknowledge,
      icon: <Signature size={14} aria-hidden />,
      run: () => setRequesting(true),
    },
    capabilities.canModify && {
      label: texts.versions,
      icon: <History size={14} aria-hidden />,
      run: () => void navigate({ to: '/post/$postId/versions', params: { postId: String(postId) } }),
    },
    {
      label: texts.markUnread,
      icon: <EyeOff size={14} aria-hidden />,
      run: mark(() => portal.posts.markRead({ postId, read: false }), texts.markedUnread),
    },
    {
      label: texts.copyLink,
      icon: <Link size={14} aria-hidden />,
      run: mark(() => copyText(`${location.origin}${import.meta.env.BASE_URL}post/${postId}`), texts.linkCopied),
    },
    capabilities.canCopy && {
      label: texts.duplicate,
      icon: <Copy size={14} aria-hidden />,
      run: () => openNewPost(post.communityId, postId),
    },
    { label: texts.permissions, icon: <CircleHelp size={14} aria-hidden />, run: () => setPermissionsOpen(true) },
    capabilities.canDelete && {
      label: moveLabel,
      icon: <FolderInput size={14} aria-hidden />,
      run: () => setMoving(true),
    },
    capabilities.canDelete && {
      label: texts.delete,
      icon: <Trash2 size={14} aria-hidden />,
      run: () => void remove(),
    },
  ].filter((item) => typeof item === 'object');
  return (
    <>
      <Menu
        className="tool post-actions"
        label={texts.actions}
        button={<Ellipsis size={16} aria-hidden />}
        items={items}
      />
      {requesting && <AskToAcknowledge post={post} onClose={() => setRequesting(false)} />}
      {moving && <MovePost post={post} onClose={() => setMoving(false)} />}
      {permissionsOpen && <PermissionsDialog postId={postId} onClose={() => setPermissionsOpen(false)} />}
    </>
  );
}

/** The notice of a draft, with its time of publication. */
export function DraftNotice({ post, capabilities }: { post: Post; capabilities: Capabilities }) {
  const texts = useAllTexts();
  const formats = useFormats();
  const [when, setWhen] = useState<string>();
  const [fault, setFault] = useState<string>();
  const form = useQuery({ ...formQuery(post), enabled: capabilities.canModify === true });
  const { draft, scheduledPublication: schedule, scheduledPublicationResult: result } = form.data?.contentData ?? {};
  if (!draft) return null;
  const scheduledAt = schedule?.zonedDatetime === undefined ? undefined : Date.parse(schedule.zonedDatetime);
  const run = async (body: Change, done?: string) => {
    setFault(undefined);
    try {
      await change(post, body);
      setWhen(undefined);
      if (done !== undefined) showNotice(done);
    } catch (error) {
      setFault(faultOf(error, texts));
    }
  };
  return (
    <section className="draft-line" aria-label={texts.saveDraft}>
      <p>
        {scheduledAt === undefined ? texts.isDraft : texts.isScheduled(formats.moment(scheduledAt))}
        {result === 2 && <span className="fault"> {texts.publicationFailed}</span>}
      </p>
      {when === undefined ? (
        <div className="buttons">
          <Button size="xs" onClick={() => void run({ draft: false }, texts.published)}>
            {texts.publishNow}
          </Button>
          <Button
            size="xs"
            variant="default"
            onClick={() => setWhen(scheduledAt === undefined ? '' : toDatetimeLocal(scheduledAt))}
          >
            {scheduledAt === undefined ? texts.schedule : texts.changeSchedule}
          </Button>
          {scheduledAt !== undefined && (
            <Button size="xs" variant="default" onClick={() => void run({ scheduledPublication: null })}>
              {texts.unschedule}
            </Button>
          )}
        </div>
      ) : (
        <form
          className="buttons"
          onSubmit={(event) => {
            event.preventDefault();
            void run({ scheduledPublication: { datetime: `${when}:00`, timezone: timeZone() } });
          }}
        >
          <MomentInput
            size="xs"
            aria-label={texts.publishAt}
            required
            autoFocus
            value={when}
            onChange={setWhen}
            time="09:00"
          />
          <Button size="xs" type="submit">
            {texts.createAndSchedule}
          </Button>
          <Button size="xs" variant="default" onClick={() => setWhen(undefined)}>
            {texts.cancel}
          </Button>
        </form>
      )}
      <Fault text={fault} />
    </section>
  );
}
