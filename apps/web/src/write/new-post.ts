/** Opens the panel for a new post from anywhere. */
let opened: { readonly communityId: number | undefined; readonly copyOf?: number } | undefined;
const listeners = new Set<() => void>();

function set(next: typeof opened): void {
  opened = next;
  for (const listener of listeners) listener();
}

/**
 * @param communityId where the post goes at first; the community of the page where it is left out
 * @param copyOf the post whose content the form begins with
 */
export const openNewPost = (communityId?: number, copyOf?: number): void =>
  set({ communityId, ...(copyOf !== undefined && { copyOf }) });
export const closeNewPost = (): void => set(undefined);
export const newPostState = (): typeof opened => opened;

export function subscribeNewPost(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
