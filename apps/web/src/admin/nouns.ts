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

/** Names of kinds of objects in the language of the page. */
export function useNounTexts() {
  const nouns = usePageTexts('nouns', en);
  return {
    /** Names one object of a kind; a kind without a text keeps its name of the interface. */
    one: (kind: string) => nouns[kind]?.[0] ?? kind,
    /** @param shown the number in the language of the page */
    counted: (kind: string, count: number, shown: string) => `${shown} ${nouns[kind]?.[count === 1 ? 0 : 1] ?? kind}`,
  };
}
