/** Texts of Home. */
import { usePageTexts } from '../texts/index.ts';

export const en = {
  waiting: 'Waiting for me',
  notifications: 'Notifications',
  drafts: 'Drafts',
  recent: 'Recently read',
  waitingEmpty: 'Nothing is waiting for you.',
  notificationsEmpty:
    'No notifications. You get one when somebody mentions or answers you, assigns you a task, or changes a post that you follow.',
  draftsEmpty: 'No drafts.',
  recentEmpty: 'Posts that you read appear here.',
  reasons: { 1: 'Task', 2: 'Please confirm', 3: 'Mentioned you', 4: 'Your step' },
  kinds: {
    1: 'mentioned you',
    2: 'assigned you a task',
    3: 'replied to you',
    4: 'changed the post',
    5: 'took a step',
    7: 'published an announcement',
  },
  /** Due, and overdue. */
  taskDue: ['Your task is due soon', 'Your task is overdue'] as readonly string[],
  tookStep: (name: string, step: string) => `${name} took the step “${step}”`,
  mentionedYou: (name: string) => `${name} mentioned you`,
  acknowledge: 'I have read it',
  acknowledged: 'Confirmed.',
  reply: 'Reply',
  replyTo: (name: string) => `Reply to ${name}`,
  send: 'Send',
  remove: 'Remove from the list',
  closeTask: 'Close the task',
  markAllRead: 'Mark all as read',
  allRead: 'All notifications are marked as read.',
  removed: 'Removed from the list.',
  taskClosed: 'The task was closed.',
  replied: (name: string) => `Your reply to ${name} was sent.`,
  due: (when: string) => `due ${when}`,
  overdue: (when: string) => `overdue since ${when}`,
  scheduled: (when: string) => `will be published ${when}`,
  changedSince: 'changed since you read it',
  more: 'Show more',
  failed: 'The change failed.',
};

export const useHomeTexts = () => usePageTexts('home', en);
