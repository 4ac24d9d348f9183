import { Button, Textarea, TextInput } from '@mantine/core';
import type { JsonValue, PostFieldDefinition } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ChevronDown, X } from 'lucide-react';
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react';
import { PicturesContext } from '../content/pictures.ts';
import { Failed, Loading } from '../placeholders.tsx';
import { portal, queryClient } from '../portal.ts';
import { useDefinition, useFavourites, useMe, writableQuery } from '../shared-queries.ts';
import { KeyCaps } from '../shell/key-list.tsx';
import { useDialog } from '../shell/use-dialog.ts';
import { timeZone } from '../texts/time-zone.ts';
import { deleteBrowserDraft, readBrowserDraft, saveBrowserDraft } from './browser-drafts.ts';
import { CommunityChooser, PostCommunitySelect } from './community-choice.tsx';
import { type EventDraft, EventFields, eventFaults, newEvent, writtenEvent } from './event-fields.tsx';
import { type Faults, faultBeside, faultsOf, NO_FAULTS } from './faults.ts';
import { checkFields, FieldForm, isRequired, useFocusOnFault, writtenValues } from './field-form.tsx';
import { hashtagsOf } from './hashtags.ts';
import { defaultOf, type InputValues, inputOf, isFilled } from './input-values.ts';
import { Menu } from './menu.tsx';
import { closeNewPost } from './new-post.ts';
import { useAllTexts, useWriteTexts } from './texts.ts';
import { UploadList } from './upload-list.tsx';
import { type UploadedFile, useUploads } from './uploads.ts';
import { useBrowserDraft } from './use-browser-draft.ts';
import './write.css';
import { Fault } from './fault.tsx';

const RichEditor = lazy(() => import('./editor/rich-editor.tsx'));

/** A new post while it is written. */
interface PostDraft {
  /** Sent as `clientUid`, by which a repeated attempt finds the post that was created. */
  readonly uid: string;
  readonly title: string;
  readonly text: string;
  readonly values: InputValues;
  /** Optional fields that were asked for. */
  readonly shown: readonly number[];
  readonly files: readonly UploadedFile[];
  readonly visibility?: 1 | 2;
  readonly announcement: boolean;
  readonly event?: EventDraft;
}

const LAST_COMMUNITY_KEY = 'portico-last-community';

/** A random key; `crypto.randomUUID` is missing where the address is not a secure one. */
const newUid = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

const emptyDraft = (): PostDraft => ({
  uid: newUid(),
  title: '',
  text: '',
  values: {},
  shown: [],
  files: [],
  announcement: false,
});

interface Rights {
  createEventPost?: boolean;
  editPostVisibility?: boolean;
  setPostAnnouncementFlag?: boolean;
}

/** The panel in which a post is written. What is typed stays in this browser until it is created or discarded. */
export function NewPostPanel({ communityId: preferred }: { communityId: number | undefined }) {
  const texts = useWriteTexts();
  const dialog = useDialog();
  const writable = useQuery(writableQuery);
  const [chosen, setChosen] = useState<number>();
  const favourites = useFavourites();
  const last = Number(localStorage.getItem(LAST_COMMUNITY_KEY));
  const offered = writable.data ?? [];
  const starred = favourites.data?.communities?.map(({ communityId }) => communityId) ?? [];
  const only = offered.length === 1 ? offered[0]!.id : undefined;
  // Where one is, wrote last, or writes often. Where none of it says anything one is asked.
  const communityId = [chosen, preferred, last, ...starred, only].find((id) => offered.some((one) => one.id === id));
  const communities = offered.map(({ id, name }) => ({ id: id!, label: name ?? '' }));
  return (
    <dialog {...dialog.props} className="panel" aria-label={texts.newPost} onClose={closeNewPost}>
      {writable.isPending || favourites.isPending ? (
        <Loading />
      ) : writable.isError || offered.length === 0 ? (
        <Failed query={writable} />
      ) : communityId === undefined ? (
        <>
          <header className="panel-head">
            <h2>{texts.newPost}</h2>
            <button type="button" className="tool" aria-label={texts.dismiss} onClick={dialog.close}>
              <X size={16} aria-hidden />
            </button>
          </header>
          <CommunityChooser communities={offered} onCommunity={setChosen} />
        </>
      ) : (
        <CommunityForm
          key={communityId}
          communityId={communityId}
          communities={communities}
          rights={offered.find(({ id }) => id === communityId)?.operationalCapabilities ?? {}}
          onCommunity={setChosen}
          close={dialog.close}
        />
      )}
    </dialog>
  );
}

