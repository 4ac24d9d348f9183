/** Facts about a post that several rules use. */
import { fact } from '../../../kernel/access/index.ts';

interface AboutPost {
  readonly actor: { readonly userId: number };
  readonly post: { readonly draft: boolean; readonly deleted: boolean; readonly creatorId: number };
}

export const isThere = fact<AboutPost>(({ post }) => !post.deleted, {
  kind: 'DELETED',
  yes: () => 'the post is there',
  no: () => 'the post is deleted',
});

export const isPublished = fact<AboutPost>(({ post }) => !post.draft, {
  kind: 'DRAFT',
  yes: () => 'the post is published',
  no: () => 'the post is a draft',
});

export const wrotePost = fact<AboutPost>(({ actor, post }) => post.creatorId === actor.userId, {
  kind: 'AUTHOR',
  yes: ({ who }) => `${who} wrote the post`,
  no: ({ who }) => `${who} did not write the post`,
});
