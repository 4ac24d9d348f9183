import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import { Failed, Loading } from '../placeholders.tsx';
import { portal } from '../portal.ts';
import { useDefinition, useFavourites, useMe, writableQuery } from '../shared-queries.ts';
import { useDialog } from '../shell/use-dialog.ts';
import { deleteBrowserDraft, readBrowserDraft, saveBrowserDraft } from './browser-drafts.ts';
import { CommunityChooser, PostCommunitySelect } from './community-choice.tsx';
import { closeNewPost } from './new-post.ts';
import { lastCommunity, NewPostForm } from './new-post-form.tsx';
import type { Rights } from './new-post-parts.tsx';
import { draftOfCopy, emptyDraft, type PostDraft } from './post-draft.ts';
import { useWriteTexts } from './texts.ts';
import { useBrowserDraft } from './use-browser-draft.ts';
import { useOwnDraftName } from './use-own-draft-name.ts';
import './write.css';

/**
 * The panel in which a post is written. Typed text stays in this browser until the post is created
 * or discarded.
 */
export function NewPostPanel({
  communityId: preferred,
  copyOf,
}: {
  communityId: number | undefined;
  /** The post whose content the form begins with. */
  copyOf: number | undefined;
}) {
  const texts = useWriteTexts();
  const dialog = useDialog();
  const writable = useQuery(writableQuery);
  const [chosen, setChosen] = useState<number>();
  const favourites = useFavourites();
  const last = lastCommunity();
  const offered = writable.data ?? [];
  const starred = favourites.data?.communities?.map(({ communityId }) => communityId) ?? [];
  const only = offered.length === 1 ? offered[0]!.id : undefined;
  // The community of the page, of the last post, or a favourite. Without any of them, the user
  // chooses.
  const communityId = [chosen, preferred, last, ...starred, only].find((id) => offered.some((one) => one.id === id));
  const communities = offered.map(({ id, name }) => ({ id: id!, label: name ?? '' }));
  const content = () => {
    if (writable.isPending || favourites.isPending) return <Loading />;
    if (writable.isError || offered.length === 0) return <Failed query={writable} />;
    if (communityId === undefined) {
      return (
        <>
          <header className="panel-head">
            <h2>{texts.newPost}</h2>
            <button type="button" className="tool" aria-label={texts.dismiss} onClick={dialog.close}>
              <X size={16} aria-hidden />
            </button>
          </header>
          <CommunityChooser communities={offered} onCommunity={setChosen} />
        </>
      );
    }
    return (
      <CommunityForm
        key={communityId}
        communityId={communityId}
        communities={communities}
        rights={offered.find(({ id }) => id === communityId)?.operationalCapabilities ?? {}}
        onCommunity={setChosen}
        // In another community, its fields mean nothing.
        copyOf={communityId === preferred ? copyOf : undefined}
        close={dialog.close}
      />
    );
  };
  return (
    <dialog {...dialog.props} className="panel" aria-label={texts.newPost} onClose={closeNewPost}>
      {content()}
    </dialog>
  );
}

interface CommunityFormProps {
  communityId: number;
  communities: readonly { id: number; label: string }[];
  rights: Rights;
  onCommunity: (id: number) => void;
  copyOf: number | undefined;
  close: () => void;
}

function CommunityForm(props: CommunityFormProps) {
  const name = useOwnDraftName(props.copyOf === undefined ? `new/${props.communityId}` : `copy/${props.copyOf}`);
  return name === undefined ? <Loading /> : <DraftForm {...props} name={name} />;
}

function DraftForm({
  communityId,
  communities,
  rights,
  onCommunity,
  copyOf,
  close,
  name,
}: CommunityFormProps & {
  /** Name of the draft. */
  name: string;
}) {
  const texts = useWriteTexts();
  const userId = useMe().data?.userData?.id ?? 0;
  const definition = useDefinition(communityId);
  const copied = useQuery({
    queryKey: ['copy-form', copyOf],
    queryFn: () => draftOfCopy(copyOf!, definition.data!),
    enabled: copyOf !== undefined && definition.data !== undefined,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const draft = useBrowserDraft<PostDraft | undefined>(name, copyOf === undefined ? emptyDraft() : undefined);
  const value = draft.value ?? copied.data;
  const form = useQuery({
    queryKey: ['create-form', communityId],
    queryFn: () => portal.posts.defaults({ communityId }),
  });
  /** Moves the draft to another community, unless there is a draft for that community. */
  const moveTo = async (id: number) => {
    if (value && (value.title !== '' || value.text !== '') && !(await readBrowserDraft(userId, `new/${id}`))) {
      await saveBrowserDraft(userId, `new/${id}`, { ...value, values: {}, shown: [] });
      await draft.drop();
      await deleteBrowserDraft(userId, name);
    }
    onCommunity(id);
  };
  const content = () => {
    if (definition.isError || form.isError || copied.isError) {
      const refetch = () => Promise.all([definition.refetch(), form.refetch(), copyOf && copied.refetch()]);
      return <Failed query={{ error: definition.error ?? form.error ?? copied.error, refetch }} />;
    }
    if (definition.isPending || form.isPending || value === undefined) return <Loading />;
    return (
      <NewPostForm
        communityId={communityId}
        definition={definition.data}
        initial={form.data.contentData ?? {}}
        rights={rights}
        draft={value}
        change={draft.change}
        drop={draft.drop}
        close={close}
      />
    );
  };
  return (
    <>
      <header className="panel-head">
        <PostCommunitySelect
          communityId={communityId}
          communities={communities}
          onCommunity={(id) => void moveTo(id)}
        />
        <span className="muted" aria-hidden>
          ›
        </span>
        <h2>{value?.event ? texts.newEvent : texts.newPost}</h2>
        <button type="button" className="tool" aria-label={texts.dismiss} onClick={close}>
          <X size={16} aria-hidden />
        </button>
      </header>
      {content()}
    </>
  );
}
