/** Writes on tasks, as `walk-writes.ts` makes them: with `dryRun=true`. */
import type { Json } from './client.ts';
import type { Walk } from './walk.ts';
import type { Found } from './walk-reads.ts';

/** When tasks and scheduled posts of the walk are due. */
export const EXPIRATION = { datetime: '2031-05-02T09:00:00', timezone: 'Europe/Rome' };

/** Creates a task; edits, closes, deletes and restores existing ones. */
export async function walkTasks(walk: Walk, found: Found): Promise<void> {
  const post = [...found.posts.values()]
    .flat()
    .find(({ capabilities, tasksCount }) => capabilities?.canCreateTask && tasksCount > 0) as Json;
  const hashtag = (found.definitions[post.communityId]?.hashtags as Json[] | undefined)?.find(
    ({ deleted }) => !deleted,
  );
  const mention = { id: found.me.id as number, value: found.me.lastName as string };
  const body = {
    title: 'Acceptance',
    descriptionDelta: JSON.stringify([{ insert: { mention } }, { insert: ` #${hashtag?.name}\n` }]),
    expiration: EXPIRATION,
    priority: 2,
    subTasks: [{ description: 'One step', state: 1 }],
    assigneeUserId: found.me.id,
  };
  await walk.write('createTask', { params: { postId: post.id }, body: { ...body, watcherUserIds: [found.me.id] } });
  let edits = 0;
  for (const taskId of found.taskIds) {
    const task = await walk.call('getTaskDetailById', { params: { taskId } });
    if (task.status !== 200 || !task.body?.capabilities?.canModify) continue;
    const assignee = task.body.assigneeGroup
      ? { assigneeGroupId: task.body.assigneeGroup.id, assigneeUserId: undefined }
      : {};
    await walk.write('editTask', { params: { taskId, occToken: task.body.occToken }, body: { ...body, ...assignee } });
    await walk.write('setTaskState', { params: { taskId }, body: { state: 2 } });
    await walk.write('reassignTasks', { params: {}, body: { taskIds: [taskId], assigneeUserId: found.me.id } });
    await walk.write('editTaskReminders', { params: { taskId }, body: { reminders: [{ value: 1, range: 3 }] } });
    await walk.write('deleteTask', { params: { taskId } });
    await walk.write('restoreTask', { params: { taskId } });
    if (++edits === 30) break;
  }
}
