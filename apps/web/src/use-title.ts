import { useEffect } from 'react';

/** Names the page in the title of the window. @param name left out where another page has named it, or what names it is not read yet */
export function useTitle(name: string | undefined): void {
  useEffect(() => {
    if (name !== undefined) document.title = `${name} · Portico`;
  }, [name]);
}
