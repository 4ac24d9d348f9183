/** The screens of the administration, in the order of its navigation. */
import type { Right } from '../shared-queries.ts';
import type { AdminTexts } from './texts.ts';

/** A screen of the administration. */
export interface AdminScreen {
  readonly to: keyof AdminTexts['screens'];
  readonly label: string;
  /** The tasks that the screen is for. */
  readonly hint: string;
  /** Words by which the search finds the screen, besides its label and hint. */
  readonly words: string;
}

/** A heading of the navigation, and the screens below it. */
export interface AdminSection {
  readonly title: string;
  readonly screens: readonly AdminScreen[];
}

const SCREENS: Readonly<Record<AdminScreen['to'], Right>> = {
  '/admin/people': 'manageUsers',
  '/admin/groups': 'manageUsers',
  '/admin/accounts': 'manageUsers',
  '/admin/providers': 'manageUsers',
  '/admin/audit': 'manageUsers',
  '/admin/settings': 'manageDigitalWorplace',
  '/admin/branding': 'manageDigitalWorplace',
  '/admin/mails': 'manageUsers',
  '/admin/webhooks': 'manageUsers',
  '/admin/communities': 'manageDigitalWorplace',
  '/admin/roles': 'manageDigitalWorplace',
  '/admin/health': 'manageDigitalWorplace',
};

/** Returns the screens that a holder of rights may use, by heading. */
export function adminSections(texts: AdminTexts, rights: ReadonlySet<Right>): readonly AdminSection[] {
  const screen = (to: AdminScreen['to']): AdminScreen => ({ to, ...texts.screens[to] });
  const sections: readonly (readonly [title: string, screens: readonly AdminScreen['to'][]])[] = [
    [texts.peopleAndAccess, ['/admin/people', '/admin/groups', '/admin/accounts', '/admin/providers']],
    [texts.communities, ['/admin/communities', '/admin/roles']],
    [
      texts.portal,
      ['/admin/settings', '/admin/branding', '/admin/health', '/admin/mails', '/admin/webhooks', '/admin/audit'],
    ],
  ];
  return sections
    .map(([title, screens]) => ({ title, screens: screens.filter((to) => rights.has(SCREENS[to])).map(screen) }))
    .filter(({ screens }) => screens.length > 0);
}

/** Returns the sections with the screens that hold every typed word. */
export function findScreens(sections: readonly AdminSection[], text: string): readonly AdminSection[] {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  return sections
    .map(({ title, screens }) => ({
      title,
      screens: screens.filter(({ label, hint, words }) => {
        const all = `${label} ${hint} ${words}`.toLowerCase();
        return wanted.every((word) => all.includes(word));
      }),
    }))
    .filter(({ screens }) => screens.length > 0);
}