function CommunityForm({
  communityId,
  communities,
  rights,
  onCommunity,
  close,
}: {
  communityId: number;
  communities: readonly { id: number; label: string }[];
  rights: Rights;
  onCommunity: (id: number) => void;
  close: () => void;
}) {
  const texts = useWriteTexts();
  const userId = useMe().data?.userData?.id ?? 0;
  const name = `new/${communityId}`;
  const draft = useBrowserDraft<PostDraft>(name, emptyDraft());
  const definition = useDefinition(communityId);
  const form = useQuery({
    queryKey: ['create-form', communityId],
    queryFn: () => portal.posts.createForm({ communityId }),
  });
  /** Takes the draft along to another community, unless one was begun there. */
  const moveTo = async (id: number) => {
    const { value } = draft;
    if (value && (value.title !== '' || value.text !== '') && !(await readBrowserDraft(userId, `new/${id}`))) {
      await saveBrowserDraft(userId, `new/${id}`, { ...value, values: {}, shown: [] });
      await draft.drop();
      await deleteBrowserDraft(userId, name);
    }
    onCommunity(id);
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
        <h2>{draft.value?.event ? texts.newEvent : texts.newPost}</h2>
        <button type="button" className="tool" aria-label={texts.dismiss} onClick={close}>
          <X size={16} aria-hidden />
        </button>
      </header>
      {definition.isError || form.isError ? (
        <Failed
          query={{
            error: definition.error ?? form.error,
            refetch: () => Promise.all([definition.refetch(), form.refetch()]),
          }}
        />
      ) : definition.isPending || form.isPending || draft.value === undefined ? (
        <Loading />
      ) : (
        <NewPostForm
          communityId={communityId}
          definition={definition.data}
          initial={form.data.contentData ?? {}}
          rights={rights}
          draft={draft.value}
          change={draft.change}
          drop={draft.drop}
          close={close}
        />
      )}
    </>
  );
}

type Definition = Awaited<ReturnType<typeof portal.communities.definition>>;
type Initial = NonNullable<Awaited<ReturnType<typeof portal.posts.createForm>>['contentData']>;

/** Parts of a post that a community does not use, may fill, must fill. */
const [UNUSED, , REQUIRED] = [0, 1, 2];

