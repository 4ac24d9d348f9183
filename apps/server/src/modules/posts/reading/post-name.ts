/** Identifier of a post in a path. */
export type PostName = { readonly id: number } | { readonly clientUid: string };
