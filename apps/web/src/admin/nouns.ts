/** Kinds of objects in words, for effects of dry runs and for the audit log. */
import { usePageTexts } from '../texts/index.ts';

/** Each kind of object: one of it, and several. */
type Nouns = Readonly<Record<string, readonly [one: string, several: string]>>;

export const en: Nouns = {
  area: ['area', 'areas'],
  attachment: ['attachment', 'attachments'],
  auditLog: ['audit log', 'audit logs'],
  businessUnit: ['business unit', 'business units'],
  calendarFeed: ['calendar feed', 'calendar feeds'],
  catalog: ['catalog', 'catalogs'],
  catalogEntry: ['catalog entry', 'catalog entries'],
  comment: ['comment', 'comments'],
  community: ['community', 'communities'],
  communityVisit: ['visit of a community', 'visits of communities'],
  favouriteCommunity: ['favourite', 'favourites'],
  following: ['followed object', 'followed objects'],
  group: ['group', 'groups'],
  identityProvider: ['identity provider', 'identity providers'],
  import: ['import', 'imports'],
  notification: ['notification', 'notifications'],
  notificationPreference: ['notification setting', 'notification settings'],
  post: ['post', 'posts'],
  postTemplate: ['post template', 'post templates'],
  role: ['role', 'roles'],
  savedView: ['saved view', 'saved views'],
  task: ['task', 'tasks'],
  tenant: ['settings of the portal', 'settings of the portal'],
  user: ['account', 'accounts'],
  waitingMark: ['mark', 'marks'],
  webhook: ['webhook', 'webhooks'],
  workspace: ['workspace', 'workspaces'],
  file: ['file', 'files'],
};

const it: Nouns = {
  area: ['area', 'aree'],
  attachment: ['allegato', 'allegati'],
  auditLog: ['registro delle attività', 'registri delle attività'],
  businessUnit: ['unità organizzativa', 'unità organizzative'],
  calendarFeed: ['calendario in abbonamento', 'calendari in abbonamento'],
  catalog: ['catalogo', 'cataloghi'],
  catalogEntry: ['voce di catalogo', 'voci di catalogo'],
  comment: ['commento', 'commenti'],
  community: ['comunità', 'comunità'],
  communityVisit: ['visita a una comunità', 'visite a comunità'],
  favouriteCommunity: ['preferito', 'preferiti'],
  following: ['oggetto seguito', 'oggetti seguiti'],
  group: ['gruppo', 'gruppi'],
  identityProvider: ['provider di identità', 'provider di identità'],
  import: ['importazione', 'importazioni'],
  notification: ['notifica', 'notifiche'],
  notificationPreference: ['impostazione di notifica', 'impostazioni di notifica'],
  post: ['post', 'post'],
  postTemplate: ['modello di post', 'modelli di post'],
  role: ['ruolo', 'ruoli'],
  savedView: ['vista salvata', 'viste salvate'],
  task: ['attività', 'attività'],
  tenant: ['impostazioni del portale', 'impostazioni del portale'],
  user: ['account', 'account'],
  waitingMark: ['segno', 'segni'],
  webhook: ['webhook', 'webhook'],
  workspace: ['area di lavoro', 'aree di lavoro'],
  file: ['file', 'file'],
};

/** Names of kinds of objects in the language of the page. */
export function useNounTexts() {
  const nouns = usePageTexts('nouns', { en, it });
  return {
    /** Names one object of a kind; a kind without a text keeps its name of the interface. */
    one: (kind: string) => nouns[kind]?.[0] ?? kind,
    /** @param shown the number in the language of the page */
    counted: (kind: string, count: number, shown: string) => `${shown} ${nouns[kind]?.[count === 1 ? 0 : 1] ?? kind}`,
  };
}
