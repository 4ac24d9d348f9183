import { Pencil } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Fault } from '../../write/fault.tsx';
import { useWriteTexts } from '../../write/texts.ts';
import { ConflictChoice } from './conflict.tsx';
import type { PartState } from './use-part.ts';

/**
 * A value that is edited in place: a click on it, or a button shown on hover and focus, opens the
 * input. Leaving the input saves; Escape closes it without saving.
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
  /** Content shown outside of editing. */
  view: ReactNode;
  /** Renders a saved value that was not read back yet, or the two sides of a conflict. */
  show: (value: T) => ReactNode;
  input: ReactNode;
  submitByEnter?: boolean;
  className?: string;
}) {
  const texts = useWriteTexts();
  const opener = useRef<HTMLButtonElement>(null);
  const box = useRef<HTMLDivElement>(null);
  // After a key closed the input, the focus returns to its former place.
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
          // The input stays open when the whole window loses the focus.
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
        aria-disabled={mode === 'saving'}
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
