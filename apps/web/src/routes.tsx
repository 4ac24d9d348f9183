/**
 * Addresses of the page. Settings of a list are in its address, so that the address can be shared.
 */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { parseSearch } from './address-search.ts';
import { readListSearch } from './community/list-search.ts';
import { readPeopleSearch } from './people/people-search.ts';
import { readSearchAddress } from './search/search-address.ts';
import { Shell } from './shell/shell.tsx';
import { readLink, takeLink } from './sign-in/one-time-link.ts';
import { readTaskSearch } from './tasks/task-search.ts';

const root = createRootRoute({ component: Outlet });

/** @returns the page of the portal to return to after the sign-in */
const readSignInSearch = (search: Record<string, unknown>) => ({
  ...(typeof search['page'] === 'string' && /^\/(?!\/)/.test(search['page']) && { page: search['page'] }),
  ...(typeof search['error'] === 'string' && { error: search['error'] }),
  ...(typeof search['user'] === 'string' && { user: search['user'] }),
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: lazyRouteComponent(() => import('./sign-in/sign-in-page.tsx'), 'SignInPage'),
  validateSearch: readSignInSearch,
});
const forgot = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: lazyRouteComponent(() => import('./sign-in/forgot-password-page.tsx'), 'ForgotPasswordPage'),
});
const choose = createRoute({
  getParentRoute: () => root,
  path: '/choose-password',
  component: lazyRouteComponent(() => import('./sign-in/choose-password-page.tsx'), 'ChoosePasswordPage'),
});
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Shell,
  // One-time links and refusals of providers are in the fragment, which is never sent to a server.
  beforeLoad: ({ location }) => {
    const link = readLink(location.hash);
    if (link) {
      takeLink(link);
      throw redirect({ to: '/choose-password', replace: true });
    }
    const error = /^\/?sign-in\?error=([\w-]+)$/.exec(location.hash)?.[1];
    if (error !== undefined) throw redirect({ to: '/sign-in', search: { error }, replace: true });
  },
});
const home = createRoute({
  getParentRoute: () => shell,
  path: '/',
  component: lazyRouteComponent(() => import('./home/home-page.tsx'), 'HomePage'),
});
const tasks = createRoute({
  getParentRoute: () => shell,
  path: '/tasks',
  component: lazyRouteComponent(() => import('./tasks/tasks-page.tsx'), 'TasksPage'),
  validateSearch: readTaskSearch,
});
const search = createRoute({
  getParentRoute: () => shell,
  path: '/search',
  component: lazyRouteComponent(() => import('./search/search-page.tsx'), 'SearchPage'),
  validateSearch: readSearchAddress,
});
const deleted = createRoute({
  getParentRoute: () => shell,
  path: '/deleted',
  component: lazyRouteComponent(() => import('./deleted/deleted-page.tsx'), 'DeletedPage'),
  validateSearch: ({ community: id }: Record<string, unknown>): { community?: number } =>
    Number.isSafeInteger(id) ? { community: id as number } : {},
});
const people = createRoute({
  getParentRoute: () => shell,
  path: '/people',
  component: lazyRouteComponent(() => import('./people/people-page.tsx'), 'PeoplePage'),
  validateSearch: readPeopleSearch,
});
const person = createRoute({
  getParentRoute: () => shell,
  path: '/people/$personId',
  beforeLoad: ({ params: { personId } }) => {
    throw redirect({ to: '/people', search: { person: Number(personId) }, replace: true });
  },
});
const community = createRoute({
  getParentRoute: () => shell,
  path: '/community/$communityId',
  component: lazyRouteComponent(() => import('./community/community-page.tsx'), 'CommunityPage'),
  validateSearch: readListSearch,
});
const post = createRoute({
  getParentRoute: () => shell,
  path: '/post/$postId',
  component: lazyRouteComponent(() => import('./post/post-page.tsx'), 'PostPage'),
});
const versions = createRoute({
  getParentRoute: () => shell,
  path: '/post/$postId/versions',
  component: lazyRouteComponent(() => import('./post/versions-page.tsx'), 'VersionsPage'),
  validateSearch: ({ version }: Record<string, unknown>): { version?: number } =>
    Number.isSafeInteger(version) ? { version: version as number } : {},
});
const account = createRoute({
  getParentRoute: () => shell,
  path: '/me',
  component: lazyRouteComponent(() => import('./account/account-page.tsx'), 'AccountPage'),
});
const profile = createRoute({
  getParentRoute: () => account,
  path: '/',
  component: lazyRouteComponent(() => import('./account/profile-page.tsx'), 'ProfilePage'),
});
const security = createRoute({
  getParentRoute: () => account,
  path: '/security',
  component: lazyRouteComponent(() => import('./account/security-page.tsx'), 'SecurityPage'),
});
const notifications = createRoute({
  getParentRoute: () => account,
  path: '/notifications',
  component: lazyRouteComponent(() => import('./account/notifications-page.tsx'), 'NotificationsPage'),
});
const tokens = createRoute({
  getParentRoute: () => account,
  path: '/tokens',
  component: lazyRouteComponent(() => import('./account/tokens-page.tsx'), 'TokensPage'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    forgot,
    choose,
    shell.addChildren([
      home,
      tasks,
      search,
      deleted,
      people,
      person,
      community,
      post,
      versions,
      account.addChildren([profile, security, notifications, tokens]),
    ]),
  ]),
  basepath: '/portal',
  parseSearch,
  defaultPreload: false,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
