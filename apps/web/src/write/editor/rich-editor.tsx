import { useContext, useEffect, useEffectEvent, useRef, useState } from 'react';
import { PicturesContext, pictureAddress } from '../../content/pictures.ts';
import { RichText } from '../../content/rich-text.tsx';
import type { Choice } from '../input-values.ts';
import type { OptionSource } from '../option-search.ts';
import { useWriteTexts } from '../texts.ts';
import './editor.css';
import { canRoundTrip, pictureSources, Quill, readDelta, writeDelta } from './formats.ts';
import { Suggest } from './suggest.tsx';
import { Toolbar } from './toolbar.tsx';

export interface RichEditorProps {
  /** Name of the text for screen readers. */
  label: string;
  /** A delta in the form of the interface. Later values are ignored: the editor holds the text. */
  value: string;
  /** @param value a delta, or an empty text */
  onChange: (value: string) => void;
  /** People to mention. */
  people: OptionSource;
  /** Hashtags of the community; absent if it has none. */
  hashtags?: readonly Choice[];
  placeholder?: string;
  autoFocus?: boolean | undefined;
  /**
   * Receives files that are pasted, dropped or chosen, except pictures if the text accepts them.
   * Without it there is no button for files.
   */
  onFiles?: (files: readonly File[]) => void;
  /**
   * Receives pictures that are pasted, dropped or chosen, and that the text shows. Without it
   * pictures are treated as files.
   */
  onPictures?: ((files: readonly File[]) => readonly NewPicture[]) | undefined;
  /** Whether the text must not stay empty. */
  required?: boolean;
  compact?: boolean;
}

/** A picture that is attached beside the text. */
export interface NewPicture {
  readonly name: string;
  /** Address of the picture in this browser. */
  readonly preview?: string;
}

/** Edits rich text. A text that the editor could not return unchanged is read-only. */
export default function RichEditor(props: RichEditorProps) {
  const { label, value, onChange, placeholder, autoFocus, onFiles, onPictures, required, compact } = props;
  const texts = useWriteTexts();
  const place = useRef<HTMLDivElement>(null);
  const [quill, setQuill] = useState<Quill>();
  const [unsupported, setUnsupported] = useState(false);
  const sources = useRef(useContext(PicturesContext));
  sources.current = useContext(PicturesContext);
  const added = useRef(new Map<string, string>());
  const changed = useEffectEvent((made: Quill) => onChange(writeDelta(made.getContents())));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is created once and then holds the text
  useEffect(() => {
    const holder = document.createElement('div');
    place.current!.append(holder);
    const made = new Quill(holder, {
      placeholder: placeholder ?? '',
      modules: {
        // Tab moves the focus on, as everywhere else; Ctrl and brackets indent lists.
        keyboard: {
          bindings: {
            tab: null,
            indent: null,
            outdent: null,
            'remove tab': null,
            'indent code-block': null,
            'outdent code-block': null,
            deeper: { key: ']', shortKey: true, handler: () => shift(made, '+1') },
            shallower: { key: '[', shortKey: true, handler: () => shift(made, '-1') },
          },
        },
        uploader: { mimetypes: [] },
      },
    });
    pictureSources.set(made.root, (name) => added.current.get(name) ?? sources.current(name));
    const delta = readDelta(value);
    if (delta) made.setContents(delta, 'silent');
    if (!delta || !canRoundTrip(made, delta)) {
      holder.remove();
      setUnsupported(true);
      return;
    }
    made.history.clear();
    made.root.setAttribute('role', 'textbox');
    made.root.setAttribute('aria-multiline', 'true');
    made.root.setAttribute('aria-label', label);
    made.root.setAttribute('dir', 'auto');
    if (required) made.root.setAttribute('aria-required', 'true');
    made.on('text-change', () => changed(made));
    // Focus after the effect has ended: an editor that is unmounted at once must not have had the
    // focus.
    const focus = setTimeout(() => {
      if (!autoFocus) return;
      made.focus();
      made.setSelection(made.getLength() - 1, 0, 'silent');
    });
    setQuill(made);
    return () => {
      clearTimeout(focus);
      setQuill(undefined);
      holder.remove();
    };
  }, []);

  if (unsupported)
    return (
      <div>
        <p className="muted">{texts.unsupportedText}</p>
        <RichText delta={value} />
      </div>
    );
  /** @param at returns the index in the text at which pictures are inserted */
  const take = (event: React.SyntheticEvent, data: DataTransfer | null, at: () => number) => {
    const files = [...(data?.files ?? [])];
    if (files.length === 0 || !onFiles || !quill) return;
    event.preventDefault();
    event.stopPropagation();
    put(files, at);
  };
  /** Inserts pictures into the text, and adds other files beside it. */
  const put = (files: readonly File[], at: () => number) => {
    if (!onFiles || !quill) return;
    const pictures = onPictures ? files.filter(isPicture) : [];
    const others = files.filter((file) => !pictures.includes(file));
    if (others.length > 0) onFiles(others);
    if (pictures.length === 0) return;
    let index = at();
    for (const { name, preview } of onPictures!(pictures)) {
      if (preview !== undefined) added.current.set(name, preview);
      quill.insertEmbed(index++, 'image', pictureAddress(name), 'user');
    }
    quill.setSelection(index, 0, 'user');
  };
  return (
    <div
      className="rich-editor"
      data-compact={compact ? '' : undefined}
      onPasteCapture={(event) => {
        // Text copied from a document may come with a picture of the text.
        if (event.clipboardData.getData('text/plain') !== '') return;
        take(event, event.clipboardData, () => quill!.getSelection(true).index);
      }}
      onDropCapture={(event) => take(event, event.dataTransfer, () => indexAt(quill!, event))}
    >
      <div ref={place} className="rich-editor-text" />
      {quill && (
        <Toolbar
          quill={quill}
          onFiles={onFiles && ((files) => put(files, () => quill.getSelection(true).index))}
          hashtags={(props.hashtags?.length ?? 0) > 0}
        />
      )}
      {quill && <Suggest quill={quill} people={props.people} hashtags={props.hashtags ?? []} />}
    </div>
  );
}

/** SVG is excluded: it may contain scripts. */
const isPicture = ({ type }: File): boolean => type.startsWith('image/') && !type.includes('svg');

/**
 * @returns the index of the text below the pointer; the cursor's index if the pointer is beside the
 *   text
 */
function indexAt(quill: Quill, { clientX, clientY }: { clientX: number; clientY: number }): number {
  const range = document.caretRangeFromPoint?.(clientX, clientY);
  const blot = range && quill.root.contains(range.startContainer) ? Quill.find(range.startContainer, true) : null;
  if (!blot || blot instanceof Quill) return quill.getSelection(true).index;
  return quill.getIndex(blot) + Math.min(range!.startOffset, blot.length());
}

/** Indents or outdents a line of a list; other lines stay. */
function shift(quill: Quill, by: '+1' | '-1'): boolean {
  if (quill.getFormat()['list']) quill.format('indent', by, 'user');
  return false;
}
