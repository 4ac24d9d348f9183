import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { RichText } from '../../content/rich-text.tsx';
import { Panel } from '../../failures/boundary.tsx';
import { part } from '../../failures/part.ts';
import { useDefinition, useMe } from '../../shared-queries.ts';
import { KeyCaps } from '../../shell/key-list.tsx';
import { useFocusReturn } from '../../shell/use-focus-return.ts';
import { saveBrowserDraft } from '../../write/browser-drafts.ts';
import { Fault } from '../../write/fault.tsx';
import { type Faults, faultsOf, NO_FAULTS } from '../../write/faults.ts';
import { hashtagsOf } from '../../write/hashtags.ts';
import { showNotice } from '../../write/notices.ts';
import { newUid } from '../../write/post-draft.ts';
import { useAllTexts } from '../../write/texts.ts';
import { UploadList } from '../../write/upload-list.tsx';
import { type UploadedFile, useUploads } from '../../write/uploads.ts';
import { useBrowserDraft } from '../../write/use-browser-draft.ts';
import { type FormVersion, useMergedForm } from '../../write/use-merged-form.tsx';
import type { WrittenComment } from './send-comment.ts';

const RichEditor = part(() => import('../../write/editor/rich-editor.tsx'), 'default');

interface CommentDraft {
  readonly text: string;
  readonly files: readonly UploadedFile[];
}

/** Reads the text of a comment and its token. */
interface CommentReader {
  first(): Promise<CommentVersion>;
  newest(): Promise<CommentVersion>;
}

export type CommentVersion = FormVersion<string>;

interface BoxProps {
  label: string;
  communityId: number;
  postId: number;
  /** Text of the button that sends the comment. */
  submit: string;
  send: (comment: WrittenComment, token: number) => Promise<unknown>;
  /** Reads the comment that is edited; the first answer is the one from which the text begins. */
  saved?: CommentReader;
}

/** The input of a comment. Typed text is kept in this browser until it is sent. */
export function CommentBox({
  name,
  initial = '',
  onClose,
  onReopen,
  ...box
}: BoxProps & {
  /** Key of the draft. */
  name: string;
  /** The initial text, if a comment is edited. */
  initial?: string;
  /**
   * Closes a box that was opened; without it the box is always present, and small until it is used.
   */
  onClose?: () => void;
  /** Opens a closed box again. */
  onReopen?: () => void;
}) {
  const texts = useAllTexts();
  const userId = useMe().data?.userData?.id ?? 0;
  const draft = useBrowserDraft<CommentDraft>(name, { text: initial, files: [] });
  const [used, setUsed] = useState(onClose !== undefined);
  const begun = draft.value !== undefined && (draft.value.text !== initial || draft.value.files.length > 0);
  const opener = useFocusReturn(used || begun);
  if (!used && !begun)
    return (
      <button ref={opener} type="button" className="comment-opener" onClick={() => setUsed(true)}>
        {texts.writeComment}
      </button>
    );
  if (draft.value === undefined) return <div className="editor-placeholder" data-compact="" />;
  const written = draft.value;
  const close = async () => {
    await draft.drop();
    draft.change({ text: initial, files: [] });
    await draft.drop();
    setUsed(false);
    onClose?.();
  };
  const restore = async () => {
    // The box may be gone by then; a box that opens reads the stored text.
    await saveBrowserDraft(userId, name, written);
    draft.change(written);
    setUsed(true);
    onReopen?.();
  };
  return (
    <Writing
      {...box}
      draft={draft.value}
      change={draft.change}
      focused={used}
      close={close}
      cancel={async () => {
        await close();
        if (begun) showNotice(texts.commentDiscarded, { label: texts.undo, run: restore });
      }}
    />
  );
}

/** Returns a function that gives a key to each content: attempts to send the same have the same key. */
function useWriteKey() {
  const known = useRef<{ content: string; key: string }>(undefined);
  return (...parts: readonly unknown[]): string => {
    const content = JSON.stringify(parts);
    if (known.current?.content !== content) known.current = { content, key: newUid() };
    return known.current.key;
  };
}

function Writing({
  label,
  communityId,
  postId,
  submit,
  draft,
  change,
  focused,
  send,
  saved,
  close,
  cancel,
}: BoxProps & {
  draft: CommentDraft;
  change: (draft: CommentDraft) => void;
  focused: boolean;
  /** Closes the box after the comment was sent. */
  close: () => Promise<void>;
  /** Closes the box without sending. */
  cancel: () => Promise<void>;
}) {
  const texts = useAllTexts();
  const definition = useDefinition(communityId).data;
  const uploads = useUploads(definition?.attachmentMaxSize, draft.files);
  const [faults, setFaults] = useState<Faults>(NO_FAULTS);
  const [busy, setBusy] = useState(false);
  const keyOf = useWriteKey();
  const latest = useRef(draft);
  latest.current = draft;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the stored draft changes with the uploaded files
  useEffect(() => {
    if (JSON.stringify(uploads.kept) !== JSON.stringify(latest.current.files))
      change({ ...latest.current, files: uploads.kept });
  }, [uploads.uploads]);
  const shown = (text: unknown) => <RichText delta={String(text)} />;
  const merged = useMergedForm<string>({
    name: texts.comment,
    parts: [
      {
        ...{ key: 'text', name: texts.comment, kind: 'richText', show: shown },
        read: (text) => text,
        write: (_, text) => String(text),
      },
    ],
    read: () => saved!.newest(),
    write: (text, { token }) => write(text, token),
    change: (text) => change({ ...latest.current, text }),
    send: (text) => void post(text),
  });
  const write = (text: string, token = 0) =>
    send({ text, files: uploads.references, key: keyOf(text, uploads.references) }, token);
  const post = async (text = draft.text) => {
    if (busy || (text === '' && uploads.uploads.length === 0)) return;
    if (!uploads.ready) return setFaults({ '': texts.waitForUploads });
    setBusy(true);
    try {
      if (saved === undefined) await write(text);
      else if (!(await merged.save(text, await saved.first()))) return;
      await close();
    } catch (error) {
      setFaults(faultsOf(error, texts));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      className="comment-box"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        void post();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void post();
        else if (event.key === 'Escape' && !event.defaultPrevented && draft.text === '') void cancel();
      }}
    >
      {merged.panel}
      {merged.panel === undefined && (
        <Panel fallback={<div className="editor-placeholder" data-compact="" />}>
          <RichEditor
            label={label}
            placeholder={texts.writeComment}
            value={draft.text}
            onChange={(text) => change({ ...latest.current, text })}
            people={{ of: 'people', postId }}
            hashtags={definition ? hashtagsOf(definition) : []}
            autoFocus={focused}
            compact
            onFiles={uploads.add}
          />
        </Panel>
      )}
      <UploadList uploads={uploads} most={definition?.attachmentMaxSize} />
      <Fault text={Object.values(faults)[0]} />
      <div className="buttons">
        {merged.panel === undefined && (
          <Button size="xs" type="submit" loading={busy} aria-keyshortcuts="Control+Enter">
            {submit}
          </Button>
        )}
        <Button size="xs" variant="default" onClick={() => void cancel()}>
          {texts.cancel}
        </Button>
        {merged.panel === undefined && (
          <span className="hint wide-only" aria-hidden>
            <KeyCaps name="mod+Enter" />
          </span>
        )}
      </div>
    </form>
  );
}
