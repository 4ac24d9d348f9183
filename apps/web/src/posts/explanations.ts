/** Explanations of the caller's rights, as the portal gives them. */
import { useQuery } from '@tanstack/react-query';
import { portal } from '../portal.ts';

/** The caller's rights for a post, with reasons. */
export const useExplanations = (postId: number, enabled = true) =>
  useQuery({
    queryKey: ['capabilities', postId, 'why'],
    enabled,
    queryFn: async () => (await portal.explain.post({ postId })).items ?? [],
  });
