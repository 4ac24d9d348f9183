/**
 * Languages with a file of their own, which holds the texts of all pages and is loaded when
 * somebody prefers the language.
 */
import type { Texts } from './en.ts';

/** Pages, and parts of pages, with texts of their own. */
export type PageName =
  | 'account'
  | 'admin'
  | 'adminAudit'
  | 'adminBranding'
  | 'adminCommunities'
  | 'adminGroups'
  | 'adminHealth'
  | 'adminMails'
  | 'adminProviders'
  | 'adminRoles'
  | 'adminServiceAccounts'
  | 'adminSettings'
  | 'adminUsers'
  | 'builder'
  | 'imports'
  | 'builtInRoles'
  | 'adminWebhooks'
  | 'bulk'
  | 'deleted'
  | 'explanations'
  | 'fieldErrors'
  | 'figures'
  | 'home'
  | 'legal'
  | 'list'
  | 'listMenu'
  | 'merge'
  | 'move'
  | 'postKeys'
  | 'nouns'
  | 'palette'
  | 'people'
  | 'search'
  | 'tasks'
  | 'versions'
  | 'write';

export interface LanguageFile {
  readonly texts: Texts;
  readonly pages: Readonly<Record<PageName, unknown>>;
}

const offered = new Map<string, () => Promise<LanguageFile>>();
const loaded = new Map<string, LanguageFile>();

/** Makes a language known. @param code such as `de` */
export function offerLanguage(code: string, load: () => Promise<LanguageFile>): void {
  offered.set(code, load);
}

/** Whether a language has a file that could be loaded. */
export const isOffered = (code: string): boolean => offered.has(code);

export const loadedFile = (code: string): LanguageFile | undefined => loaded.get(code);

/** Loads a file. A language whose file cannot be loaded is no longer offered until the page is loaded again. */
export async function loadFile(code: string): Promise<void> {
  try {
    loaded.set(code, await offered.get(code)!());
  } catch {
    offered.delete(code);
  }
}
