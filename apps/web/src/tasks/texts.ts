/** Texts of the list of tasks. */
import { usePageTexts } from '../texts/index.ts';

export const en = {
  relations: { assigned: 'Assigned to me', created: 'Created by me', watched: 'Watched by me', any: 'All' },
  open: 'Open',
  closed: 'Closed',
  allCommunities: 'All communities',
  overdue: 'Overdue',
  today: 'Today',
  week: 'Next seven days',
  later: 'Later',
  undated: 'No due date',
  finished: 'Closed',
  empty: 'No tasks.',
  emptyHint: 'Tasks belong to posts. Open a post to add one.',
  close: (title: string) => `Close the task ${title}`,
  reopen: (title: string) => `Reopen the task ${title}`,
  wasClosed: 'The task was closed.',
  wasOpened: 'The task was reopened.',
  failed: 'The change failed.',
  review: 'in review',
  priorities: { 1: 'Low', 2: 'Normal', 3: 'High', 4: 'Urgent' },
  checklist: (done: string, all: string) => `${done} of ${all} done`,
  due: 'Due',
  anyDue: 'Due at any time',
  priority: 'Priority',
  anyPriority: 'Any priority',
  closeKey: 'Close or reopen the task',
};

export const useTaskTexts = () => usePageTexts('tasks', en);
