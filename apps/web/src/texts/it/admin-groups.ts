/** Texts of the page `adminGroups` in Italian. */
import type { en as english } from '../../admin/groups/texts.ts';
import { italian } from '../plurals.ts';

export const adminGroups: typeof english = {
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
