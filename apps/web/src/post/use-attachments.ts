import { useQuery } from '@tanstack/react-query';
import { portal } from '../portal.ts';

/** Files of a post itself, not those of its comments and tasks. */
export const useAttachments = (postId: number) =>
  useQuery({
    queryKey: ['attachments', postId],
    queryFn: () => portal.attachments.list({ postId, pageSize: 200 }),
    // Links to files are good for a quarter of an hour.
    refetchInterval: 600_000,
  });