function NewPostForm({
  communityId,
  definition,
  initial,
  rights,
  draft,
  change,
  drop,
  close,
}: {
  communityId: number;
  definition: Definition;
  initial: Initial;
  rights: Rights;
  draft: PostDraft;
  change: (draft: PostDraft) => void;
  drop: () => Promise<void>;
  close: () => void;
}) {
  const texts = useAllTexts();
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  const [faults, setFaults] = useState<Faults>(NO_FAULTS);
  const [busy, setBusy] = useState(false);
  const [publishAt, setPublishAt] = useState<string>();
  const [confirmingDiscard, setConfirmingDiscard] = useState(false);
  const uploads = useUploads(definition.attachmentMaxSize, draft.files);
  useFocusOnFault(form, faults);
  const preview = (name: string) => uploads.uploads.find((upload) => upload.name === name)?.preview;
  const latest = useRef(draft);
  latest.current = draft;
  const set = (changes: Partial<PostDraft>) => {
    const next = { ...latest.current, ...changes };
    latest.current = next;
    change(next);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is kept changes with the files that arrived
  useEffect(() => {
    if (JSON.stringify(uploads.kept) !== JSON.stringify(latest.current.files)) set({ files: uploads.kept });
  }, [uploads.uploads]);
  const fields = draft.event
    ? []
    : (definition.fieldDefinitions ?? [])
        .filter(({ visibleInCreate, readonly }) => visibleInCreate !== false && !readonly)
        .map((field) => ({ ...field, required: isRequired(field) }));
  const begun = initial.customData ?? {};
  const hasDefaults = definition.fieldDefinitions?.some(({ defaultValue }) => defaultValue !== undefined);
  const values: InputValues = {
    ...Object.fromEntries(
      fields.map((field) => [String(field.id), inputOf(field, begun[String(field.id)] ?? defaultOf(field))]),
    ),
    ...draft.values,
  };
  const usesTitle = draft.event !== undefined || definition.titleEnabled !== UNUSED;
  const requiresTitle = usesTitle && (draft.event !== undefined || definition.titleEnabled === REQUIRED);
  const usesText = definition.descriptionEnabled !== UNUSED;
  const visibility = draft.visibility ?? initial.visibility ?? definition.defaultPostVisibility ?? 2;
  const isEmpty =
    draft.title === '' &&
    draft.text === '' &&
    uploads.uploads.length === 0 &&
    !Object.values(draft.values).some(isFilled);

  /** Places of errors that are shown at an input. */
  const places = [
    'title',
    'description',
    'attachments',
    'scheduledPublication',
    ...(draft.event ? ['event'] : []),
    ...fields.map(({ id }) => id),
  ];
  const check = (): Faults => ({
    ...(requiresTitle && draft.title.trim() === '' && { title: texts.required }),
    ...(definition.descriptionEnabled === REQUIRED && draft.text === '' && { description: texts.required }),
    ...checkFields(fields, values, texts),
    ...(draft.event && eventFaults(draft.event, texts)),
    ...(!uploads.ready && { attachments: texts.waitForUploads }),
  });

  const create = async (how: { draft?: boolean; at?: string } = {}) => {
    const found = check();
    setFaults(found);
    if (busy || Object.keys(found).length > 0) return;
    setBusy(true);
    try {
      const shared = {
        communityId,
        title: draft.title.trim(),
        ...(usesText && draft.text !== '' && { description: draft.text }),
        attachments: uploads.references,
        announcement: draft.announcement,
        clientUid: draft.uid,
        visibility,
        ...(how.draft && { draft: true }),
        ...(how.at !== undefined && { scheduledPublication: { datetime: how.at, timezone: timeZone() } }),
      };
      const { postId } = draft.event
        ? await portal.posts.createEvent({ ...shared, event: writtenEvent(draft.event) })
        : await portal.posts.create({
            ...shared,
            customData: withEmptied(fields, writtenValues(fields, values)),
            ...(hasDefaults && { applyDefaults: true }),
          });
      await drop();
      localStorage.setItem(LAST_COMMUNITY_KEY, String(communityId));
      close();
      void queryClient.invalidateQueries();
      await navigate({ to: '/post/$postId', params: { postId: String(postId) } });
    } catch (error) {
      setFaults(faultsOf(error, texts, fields));
    } finally {
      setBusy(false);
    }
  };
  // Wherever the focus is: a button that did its work may be gone.
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
      void create(publishAt === undefined ? {} : { at: publishAt });
  });
  useEffect(() => {
    const key = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', key);
    return () => document.removeEventListener('keydown', key);
  }, []);
  const discard = async () => {
    await drop();
    close();
  };
  return (
    <form
      noValidate
      ref={form}
      className="panel-form"
      onSubmit={(event) => {
        event.preventDefault();
        void create(publishAt === undefined ? {} : { at: publishAt });
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        if (definition.attachmentEnabled) uploads.add([...event.dataTransfer.files]);
      }}
    >
      <div className="panel-body">
        {usesTitle && (
          <div data-place="title">
            <Textarea
              variant="unstyled"
              className="title-input"
              aria-label={texts.title}
              placeholder={marked(texts.titlePlaceholder, requiresTitle)}
              required={requiresTitle}
              autosize
              minRows={1}
              autoFocus
              dir="auto"
              value={draft.title}
              error={faults['title']}
              onChange={(event) => set({ title: event.currentTarget.value.replace(/\n/g, ' ') })}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return;
                event.preventDefault();
                form.current?.querySelector<HTMLElement>('.ql-editor')?.focus();
              }}
            />
          </div>
        )}
        {usesText && (
          <div data-place="description">
            <Suspense fallback={<div className="editor-placeholder muted">{texts.editorLoading}</div>}>
              <PicturesContext value={preview}>
                <RichEditor
                  label={texts.description}
                  placeholder={marked(texts.textPlaceholder, definition.descriptionEnabled === REQUIRED)}
                  value={draft.text}
                  onChange={(text) => set({ text })}
                  people={{ of: 'people', id: communityId }}
                  hashtags={hashtagsOf(definition)}
                  required={definition.descriptionEnabled === REQUIRED}
                  {...(definition.attachmentEnabled && { onFiles: uploads.add, onPictures: uploads.add })}
                />
              </PicturesContext>
            </Suspense>
            {faults['description'] && <p className="fault">{faults['description']}</p>}
          </div>
        )}
        <div data-place="attachments">
          <UploadList uploads={uploads} most={definition.attachmentMaxSize} />
          {faults['attachments'] && <p className="fault">{faults['attachments']}</p>}
        </div>
        {draft.event && (
          <EventFields
            event={draft.event}
            onChange={(event) => set({ event })}
            communityId={communityId}
            faults={faults}
          />
        )}
        <FieldForm
          fields={fields}
          values={values}
          onChange={(next) => set({ values: next })}
          shown={draft.shown}
          onShow={(shown) => set({ shown })}
          faults={faults}
          communityId={communityId}
        />
        <div className="choices-line">
          {rights.editPostVisibility && (
            <label className="check-line">
              <input
                type="checkbox"
                checked={visibility === 1}
                onChange={(event) => set({ visibility: event.currentTarget.checked ? 1 : 2 })}
              />
              {texts.private}
            </label>
          )}
          {rights.setPostAnnouncementFlag && (
            <label className="check-line">
              <input
                type="checkbox"
                checked={draft.announcement}
                onChange={(event) => set({ announcement: event.currentTarget.checked })}
              />
              {texts.announcement}
            </label>
          )}
          {rights.createEventPost && (
            <label className="check-line">
              <input
                type="checkbox"
                checked={draft.event !== undefined}
                onChange={(event) => {
                  const { event: _none, ...rest } = latest.current;
                  change(event.currentTarget.checked ? { ...rest, event: newEvent() } : rest);
                }}
              />
              {texts.event}
            </label>
          )}
        </div>
      </div>
      <footer className="panel-foot">
        <Fault text={faultBeside(faults, places)} />
        {confirmingDiscard ? (
          <>
            <span>{texts.discardQuestion}</span>
            <span className="spacer" />
            <Button variant="default" onClick={() => setConfirmingDiscard(false)}>
              {texts.keepWriting}
            </Button>
            <Button color="red" variant="outline" onClick={() => void discard()}>
              {texts.discard}
            </Button>
          </>
        ) : (
          <>
            {!isEmpty && (
              <button type="button" className="quiet muted" onClick={() => setConfirmingDiscard(true)}>
                {texts.discard}
              </button>
            )}
            {!isEmpty && <span className="muted draft-kept">{texts.draftKept}</span>}
            <span className="spacer" />
            {publishAt !== undefined && (
              <TextInput
                type="datetime-local"
                aria-label={texts.publishAt}
                value={publishAt}
                error={faults['scheduledPublication']}
                onChange={(event) => setPublishAt(event.currentTarget.value)}
                autoFocus
              />
            )}
            <span className="hint wide-only" aria-hidden>
              <KeyCaps name="mod+Enter" />
            </span>
            <div className="split">
              <Button type="submit" loading={busy} aria-keyshortcuts="Control+Enter">
                {publishAt === undefined ? texts.create : texts.createAndSchedule}
              </Button>
              <Menu
                label={texts.moreWays}
                button={<ChevronDown size={16} aria-hidden />}
                className="split-more"
                items={[
                  { label: texts.saveDraft, run: () => void create({ draft: true }) },
                  publishAt === undefined
                    ? { label: texts.schedule, run: () => setPublishAt('') }
                    : { label: texts.create, run: () => setPublishAt(undefined) },
                ]}
              />
            </div>
          </>
        )}
      </footer>
    </form>
  );
}

const marked = (placeholder: string, required: boolean): string => (required ? `${placeholder} *` : placeholder);

/** Sends the empty text for fields that were emptied, so that they get no default. */
function withEmptied(fields: readonly PostFieldDefinition[], values: Record<string, JsonValue>) {
  const emptied = fields.filter((field) => defaultOf(field) !== undefined && values[String(field.id)] === undefined);
  return { ...values, ...Object.fromEntries(emptied.map(({ id }) => [String(id), ''])) };
}
