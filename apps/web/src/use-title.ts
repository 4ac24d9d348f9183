import { useEffect } from 'react';

/** Name of the portal, which the server writes into the page. */
const PORTAL = document.title;

/**
 * Names the page in the title of the window.
 * @param name empty for a page without a name; left out where another page has named it, or what names it is not read yet
 */
export function useTitle(name: string | undefined): void {
  useEffect(() => {
    if (name !== undefined) document.title = name === '' ? PORTAL : `${name} · ${PORTAL}`;
  }, [name]);
}
