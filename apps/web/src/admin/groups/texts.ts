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
  role: 'Role',
  everyRole: 'Every role',
  everyRight: 'With and without rights',
  deleteGroup: 'Delete the group',
  deleteTitle: (name: string) => `Delete the group ${name}?`,
  deleteHint: (members: string) => `Rights and roles through the group end for ${members}.`,
  deleted: 'The group was deleted.',
  rightsLost: (rights: string) => `Rights through the group: ${rights}.`,
  access: 'Access by the group',
  noAccess: 'The group has no role and no membership, and no workflow names it.',
  everywhere: 'Every community',
  inWorkspace: (workspace: string) => `Workspace ${workspace}`,
  membership: 'Member',
  communities: 'Communities where the group has roles',
  community: 'Community',
  workflows: 'Workflows that name the group',
  state: 'State',
  may: 'Members may',
  editScreen: 'edit the screen of the state',
  runTransition: (transition: string) => `run “${transition}”`,
  onlyFirst: (count: string) => `The first ${count} of each kind are shown.`,
};

export const useAdminGroupTexts = () => usePageTexts('adminGroups', en);
