import { Textarea } from '@mantine/core';
import type { JsonValue } from '@portico/sdk';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { PicturesContext } from '../content/pictures.ts';
import type { ShownField } from '../content/shown-field.ts';
import { Panel } from '../failures/boundary.tsx';
import { part } from '../failures/part.ts';
import { sendOrKeep } from '../offline/outbox.ts';
import { type portal, queryClient } from '../portal.ts';
import { timeZone } from '../texts/time-zone.ts';
import { EventFields, eventFaults, writtenEvent } from './event-fields.tsx';
import { type Faults, faultBeside, faultsOf, NO_FAULTS } from './faults.ts';
import { checkFields, FieldForm, useFocusOnFault, writtenValues } from './field-form.tsx';
import { hashtagsOf } from './hashtags.ts';
import { defaultOf, type InputValues, inputOf, isFilled } from './input-values.ts';
import { FormFoot, PostChoices, type Rights } from './new-post-parts.tsx';
import { showNotice } from './notices.ts';
import { newUid, type PostDraft } from './post-draft.ts';
import { withRequired } from './required-fields.ts';
import { useAllTexts } from './texts.ts';
import { UploadList } from './upload-list.tsx';
import { useUploads } from './uploads.ts';

const RichEditor = part(() => import('./editor/rich-editor.tsx'), 'default');

const LAST_COMMUNITY_KEY = 'portico-last-community';

/** The community in which the browser's user last created a post; 0 if it is not known. */
export const lastCommunity = (): number => Number(localStorage.getItem(LAST_COMMUNITY_KEY));

type Definition = Awaited<ReturnType<typeof portal.communities.definition>>;
type Initial = NonNullable<Awaited<ReturnType<typeof portal.posts.createForm>>['contentData']>;

/** Use of a part of posts in a community: unused, optional, required. */
const [UNUSED, , REQUIRED] = [0, 1, 2];

export function NewPostForm({
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: the stored draft changes with the uploaded files
  useEffect(() => {
    if (JSON.stringify(uploads.kept) !== JSON.stringify(latest.current.files)) set({ files: uploads.kept });
  }, [uploads.uploads]);
  const writable = draft.event
    ? []
    : (definition.fieldDefinitions ?? []).filter(
        ({ visibleInCreate, readonly }) => visibleInCreate !== false && !readonly,
      );
  const begun = initial.customData ?? {};
  const hasDefaults = definition.fieldDefinitions?.some(({ defaultValue }) => defaultValue !== undefined);
  const values: InputValues = {
    ...Object.fromEntries(
      writable.map((field) => [String(field.id), inputOf(field, begun[String(field.id)] ?? defaultOf(field))]),
    ),
    ...draft.values,
  };
  const fields = withRequired(writable, values);
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
      const customData = withEmptied(fields, writtenValues(fields, values));
      const named = { key: newUid(), label: shared.title || texts.newPost };
      const answer = draft.event
        ? await sendOrKeep({
            ...named,
            operation: 'createEventPost',
            input: { ...shared, event: writtenEvent(draft.event) },
          })
        : await sendOrKeep({
            ...named,
            operation: 'createCustomPost',
            input: { ...shared, customData, ...(hasDefaults && { applyDefaults: true }) },
          });
      await drop();
      localStorage.setItem(LAST_COMMUNITY_KEY, String(communityId));
      close();
      if (answer === undefined) return showNotice(texts.writingKept);
      const { postId } = answer as { postId: number };
      void queryClient.invalidateQueries();
      await navigate({ to: '/post/$postId', params: { postId: String(postId) } });
    } catch (error) {
      setFaults(faultsOf(error, texts, fields));
    } finally {
      setBusy(false);
    }
  };
  // Listens on the document: the focused button may have disappeared after its work.
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
            <Panel fallback={<div className="editor-placeholder muted">{texts.editorLoading}</div>}>
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
            </Panel>
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
        <PostChoices
          rights={rights}
          isPrivate={visibility === 1}
          draft={draft}
          set={set}
          setEvent={(event) => {
            const { event: _none, ...rest } = latest.current;
            change(event ? { ...rest, event } : rest);
          }}
        />
      </div>
      <FormFoot
        isEmpty={isEmpty}
        busy={busy}
        fault={faultBeside(faults, places)}
        publishAt={publishAt}
        publishFault={faults['scheduledPublication']}
        setPublishAt={setPublishAt}
        saveDraft={() => void create({ draft: true })}
        discard={() => void discard()}
      />
    </form>
  );
}

const marked = (placeholder: string, required: boolean): string => (required ? `${placeholder} *` : placeholder);

/** Sends an empty text for fields that were emptied, so that they get no default. */
function withEmptied(fields: readonly ShownField[], values: Record<string, JsonValue>) {
  const emptied = fields.filter((field) => defaultOf(field) !== undefined && values[String(field.id)] === undefined);
  return { ...values, ...Object.fromEntries(emptied.map(({ id }) => [String(id), ''])) };
}
