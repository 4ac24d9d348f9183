import { useQuery } from '@tanstack/react-query';
import { portal } from '../portal.ts';

/** Files of the post itself, without the files of its comments and tasks. */
export const useAttachments = (postId: number) =>
  useQuery({
    queryKey: ['attachments', postId],
    queryFn: () => portal.attachments.list({ postId, pageSize: 200, loadPreviewImageLink: true }),
    // Links to files are valid for a quarter of an hour.
    refetchInterval: 600_000,
  });
