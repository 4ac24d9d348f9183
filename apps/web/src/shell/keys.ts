/**
 * Keyboard shortcuts: components register keys with an action; the list of keys shows all of them.
 */
import { useEffect, useRef, useSyncExternalStore } from 'react';

interface Key {
  /**
   * Name in `KeyboardEvent.key`; `mod+k` means Ctrl or the command key, `g h` one key after the
   * other.
   */
  readonly key: string;
  /** The action in words, for the list of keys. */
  readonly label: string;
  /** @returns false to pass the key to the next component that registered it */
  readonly run: (event: KeyboardEvent) => unknown;
  /** Whether it takes precedence over a focused button or link. */
  readonly overrides?: boolean;
}

/** Longest time between two keys of a sequence. Milliseconds. */
const TOGETHER = 1000;

let known: readonly (readonly Key[])[] = [];
const listeners = new Set<() => void>();
let first = '';
let firstAt = 0;

function change(next: typeof known): void {
  known = next;
  for (const listener of listeners) listener();
}

/** Registers keys while the component is mounted. The component mounted last comes first. */
export function useKeys(keys: readonly Key[]): void {
  const latest = useRef(keys);
  latest.current = keys;
  const names = keys.map(({ key, label }) => `${key}\n${label}`).join('\n\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list is another set of keys
  useEffect(() => {
    const registered = latest.current.map(({ key, label, overrides = false }, index) => ({
      key,
      label,
      overrides,
      run: (event: KeyboardEvent) => latest.current[index]?.run(event) ?? true,
    }));
    change([...known, registered]);
    return () => change(known.filter((other) => other !== registered));
  }, [names]);
}

/** The keys that are registered now, each once. */
export function useRegisteredKeys(): readonly Key[] {
  const groups = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => known,
  );
  const all = groups.toReversed().flat();
  return all.filter(({ key }, index) => all.findIndex((other) => other.key === key) === index);
}

/** Whether a key belongs to an input, or to a dialog above the page. */
function isTaken(target: EventTarget | null): boolean {
  // A disabled button loses the focus, and the keys of its dialog then go to the page.
  if (document.querySelector('dialog:modal')) return true;
  if (!(target instanceof HTMLElement)) return false;
  return (
    target.isContentEditable ||
    target.matches('input:not([type=checkbox], [type=radio]), textarea, select') ||
    target.closest('dialog, [popover]') !== null
  );
}

/** @returns the name under which a key is registered */
function nameOf(event: KeyboardEvent): string {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  return event.ctrlKey || event.metaKey ? `mod+${key}` : key;
}

/** Whether the focused element handles the key itself, like buttons, links and checkboxes. */
function isOwn(name: string, target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (name === 'Enter') return target.matches('button, a, summary');
  return name === ' ' && target.matches('button, summary, input');
}

export function listenToKeys(): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.isComposing) return;
    const name = nameOf(event);
    if (isTaken(event.target) && !name.startsWith('mod+')) return;
    const pair = event.timeStamp - firstAt < TOGETHER ? `${first} ${name}` : '';
    const keys = known.toReversed().flat();
    const paired = keys.filter(({ key }) => key === pair);
    const found = paired.length > 0 ? paired : keys.filter(({ key }) => key === name);
    first = found.length > 0 ? '' : name;
    firstAt = event.timeStamp;
    const handlers = isOwn(name, event.target) ? found.filter(({ overrides }) => overrides) : found;
    if (handlers.some(({ run }) => run(event) !== false)) event.preventDefault();
  };
  window.addEventListener('keydown', onKey);
  return () => window.removeEventListener('keydown', onKey);
}

/**
 * Moves the focus between the elements marked with `data-item`.
 * @param by 1 for the next, -1 for the previous
 */
export function moveFocus(by: 1 | -1): void {
  const items = [...document.querySelectorAll<HTMLElement>('main [data-item]')];
  const at = items.findIndex((item) => item === document.activeElement || item.contains(document.activeElement));
  const last = items.length - 1;
  const start = by > 0 ? 0 : last;
  const next = items[at < 0 ? start : Math.min(last, Math.max(0, at + by))];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

/** The keys that move the focus. */
export const moveKeys = (texts: { next: string; previous: string }): readonly Key[] => [
  { key: 'j', label: texts.next, run: () => moveFocus(1) },
  { key: 'k', label: texts.previous, run: () => moveFocus(-1) },
];

/** The item that has or contains the focus. */
export function focusedItem(): HTMLElement | undefined {
  return document.activeElement?.closest<HTMLElement>('[data-item]') ?? undefined;
}
