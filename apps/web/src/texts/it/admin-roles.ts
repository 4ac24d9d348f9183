/** Texts of the page `adminRoles` in Italian. */
import type { en as english } from '../../admin/roles/texts.ts';
import { italian } from '../plurals.ts';

export const adminRoles: typeof english = {
  matrix: 'Permessi per ruolo',
  permission: 'Permesso',
  permissions: {
    readPublicPosts: 'Leggere i post pubblici',
    readAllPosts: 'Leggere anche i post privati',
    createPosts: 'Scrivere post',
    comment: 'Commentare',
    createTasks: 'Creare attività',
    editPosts: 'Modificare i post altrui',
    moderateComments: 'Moderare i commenti',
    manageTasks: 'Gestire le attività altrui',
    pinPosts: 'Fissare i post in alto',
    announcePosts: 'Fare annunci',
    shareViews: 'Condividere viste',
    manageCommunity: 'Gestire la comunità',
  },
  has: 'sì',
  hasNot: 'no',
  builtIn: 'predefinito',
  holders: 'Titolari',
  holdersOf: (role) => `Persone con il ruolo ${role}`,
  groups: 'Gruppi',
  groupsOf: (role) => `Gruppi con il ruolo ${role}`,
  newRole: 'Nuovo ruolo',
  editRole: (role) => `Modifica il ruolo ${role}`,
  deleteRole: (role) => `Elimina il ruolo ${role}`,
  implied: 'implicito',
  effect: (count) => italian(count, { one: '1 persona ha il ruolo.', other: `${count} persone hanno il ruolo.` }),
  deleteTitle: (role) => `Eliminare il ruolo ${role}?`,
  deleted: 'Il ruolo è stato eliminato.',
};
