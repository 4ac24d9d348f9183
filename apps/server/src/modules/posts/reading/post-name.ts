/** How a post is named in a path. */
export type PostName = { readonly id: number } | { readonly clientUid: string };
