import {
  AtSign,
  Bold,
  Code,
  Hash,
  Heading,
  Italic,
  Link,
  List,
  ListChecks,
  ListOrdered,
  Minus,
  Paperclip,
  Quote,
  SquareCode,
  Strikethrough,
} from 'lucide-react';
import type Quill from 'quill/core.js';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { webAddress } from '../../content/delta.ts';
import { useWriteTexts, type WriteTexts } from '../texts.ts';

interface Tool {
  readonly name: keyof WriteTexts & string;
  readonly icon: ReactNode;
  readonly keys?: string;
  /** The format, and the value that it has while the tool is on. */
  readonly format: readonly [name: string, value: unknown];
}

const SIZE = 15;
const TOOLS: readonly Tool[] = [
  { name: 'bold', icon: <Bold size={SIZE} />, keys: 'Ctrl B', format: ['bold', true] },
  { name: 'italic', icon: <Italic size={SIZE} />, keys: 'Ctrl I', format: ['italic', true] },
  { name: 'strike', icon: <Strikethrough size={SIZE} />, format: ['strike', true] },
  { name: 'code', icon: <Code size={SIZE} />, format: ['code', true] },
  { name: 'heading', icon: <Heading size={SIZE} />, format: ['header', 2] },
  { name: 'bulletList', icon: <List size={SIZE} />, format: ['list', 'bullet'] },
  { name: 'numberedList', icon: <ListOrdered size={SIZE} />, format: ['list', 'ordered'] },
  { name: 'checkList', icon: <ListChecks size={SIZE} />, format: ['list', 'unchecked'] },
  { name: 'quote', icon: <Quote size={SIZE} />, format: ['blockquote', true] },
  { name: 'codeBlock', icon: <SquareCode size={SIZE} />, format: ['code-block', 'plain'] },
];

/** The formats that the text has where the cursor is, and a button for each. Arrows move among the buttons. */
export function Toolbar({
  quill,
  onFiles,
  hashtags,
}: {
  quill: Quill;
  onFiles: ((files: readonly File[]) => void) | undefined;
  hashtags: boolean;
}) {
  const texts = useWriteTexts();
  const bar = useRef<HTMLDivElement>(null);
  const [formats, setFormats] = useState<Record<string, unknown>>({});
  const [address, setAddress] = useState<string>();
  const files = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const read = () => {
      const range = quill.getSelection();
      if (range) setFormats(quill.getFormat(range));
    };
    quill.on('editor-change', read);
    return () => void quill.off('editor-change', read);
  }, [quill]);
  const isOn = ([name, value]: Tool['format']) => {
    if (name === 'list' && value === 'unchecked') return ['checked', 'unchecked'].includes(String(formats[name]));
    return name === 'header' ? Boolean(formats[name]) : formats[name] === value;
  };
  const apply = ({ format }: Tool) => {
    quill.focus();
    quill.format(format[0], isOn(format) ? false : format[1], 'user');
    setFormats(quill.getFormat());
  };
  const type = (text: string) => {
    quill.focus();
    const { index, length } = quill.getSelection(true);
    const before = index === 0 ? '\n' : quill.getText(index - 1, 1);
    const lead = /\s/.test(before) ? text : ` ${text}`;
    if (length > 0) quill.deleteText(index, length, 'user');
    quill.insertText(index, lead, 'user');
    quill.setSelection(index + lead.length, 0, 'user');
  };
  const divide = () => {
    const { index } = quill.getSelection(true);
    quill.insertEmbed(index, 'divider', true, 'user');
    quill.setSelection(index + 1, 0, 'user');
  };
  const setLink = () => {
    const url = webAddress(address) ?? webAddress(`https://${address}`);
    const range = quill.getSelection(true);
    if (address === '' || url === undefined) quill.format('link', false, 'user');
    else if (range.length === 0) {
      quill.insertText(range.index, address!, { link: url }, 'user');
      quill.setSelection(range.index + address!.length, 0, 'user');
    } else quill.format('link', url, 'user');
    setAddress(undefined);
    quill.focus();
  };
  const move = (event: React.KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by === undefined) return;
    const buttons = [...bar.current!.querySelectorAll('button')];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    event.preventDefault();
    buttons.at((at + by) % buttons.length)?.focus();
  };
  if (address !== undefined)
    return (
      <div className="rich-editor-tools">
        <input
          className="field"
          aria-label={texts.linkAddress}
          placeholder="https://"
          // biome-ignore lint/a11y/noAutofocus: it takes the place of the button that was pressed
          autoFocus
          value={address}
          onChange={(event) => setAddress(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') setLink();
            else if (event.key === 'Escape') {
              setAddress(undefined);
              quill.focus();
            } else return;
            event.preventDefault();
            event.stopPropagation();
          }}
        />
        <button type="button" className="quiet" onClick={setLink}>
          {texts.setLink}
        </button>
      </div>
    );
  const button = (name: string, icon: ReactNode, run: () => void, on?: boolean, keys?: string, first = false) => (
    <button
      key={name}
      type="button"
      tabIndex={first ? 0 : -1}
      className="tool"
      aria-label={name}
      title={keys ? `${name} (${keys})` : name}
      {...(on !== undefined && { 'aria-pressed': on })}
      // The text keeps its selection.
      onMouseDown={(event) => event.preventDefault()}
      onClick={run}
    >
      {icon}
    </button>
  );
  return (
    <div ref={bar} className="rich-editor-tools" role="toolbar" aria-label={texts.formats} onKeyDown={move}>
      {TOOLS.map((tool, index) =>
        button(texts[tool.name] as string, tool.icon, () => apply(tool), isOn(tool.format), tool.keys, index === 0),
      )}
      {button(
        texts.link,
        <Link size={SIZE} />,
        () => setAddress(String(formats['link'] ?? '')),
        formats['link'] !== undefined,
      )}
      {button(texts.divider, <Minus size={SIZE} />, divide)}
      {button(texts.mention, <AtSign size={SIZE} />, () => type('@'))}
      {hashtags && button(texts.hashtag, <Hash size={SIZE} />, () => type('#'))}
      {onFiles && button(texts.attach, <Paperclip size={SIZE} />, () => files.current?.click())}
      {onFiles && (
        <input
          ref={files}
          type="file"
          multiple
          hidden
          aria-label={texts.attach}
          onChange={({ currentTarget }) => {
            onFiles([...(currentTarget.files ?? [])]);
            currentTarget.value = '';
          }}
        />
      )}
    </div>
  );
}
