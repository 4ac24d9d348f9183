import { Pencil } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Fault } from '../../write/fault.tsx';
import { useWriteTexts } from '../../write/texts.ts';
import { ConflictChoice } from './conflict.tsx';
import type { PartState } from './use-part.ts';

/**
 * Something that is edited in place: by a click on it, or by a button that shows on hover and focus.
 * Leaving it saves, Escape does not.
 */
export function InPlace<T>({
  name,
  state,
  view,
  show,
  input,
  submitByEnter = false,
  className = '',
}: {
  name: string;
  state: PartState<T>;
  /** What is shown while nobody edits. */
  view: ReactNode;
  /** A value that was saved and not yet read back, or the two sides of a conflict. */
  show: (value: T) => ReactNode;
  input: ReactNode;
  submitByEnter?: boolean;
  className?: string;
}) {
  const texts = useWriteTexts();
  const opener = useRef<HTMLButtonElement>(null);
  const box = useRef<HTMLDivElement>(null);
  // The focus returns to where it was after a key has closed the input.
  const byKey = useRef(false);
  const { mode } = state;
  useEffect(() => {
    if (!byKey.current || (mode !== 'view' && mode !== 'saving')) return;
    byKey.current = false;
    opener.current?.focus();
  }, [mode]);
  if (mode === 'conflict') return <ConflictChoice name={name} state={state} show={show} />;
  if (mode === 'edit')
    return (
      // biome-ignore lint/a11y/noStaticElementInteractions: it looks after the input within
      <div
        ref={box}
        className={`in-place-input ${className}`}
        onBlur={({ relatedTarget, currentTarget }) => {
          // The window that lost the focus keeps the input.
          if (relatedTarget === null && !document.hasFocus()) return;
          if (!currentTarget.contains(relatedTarget)) state.finish();
        }}
        onKeyDown={(event) => {
          const open = box.current?.querySelector('[aria-expanded="true"], [aria-activedescendant]') != null;
          const strong = event.ctrlKey || event.metaKey;
          if (event.key === 'Escape' && !open && !event.defaultPrevented) {
            byKey.current = true;
            state.close();
          } else if (event.key === 'Enter' && (strong || (submitByEnter && !open && !event.shiftKey))) {
            byKey.current = true;
            state.finish();
          } else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      >
        {input}
        <Fault text={state.fault} />
      </div>
    );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button within does the same
    // biome-ignore lint/a11y/useKeyWithClickEvents: the button within does the same
    <div
      className={`in-place ${className}`}
      onClick={(event) => {
        const isOther = (event.target as HTMLElement).closest('a, button, video, audio') !== null;
        if (!isOther && document.getSelection()?.isCollapsed !== false) void state.start();
      }}
    >
      {mode === 'saving' && state.value !== undefined ? show(state.value as T) : view}
      <button
        ref={opener}
        type="button"
        className="tool in-place-button"
        aria-label={texts.editOf(name)}
        title={texts.editOf(name)}
        onClick={() => {
          byKey.current = true;
          void state.start();
        }}
      >
        <Pencil size={14} aria-hidden />
      </button>
      {state.kept && (
        <p className="kept-edit" role="status">
          {texts.keptEdit}
          <button
            type="button"
            className="quiet"
            aria-label={texts.continueEditOf(name)}
            onClick={() => {
              byKey.current = true;
              void state.start();
            }}
          >
            {texts.continueEdit}
          </button>
          <button type="button" className="quiet" aria-label={texts.discardEditOf(name)} onClick={state.discard}>
            {texts.discard}
          </button>
        </p>
      )}
      {mode === 'saving' && (
        <span className="visually-hidden" role="status">
          {texts.saving}
        </span>
      )}
      <Fault text={state.fault} />
    </div>
  );
}
