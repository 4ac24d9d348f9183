import { useDebouncedValue } from '@mantine/hooks';
import type Quill from 'quill/core.js';
import { useEffect, useEffectEvent, useId, useState } from 'react';
import type { Choice } from '../input-values.ts';
import { type OptionSource, useOptionSearch } from '../option-search.ts';
import { useWriteTexts } from '../texts.ts';

/** The mark before the cursor and the text typed after it. */
interface SuggestQuery {
  readonly mark: '@' | '#';
  readonly text: string;
  /** Position of the mark. */
  readonly from: number;
}

/** Names contain spaces; a hashtag ends at a space. */
const TRIGGER = /(?:^|[\s(])(@(?:[\p{L}\p{N}.'’_-]+ ?){0,3}|#[\p{L}\p{N}_-]*)$/u;

/**
 * Suggests people after `@` and hashtags after `#`, below the cursor. Arrows select, Enter and Tab
 * accept, Escape closes.
 */
export function Suggest({
  quill,
  people,
  hashtags,
}: {
  quill: Quill;
  people: OptionSource;
  hashtags: readonly Choice[];
}) {
  const texts = useWriteTexts();
  const id = useId();
  const [query, setQuery] = useState<SuggestQuery>();
  const [closed, setClosed] = useState<number>();
  const [at, setAt] = useState(0);
  const [sought] = useDebouncedValue(query?.text ?? '', 120);
  const found = useOptionSearch(people, sought, query?.mark === '@');
  const wanted = query?.text.toLowerCase() ?? '';
  let matching: readonly Choice[] = [];
  if (query !== undefined && query.from !== closed) {
    matching =
      query.mark === '@' ? (found.data ?? []) : hashtags.filter(({ label }) => label.toLowerCase().includes(wanted));
  }
  const offered = matching.slice(0, 8);
  const chosen = offered[Math.min(at, offered.length - 1)];

  const take = (choice: Choice) => {
    if (!query) return;
    const { mark, from, text } = query;
    quill.deleteText(from, text.length + 1, 'user');
    const name = mark === '@' ? 'mention' : 'hashtag';
    quill.insertEmbed(from, name, { id: choice.id, value: choice.label, denotationChar: mark }, 'user');
    quill.insertText(from + 1, ' ', 'user');
    quill.setSelection(from + 2, 0, 'user');
    setQuery(undefined);
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (chosen === undefined || event.isComposing || event.ctrlKey || event.metaKey) return;
    if (event.key === 'ArrowDown') setAt((Math.min(at, offered.length - 1) + 1) % offered.length);
    else if (event.key === 'ArrowUp') setAt((at - 1 + offered.length) % offered.length);
    else if (event.key === 'Enter' || event.key === 'Tab') take(chosen);
    else if (event.key === 'Escape') setClosed(query?.from);
    else return;
    event.preventDefault();
    event.stopImmediatePropagation();
  });
  useEffect(() => {
    const read = () => {
      const range = quill.getSelection();
      const next = range?.length === 0 ? queryAt(quill, range.index) : undefined;
      setQuery((before) => (before?.from === next?.from && before?.text === next?.text ? before : next));
      if (next === undefined) setClosed(undefined);
      else setAt(0);
    };
    const key = (event: KeyboardEvent) => onKey(event);
    quill.on('editor-change', read);
    quill.root.addEventListener('keydown', key, true);
    return () => {
      quill.off('editor-change', read);
      quill.root.removeEventListener('keydown', key, true);
    };
  }, [quill]);
  const shown = chosen !== undefined;
  const chosenId = shown ? `${id}-${chosen.id}` : undefined;
  useEffect(() => {
    const attributes = { 'aria-controls': shown ? id : undefined, 'aria-activedescendant': chosenId };
    for (const [name, value] of Object.entries(attributes))
      if (value === undefined) quill.root.removeAttribute(name);
      else quill.root.setAttribute(name, value);
  }, [quill, shown, id, chosenId]);
  if (!shown || query === undefined) return null;
  const { left, bottom } = quill.getBounds(query.from) ?? { left: 0, bottom: 0 };
  const width = quill.container.clientWidth;
  return (
    <div
      id={id}
      role="listbox"
      aria-label={texts.suggestions}
      className="suggest"
      style={{ left: Math.max(0, Math.min(left, width - 240)), top: bottom + 4 }}
    >
      {offered.map((choice) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the text handles the keys
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the text, which names the selected item
        <div
          key={choice.id}
          id={`${id}-${choice.id}`}
          role="option"
          aria-selected={choice === chosen}
          className="option"
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => take(choice)}
        >
          <bdi>{query.mark === '#' ? `#${choice.label}` : choice.label}</bdi>
        </div>
      ))}
    </div>
  );
}

function queryAt(quill: Quill, index: number): SuggestQuery | undefined {
  const [line, offset] = quill.getLine(index);
  if (!line) return undefined;
  const start = index - offset;
  // Embeds have no text but take one position.
  const text = quill
    .getContents(start, offset)
    .ops.map(({ insert }) => (typeof insert === 'string' ? insert : '\ufffc'))
    .join('');
  const [, match] = TRIGGER.exec(text) ?? [];
  if (match === undefined) return undefined;
  return { mark: match[0] as '@' | '#', text: match.slice(1), from: index - match.length };
}
