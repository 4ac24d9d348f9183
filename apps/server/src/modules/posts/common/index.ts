/** Shared by the features of a post: finding and locking the post, texts with mentions and hashtags. */

export { loadUserViews as usersOf } from '../../people/index.ts';
export { MAX_CLIENT_UID_LENGTH, readClientUid } from './client-uid.ts';
export { definitionOf } from './definition-of.ts';
export { peopleBehind } from './people.ts';
export { lockPost, type PostRow, requirePost, touchPost } from './post-row.ts';
export { type ExistingPrincipals, findHashtags, findPrincipals, findUsers } from './references.ts';
export { readText } from './text-input.ts';
