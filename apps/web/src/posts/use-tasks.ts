import { useQuery } from '@tanstack/react-query';
import { portal } from '../portal.ts';

export const tasksKey = (postId: number) => ['tasks', 'post', postId];

/** The tasks of a post. */
export const useTasks = (postId: number, enabled = true) =>
  useQuery({
    queryKey: tasksKey(postId),
    queryFn: async () => (await portal.tasks.list({ postId, pageSize: 200 })).items ?? [],
    enabled,
  });
