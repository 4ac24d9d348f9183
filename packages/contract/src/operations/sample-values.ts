/** Values that several examples share. */
import { Visibility } from '../codes/codes.ts';
import type { CommunityFile } from '../types/index.ts';

export const sampleTime = Date.UTC(2026, 0, 1);
export const sampleDelta = JSON.stringify([{ insert: 'Agenda and papers are attached.\n' }]);
export const sampleCreation = Date.UTC(2026, 0, 5, 9);
export const sampleChange = Date.UTC(2026, 0, 6, 15, 30);
export const sampleUser = {
  id: 17,
  firstName: 'Ada',
  lastName: 'Rossi',
  caption: 'Controller',
  deleted: false,
  blocked: false,
};
export const sampleState = {
  id: 51,
  name: 'In discussion',
  initState: true,
  terminal: false,
  deleted: false,
  metadata: { color: '#12fea4' },
};
export const samplePost = {
  id: 1201,
  communityId: 5,
  customId: '42',
  title: 'Budget 2027',
  descriptionPlainText: 'First draft for discussion.',
  descriptionDelta: '[{"insert":"First draft for discussion.\\n"}]',
  visibility: Visibility.PUBLIC,
  announcement: false,
  currentWorkflowState: sampleState,
  customData: {
    4104: Date.UTC(2026, 11, 1),
    4107: [{ id: 71, catalogId: 7, label: 'Finance', deleted: false }],
    4110: true,
    4115: [sampleUser],
  },
  creatorUser: sampleUser,
  creationTimestamp: sampleCreation,
  lastModifyUser: sampleUser,
  lastModifyTimestamp: sampleChange,
  lastOperationTimestamp: sampleChange,
  attachmentsCount: 1,
  imageAttachmentsCount: 0,
  videoAttachmentsCount: 0,
  commentsCount: 3,
  viewsCount: 28,
  viewedByUsersCount: 11,
  showLikeSection: true,
  likesCount: 2,
  likedByMe: false,
  followedByMe: true,
  tasksCount: 1,
  totalStandardTasksCount: 1,
};
export const samplePageToken = 'eyJrIjpbMTc2N10sImgiOiI5ZjIifQ.c2ln';
export const sampleFile: CommunityFile = {
  version: 1,
  workspace: { key: 'ops', name: 'Operations' },
  community: { key: 'buy', name: 'Purchasing' },
};
