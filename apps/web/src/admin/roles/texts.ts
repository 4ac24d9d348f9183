/** Texts about roles and their permissions. */
import { usePageTexts } from '../../texts/index.ts';
import { type Count, english, italian } from '../../texts/plurals.ts';

export const en = {
  matrix: 'Permissions by role',
  permission: 'Permission',
  permissions: {
    readPublicPosts: 'Read public posts',
    readAllPosts: 'Read private posts, too',
    createPosts: 'Write posts',
    comment: 'Comment',
    createTasks: 'Create tasks',
    editPosts: 'Edit posts of others',
    moderateComments: 'Moderate comments',
    manageTasks: 'Manage tasks of others',
    pinPosts: 'Pin posts',
    announcePosts: 'Announce posts',
    shareViews: 'Share views',
    manageCommunity: 'Manage the community',
  },
  has: 'yes',
  hasNot: 'no',
  builtIn: 'built in',
  holders: 'Holders',
  holdersOf: (role: string) => `People with the role ${role}`,
  newRole: 'New role',
  editRole: (role: string) => `Edit the role ${role}`,
  deleteRole: (role: string) => `Delete the role ${role}`,
  implied: 'implied',
  effect: (count: Count) =>
    english(count, { one: '1 person holds the role.', other: `${count} people hold the role.` }),
  deleteTitle: (role: string) => `Delete the role ${role}?`,
  deleted: 'The role was deleted.',
};

const it: typeof en = {
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
  newRole: 'Nuovo ruolo',
  editRole: (role) => `Modifica il ruolo ${role}`,
  deleteRole: (role) => `Elimina il ruolo ${role}`,
  implied: 'implicito',
  effect: (count) => italian(count, { one: '1 persona ha il ruolo.', other: `${count} persone hanno il ruolo.` }),
  deleteTitle: (role) => `Eliminare il ruolo ${role}?`,
  deleted: 'Il ruolo è stato eliminato.',
};

export const useRolesTexts = () => usePageTexts('adminRoles', { en, it });
