/**
 * The place of the reader: on a page that was opened, its heading; on a page that was returned to,
 * the row that had the focus, with its list where it was.
 */
import { type RouterHistory, useRouter, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

interface Place {
  /** Name of the row. */
  item?: string | undefined;
  /** How far the list, or else the page, is scrolled. Pixels. */
  top: number;
}

/** Time in which a page has its content; the heading takes the focus of a row that is gone. Milliseconds. */
const PATIENCE = 2_000;
/** Elements that scroll. */
const SCROLLERS = '.rows, #content';

/** Places by entry of the history. */
const places = new Map<string, Place>();
let wanted: { readonly key: string; readonly place: Place } | undefined;

const keyOf = ({ href, state }: RouterHistory['location']): string => `${state.__TSR_index} ${href}`;

/** How far a list was scrolled when the reader left it; 0 for one that was not returned to. Pixels. */
export const topOfList = ({ location }: RouterHistory): number =>
  wanted?.key === keyOf(location) ? wanted.place.top : 0;

function note(history: RouterHistory, change: Partial<Place>): void {
  const key = keyOf(history.location);
  if (wanted?.key === key) return;
  places.set(key, { top: 0, ...places.get(key), ...change });
}

/** Follows the places of the reader, and gives the focus to them. */
export function usePlace(): void {
  const { history } = useRouter();
  useEffect(() => {
    const content = document.getElementById('content')!;
    const onFocus = ({ target }: FocusEvent) => {
      const item = (target as HTMLElement).closest<HTMLElement>('[data-item]')?.dataset['item'];
      if (item !== undefined) note(history, { item });
    };
    const onScroll = ({ target }: Event) => {
      if (target instanceof HTMLElement && target.matches(SCROLLERS)) note(history, { top: target.scrollTop });
    };
    content.addEventListener('focusin', onFocus);
    content.addEventListener('scroll', onScroll, { capture: true, passive: true });
    const stop = history.subscribe(({ location, action: { type } }) => {
      if (type === 'REPLACE') return;
      const key = keyOf(location);
      const place = places.get(key);
      places.delete(key);
      wanted = type !== 'PUSH' && place ? { key, place } : undefined;
    });
    return () => {
      content.removeEventListener('focusin', onFocus);
      content.removeEventListener('scroll', onScroll, { capture: true });
      stop();
    };
  }, [history]);
  const pathname = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const before = useRef<string>(undefined);
  useEffect(() => {
    const opened = before.current !== undefined && before.current !== pathname;
    before.current = pathname;
    return opened ? followContent(document.getElementById('content')!) : undefined;
  }, [pathname]);
}

/**
 * Gives the focus to the wanted row or the heading as soon as it is in the page, and again where it
 * is replaced, until the reader does something.
 * @returns ends it
 */
function followContent(content: HTMLElement): () => void {
  let patient = true;
  const look = () => {
    const active = document.activeElement;
    const free =
      active === document.body || active === content || active?.tagName === 'H1' || !content.contains(active);
    if (!free || document.querySelector('dialog:modal')) return;
    const item = wanted?.place.item;
    const row = item === undefined ? null : content.querySelector<HTMLElement>(`[data-item="${CSS.escape(item)}"]`);
    if (row) {
      const { top } = wanted!.place;
      const list = row.closest('.rows') ?? content;
      list.scrollTop = top;
      row.focus({ preventScroll: true });
      row.scrollIntoView({ block: 'nearest' });
      return;
    }
    const heading = content.querySelector('h1');
    if (!heading || active === heading || (item !== undefined && patient)) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(look);
  observer.observe(content, { childList: true, subtree: true });
  const timer = setTimeout(() => {
    patient = false;
    look();
    end();
  }, PATIENCE);
  const end = () => {
    observer.disconnect();
    clearTimeout(timer);
    for (const act of ['keydown', 'pointerdown']) removeEventListener(act, end, { capture: true });
    wanted = undefined;
  };
  for (const act of ['keydown', 'pointerdown']) addEventListener(act, end, { capture: true });
  look();
  return end;
}
