import { Button } from '@mantine/core';
import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { KeyCaps } from '../shell/key-list.tsx';
import { MomentInput } from './day-input.tsx';
import { type EventDraft, newEvent } from './event-fields.tsx';
import { Fault } from './fault.tsx';
import { Menu } from './menu.tsx';
import type { PostDraft } from './post-draft.ts';
import { useWriteTexts } from './texts.ts';

/** The caller's rights in the community. */
export interface Rights {
  createEventPost?: boolean;
  editPostVisibility?: boolean;
  setPostAnnouncementFlag?: boolean;
}

/** Choices of the kind of post, as far as the writer has them. */
export function PostChoices({
  rights,
  isPrivate,
  draft,
  set,
  setEvent,
}: {
  rights: Rights;
  isPrivate: boolean;
  draft: PostDraft;
  set: (changes: Partial<PostDraft>) => void;
  setEvent: (event: EventDraft | undefined) => void;
}) {
  const texts = useWriteTexts();
  return (
    <div className="choices-line">
      {rights.editPostVisibility && (
        <label className="check-line">
          <input
            type="checkbox"
            checked={isPrivate}
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
            onChange={(event) => setEvent(event.currentTarget.checked ? newEvent() : undefined)}
          />
          {texts.event}
        </label>
      )}
    </div>
  );
}

/** The buttons below the form. */
export function FormFoot({
  isEmpty,
  busy,
  fault,
  publishAt,
  publishFault,
  setPublishAt,
  saveDraft,
  discard,
}: {
  isEmpty: boolean;
  busy: boolean;
  /** An error that no input shows. */
  fault: string | undefined;
  /** The time of publication, unless the post is published at once. */
  publishAt: string | undefined;
  publishFault: string | undefined;
  setPublishAt: (at: string | undefined) => void;
  saveDraft: () => void;
  discard: () => void;
}) {
  const texts = useWriteTexts();
  const [confirmingDiscard, setConfirmingDiscard] = useState(false);
  return (
    <footer className="panel-foot">
      <Fault text={fault} />
      {confirmingDiscard ? (
        <>
          <span>{texts.discardQuestion}</span>
          <span className="spacer" />
          <Button variant="default" onClick={() => setConfirmingDiscard(false)}>
            {texts.keepWriting}
          </Button>
          <Button color="red" variant="outline" onClick={discard}>
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
            <MomentInput
              aria-label={texts.publishAt}
              value={publishAt}
              error={publishFault}
              onChange={setPublishAt}
              autoFocus
              time="09:00"
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
                { label: texts.saveDraft, run: saveDraft },
                publishAt === undefined
                  ? { label: texts.schedule, run: () => setPublishAt('') }
                  : { label: texts.create, run: () => setPublishAt(undefined) },
              ]}
            />
          </div>
        </>
      )}
    </footer>
  );
}
