/** Places of the page of a post that an address names: results of the search open with the match in sight. */
import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

/** Returns the place that the address names, such as `comment-12`; empty if it names none. */
const useWantedAnchor = (): string => useLocation({ select: ({ hash }) => hash });

/** Returns the id of the object of a kind that the address names. */
export function useWantedId(kind: 'comment' | 'task'): number | undefined {
  const [, found, id] = /^(\w+)-(\d+)$/.exec(useWantedAnchor()) ?? [];
  return found === kind ? Number(id) : undefined;
}

/**
 * Returns the properties of an element that an address can name; the named one is scrolled to.
 * @param ready whether its content is loaded
 */
export function useAnchor<E extends HTMLElement>(id: string, ready = true) {
  const wanted = useWantedAnchor() === id;
  const ref = useRef<E>(null);
  useEffect(() => {
    if (wanted && ready) ref.current?.scrollIntoView({ block: 'center' });
  }, [wanted, ready]);
  return { id, ref, ...(wanted && { 'data-wanted': '' }) };
}
