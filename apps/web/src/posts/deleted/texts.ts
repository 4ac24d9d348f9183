/** Texts of the page of deleted posts. */
import { usePageTexts } from '../../texts/index.ts';

export const en = {
  title: 'Deleted posts',
  titleOf: (community: string) => `Deleted posts of ${community}`,
  lead: 'You can restore posts that you wrote and deleted, and all posts of communities that you manage. Posts are removed for good 30 days after deletion.',
  community: 'Community',
  everywhere: 'Deleted posts of all communities',
  none: 'No posts to restore.',
  by: (name: string) => `deleted by ${name}`,
  restore: 'Restore',
  restorePost: (title: string) => `Restore ${title}`,
  restored: (title: string) => `“${title}” was restored.`,
  open: 'Open',
  gone: 'The post could not be restored. The list was reloaded.',
  more: 'Show more',
};

export const useDeletedTexts = () => usePageTexts('deleted', en);
