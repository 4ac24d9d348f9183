/** Opens the panel for a new post from anywhere. */
let opened: { readonly communityId: number | undefined } | undefined;
const listeners = new Set<() => void>();

function set(next: typeof opened): void {
  opened = next;
  for (const listener of listeners) listener();
}

/** @param communityId where the post goes at first; the community of the page where it is left out */
export const openNewPost = (communityId?: number): void => set({ communityId });
export const closeNewPost = (): void => set(undefined);
export const newPostState = (): typeof opened => opened;

export function subscribeNewPost(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
