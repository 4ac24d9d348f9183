/** Texts about groups for administrators. */
import { usePageTexts } from '../../texts/index.ts';
import { type Count, english, italian } from '../../texts/plurals.ts';

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

const it: typeof en = {
  find: 'Cerca gruppi',
  noGroups: 'Nessun gruppo ha queste proprietà.',
  newGroup: 'Nuovo gruppo',
  editGroup: 'Modifica il gruppo',
  members: 'Membri',
  membersCount: (count) => italian(count, { one: '1 membro', other: `${count} membri` }),
  changeMembers: 'Cambia i membri',
  noMembers: 'Il gruppo non ha membri.',
  visible: 'Il gruppo può essere menzionato',
  visibleHint: 'Altrimenti lo vedono solo gli amministratori.',
  everyRight: 'Con e senza diritti',
  deleteGroup: 'Elimina il gruppo',
  deleteTitle: (name) => `Eliminare il gruppo ${name}?`,
  deleteHint: (members) => `Diritti e ruoli tramite il gruppo terminano per ${members}.`,
  deleted: 'Il gruppo è stato eliminato.',
  rightsLost: (rights) => `Diritti tramite il gruppo: ${rights}.`,
};

export const useAdminGroupTexts = () => usePageTexts('adminGroups', { en, it });
