/** Why the caller may do something or not, as the portal explains it. */
import { useQuery } from '@tanstack/react-query';
import { portal } from '../portal.ts';

/** What the caller may do with a post. */
export const useExplanations = (postId: number, enabled = true) =>
  useQuery({
    queryKey: ['capabilities', postId, 'why'],
    enabled,
    queryFn: async () => (await portal.explain.post({ postId })).items ?? [],
  });
