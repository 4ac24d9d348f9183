/** Texts about groups for administrators. */
import { usePageTexts } from '../../texts/index.ts';
import { type Count, english } from '../../texts/plurals.ts';

export const en = {
  find: 'Find groups',
  noGroups: 'No group has these properties.',
  newGroup: 'New group',
  editGroup: 'Edit the group',
  members: 'Members',
  membersCount: (count: Count) => english(count, { one: '1 member', other: `${count} members` }),
  changeMembers: 'Change members',
  noMembers: 'The group has no members.',
  visible: 'People can mention the group',
  visibleHint: 'Otherwise only administrators see it.',
  everyRight: 'With and without rights',
  deleteGroup: 'Delete the group',
  deleteTitle: (name: string) => `Delete the group ${name}?`,
  deleteHint: (members: string) => `Rights and roles through the group end for ${members}.`,
  deleted: 'The group was deleted.',
  rightsLost: (rights: string) => `Rights through the group: ${rights}.`,
};

export const useAdminGroupTexts = () => usePageTexts('adminGroups', en);
