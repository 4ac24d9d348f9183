/** Why the caller may do something or not, as the portal explains it. */
import type { Explanation } from '@portico/sdk';
import { useQuery } from '@tanstack/react-query';
import { portal } from '../portal.ts';

/** What the caller may do with a post. */
export const useExplanations = (postId: number, enabled = true) =>
  useQuery({
    queryKey: ['capabilities', postId, 'why'],
    enabled,
    queryFn: async () => (await portal.explain.post({ postId })).items ?? [],
  });

/** The sentence without what it says in brackets: by which groups roles were given. */
export const sentenceOf = ({ sentence = '' }: Explanation): string => sentence.replaceAll(/ \([^()]*\)/g, '');
