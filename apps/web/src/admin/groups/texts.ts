/** Texts about groups for administrators. */
import { usePageTexts } from '../../texts/index.ts';

const en = {
  find: 'Find groups',
  noGroups: 'No group has these properties.',
  newGroup: 'New group',
  editGroup: 'Edit the group',
  members: 'Members',
  membersCount: (count: string) => (count === '1' ? '1 member' : `${count} members`),
  changeMembers: 'Change members',
  noMembers: 'The group has no members.',
  visible: 'People can mention the group',
  visibleHint: 'Otherwise only administrators see it.',
  everyRight: 'With and without rights',
  deleteGroup: 'Delete the group',
  deleteTitle: (name: string) => `Delete the group ${name}?`,
  deleteHint: (members: string) => `${members} lose the rights and roles that they hold through it.`,
  deleted: 'The group was deleted.',
  rightsLost: (rights: string) => `Rights through the group: ${rights}.`,
};

export type AdminGroupTexts = typeof en;

const it: AdminGroupTexts = {
  find: 'Cerca gruppi',
  noGroups: 'Nessun gruppo ha queste proprietà.',
  newGroup: 'Nuovo gruppo',
  editGroup: 'Modifica il gruppo',
  members: 'Membri',
  membersCount: (count) => (count === '1' ? '1 membro' : `${count} membri`),
  changeMembers: 'Cambia i membri',
  noMembers: 'Il gruppo non ha membri.',
  visible: 'Il gruppo può essere menzionato',
  visibleHint: 'Altrimenti lo vedono solo gli amministratori.',
  everyRight: 'Con e senza diritti',
  deleteGroup: 'Elimina il gruppo',
  deleteTitle: (name) => `Eliminare il gruppo ${name}?`,
  deleteHint: (members) => `${members} perdono i diritti e i ruoli che hanno tramite il gruppo.`,
  deleted: 'Il gruppo è stato eliminato.',
  rightsLost: (rights) => `Diritti tramite il gruppo: ${rights}.`,
};

export const useAdminGroupTexts = () => usePageTexts({ en, it });
