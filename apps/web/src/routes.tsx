/**
 * Addresses of the page. Settings of a list are in its address, so that the address can be shared.
 */
import { createRootRoute, createRoute, createRouter, Outlet, redirect, useParams } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { parseSearch } from './address-search.ts';
import { addresses } from './addresses.ts';
import { readAuditSearch } from './admin/audit/audit-search.ts';
import { readCommunitiesSearch } from './admin/communities/communities-search.ts';
import { AdminGate, forHolders, PersonBesideList } from './admin/gate.tsx';
import { readGroupsSearch } from './admin/groups/groups-search.ts';
import { readMailsSearch } from './admin/mails/mails-search.ts';
import { readAdminPeopleSearch } from './admin/users/people-search.ts';
import { readDeliveriesSearch } from './admin/webhooks/deliveries-search.ts';
import { readFiguresSearch } from './communities/figures/figures-search.ts';
import { readListSearch } from './communities/list-search.ts';
import { PageFailure } from './failures/boundary.tsx';
import { NotFoundPage } from './failures/not-found-page.tsx';
import { part } from './failures/part.ts';
import { readSearchAddress } from './search/search-address.ts';
import { Shell } from './shell/shell.tsx';
import { readLink, takeLink } from './sign-in/one-time-link.ts';
import { readTaskSearch } from './tasks/task-search.ts';
import { readPeopleSearch } from './users/people-search.ts';

const root = createRootRoute({ component: Outlet });

/** Whether a part of an address is an id. */
const isId = (text: string | undefined): boolean => /^[1-9]\d{0,15}$/.test(text ?? '');

/** Shows the page of unknown addresses where the id in the address is none. */
function numbered(Page: ComponentType & { preload?: () => Promise<void> }, name: string) {
  const Numbered = () => {
    const params = useParams({ strict: false }) as Readonly<Record<string, string>>;
    return isId(params[name]) ? <Page /> : <NotFoundPage />;
  };
  return Object.assign(Numbered, Page.preload && { preload: Page.preload });
}

/** @returns the page of the portal to return to after the sign-in */
const readSignInSearch = (search: Record<string, unknown>) => ({
  ...(typeof search['page'] === 'string' && /^\/(?!\/)/.test(search['page']) && { page: search['page'] }),
  ...(typeof search['error'] === 'string' && { error: search['error'] }),
  ...(typeof search['user'] === 'string' && { user: search['user'] }),
  // The browser had a session before.
  ...(search['ended'] === true && { ended: true as const }),
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: addresses.signIn,
  component: part(() => import('./sign-in/sign-in-page.tsx'), 'SignInPage'),
  validateSearch: readSignInSearch,
});
const forgot = createRoute({
  getParentRoute: () => root,
  path: addresses.forgotPassword,
  component: part(() => import('./sign-in/forgot-password-page.tsx'), 'ForgotPasswordPage'),
});
const choose = createRoute({
  getParentRoute: () => root,
  path: addresses.choosePassword,
  component: part(() => import('./sign-in/choose-password-page.tsx'), 'ChoosePasswordPage'),
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
  path: addresses.home,
  component: part(() => import('./home/home-page.tsx'), 'HomePage'),
});
const tasks = createRoute({
  getParentRoute: () => shell,
  path: addresses.tasks,
  component: part(() => import('./tasks/tasks-page.tsx'), 'TasksPage'),
  validateSearch: readTaskSearch,
});
const search = createRoute({
  getParentRoute: () => shell,
  path: addresses.search,
  component: part(() => import('./search/search-page.tsx'), 'SearchPage'),
  validateSearch: readSearchAddress,
});
const deleted = createRoute({
  getParentRoute: () => shell,
  path: addresses.deleted,
  component: part(() => import('./posts/deleted/deleted-page.tsx'), 'DeletedPage'),
  validateSearch: ({ community: id }: Record<string, unknown>): { community?: number } =>
    Number.isSafeInteger(id) ? { community: id as number } : {},
});
const people = createRoute({
  getParentRoute: () => shell,
  path: addresses.people,
  component: part(() => import('./users/people-page.tsx'), 'PeoplePage'),
  validateSearch: readPeopleSearch,
});
/** @throws the redirect to the person beside the list of people */
function showPerson(personId: string): void {
  if (isId(personId)) throw redirect({ to: '/people', search: { person: Number(personId) }, replace: true });
}
const person = createRoute({
  getParentRoute: () => shell,
  path: addresses.person,
  beforeLoad: ({ params: { personId } }) => showPerson(personId),
  component: NotFoundPage,
});
const admin = createRoute({ getParentRoute: () => shell, id: 'admin', component: AdminGate });
const adminOverview = createRoute({
  getParentRoute: () => admin,
  path: addresses.admin,
  component: forHolders(part(() => import('./admin/overview.tsx'), 'AdminOverview')),
});
const adminPeople = createRoute({
  getParentRoute: () => admin,
  path: addresses.adminPeople,
  component: forHolders(
    part(() => import('./admin/users/people-screen.tsx'), 'PeopleScreen'),
    'manageUsers',
  ),
  validateSearch: readAdminPeopleSearch,
});
const adminUser = createRoute({
  getParentRoute: () => admin,
  path: addresses.adminUser,
  component: numbered(
    forHolders(
      part(() => import('./admin/users/person-screen.tsx'), 'PersonScreen'),
      'manageUsers',
      PersonBesideList,
    ),
    'personId',
  ),
});
const adminGroups = createRoute({
  getParentRoute: () => admin,
  path: addresses.adminGroups,
  component: forHolders(
    part(() => import('./admin/groups/groups-screen.tsx'), 'GroupsScreen'),
    'manageUsers',
  ),
  validateSearch: readGroupsSearch,
});
const adminGroup = createRoute({
  getParentRoute: () => admin,
  path: addresses.adminGroup,
  component: numbered(
    forHolders(
      part(() => import('./admin/groups/group-screen.tsx'), 'GroupScreen'),
      'manageUsers',
      part(() => import('./groups/group-page.tsx'), 'GroupPage'),
    ),
    'groupId',
  ),
});
const adminAccounts = createRoute({
  getParentRoute: () => admin,
  path: addresses.adminAccounts,
  component: forHolders(
    part(() => import('./admin/service-accounts/accounts-screen.tsx'), 'AccountsScreen'),
    'manageUsers',
  ),
});
const adminAccount = createRoute({
  getParentRoute: () => admin,
  path: addresses.adminAccount,
  component: numbered(
    forHolders(
      part(() => import('./admin/service-accounts/account-screen.tsx'), 'AccountScreen'),
      'manageUsers',
    ),
    'accountId',
  ),
});
const adminProviders = createRoute({
  getParentRoute: () => admin,
  path: addresses.adminProviders,
  component: forHolders(
    part(() => import('./admin/identity-providers/providers-screen.tsx'), 'ProvidersScreen'),
    'manageUsers',
  ),
});
const adminProviderTrial = createRoute({
  getParentRoute: () => admin,
  path: addresses.adminProviderTrial,
  component: forHolders(
    part(() => import('./admin/identity-providers/trial-screen.tsx'), 'TrialScreen'),
    'manageUsers',
  ),
  validateSearch: ({ provider }: Record<string, unknown>): { provider?: number } =>
    Number.isSafeInteger(provider) ? { provider: provider as number } : {},
});
const adminAudit = createRoute({
  getParentRoute: () => admin,
  path: addresses.adminAudit,
  component: forHolders(
    part(() => import('./admin/audit/audit-screen.tsx'), 'AuditScreen'),
    'manageUsers',
  ),
  validateSearch: readAuditSearch,
});
const adminSettings = createRoute({
  getParentRoute: () => admin,
  path: addresses.adminSettings,
  component: forHolders(
    part(() => import('./admin/settings/settings-screen.tsx'), 'SettingsScreen'),
    'manageDigitalWorplace',
  ),
});
const adminBranding = createRoute({
  getParentRoute: () => admin,
  path: addresses.adminBranding,
  component: forHolders(
    part(() => import('./admin/branding/branding-screen.tsx'), 'BrandingScreen'),
    'manageDigitalWorplace',
  ),
});
const adminMails = createRoute({
  getParentRoute: () => admin,
  path: addresses.adminMails,
  component: forHolders(
    part(() => import('./admin/mails/mails-screen.tsx'), 'MailsScreen'),
    'manageUsers',
  ),
  validateSearch: readMailsSearch,
});
const adminWebhooks = createRoute({
  getParentRoute: () => admin,
  path: addresses.adminWebhooks,
  component: forHolders(
    part(() => import('./admin/webhooks/webhooks-screen.tsx'), 'WebhooksScreen'),
    'manageUsers',
  ),
});
const adminWebhook = createRoute({
  getParentRoute: () => admin,
  path: addresses.adminWebhook,
  component: numbered(
    forHolders(
      part(() => import('./admin/webhooks/webhook-screen.tsx'), 'WebhookScreen'),
      'manageUsers',
    ),
    'webhookId',
  ),
  validateSearch: readDeliveriesSearch,
});
const adminCommunities = createRoute({
  getParentRoute: () => admin,
  path: addresses.adminCommunities,
  component: forHolders(
    part(() => import('./admin/communities/communities-screen.tsx'), 'CommunitiesScreen'),
    'manageDigitalWorplace',
  ),
  validateSearch: readCommunitiesSearch,
});
const adminCommunity = createRoute({
  getParentRoute: () => admin,
  path: addresses.adminCommunity,
  component: numbered(
    forHolders(
      part(() => import('./admin/communities/community-screen.tsx'), 'CommunityScreen'),
      'manageDigitalWorplace',
    ),
    'communityId',
  ),
});
const adminRoles = createRoute({
  getParentRoute: () => admin,
  path: addresses.adminRoles,
  component: forHolders(
    part(() => import('./admin/roles/roles-screen.tsx'), 'RolesScreen'),
    'manageDigitalWorplace',
  ),
});
const adminHealth = createRoute({
  getParentRoute: () => admin,
  path: addresses.adminHealth,
  component: forHolders(
    part(() => import('./admin/health/health-screen.tsx'), 'HealthScreen'),
    'manageDigitalWorplace',
  ),
});
const unknown = createRoute({ getParentRoute: () => shell, path: '$', component: NotFoundPage });
const community = createRoute({
  getParentRoute: () => shell,
  path: addresses.community,
  component: numbered(
    part(() => import('./communities/community-page.tsx'), 'CommunityPage'),
    'communityId',
  ),
  validateSearch: readListSearch,
});
const overview = createRoute({
  getParentRoute: () => shell,
  path: addresses.overview,
  component: numbered(
    part(() => import('./communities/figures/overview-page.tsx'), 'OverviewPage'),
    'communityId',
  ),
});
const figures = createRoute({
  getParentRoute: () => shell,
  path: addresses.figures,
  component: numbered(
    part(() => import('./communities/figures/figures-page.tsx'), 'FiguresPage'),
    'communityId',
  ),
  validateSearch: readFiguresSearch,
});
const builder = createRoute({
  getParentRoute: () => shell,
  path: addresses.builder,
  component: numbered(
    part(() => import('./communities/builder/builder-page.tsx'), 'BuilderPage'),
    'communityId',
  ),
});
const imports = createRoute({
  getParentRoute: () => shell,
  path: addresses.imports,
  component: numbered(
    part(() => import('./communities/imports/imports-page.tsx'), 'ImportsPage'),
    'communityId',
  ),
});
const post = createRoute({
  getParentRoute: () => shell,
  path: addresses.post,
  component: numbered(
    part(() => import('./posts/post-page.tsx'), 'PostPage'),
    'postId',
  ),
});
const versions = createRoute({
  getParentRoute: () => shell,
  path: addresses.versions,
  component: numbered(
    part(() => import('./posts/versions-page.tsx'), 'VersionsPage'),
    'postId',
  ),
  validateSearch: ({ version }: Record<string, unknown>): { version?: number } =>
    Number.isSafeInteger(version) ? { version: version as number } : {},
});
const account = createRoute({
  getParentRoute: () => shell,
  id: 'account',
  component: part(() => import('./account/account-page.tsx'), 'AccountPage'),
});
const profile = createRoute({
  getParentRoute: () => account,
  path: addresses.profile,
  component: part(() => import('./account/profile-page.tsx'), 'ProfilePage'),
});
const security = createRoute({
  getParentRoute: () => account,
  path: addresses.security,
  component: part(() => import('./account/security-page.tsx'), 'SecurityPage'),
});
const notifications = createRoute({
  getParentRoute: () => account,
  path: addresses.notifications,
  component: part(() => import('./account/notifications-page.tsx'), 'NotificationsPage'),
});
const tokens = createRoute({
  getParentRoute: () => account,
  path: addresses.tokens,
  component: part(() => import('./account/tokens-page.tsx'), 'TokensPage'),
});
const device = createRoute({
  getParentRoute: () => shell,
  path: addresses.device,
  component: part(() => import('./account/device-page.tsx'), 'DevicePage'),
  validateSearch: ({ code }: Record<string, unknown>): { code?: string } =>
    typeof code === 'string' || typeof code === 'number' ? { code: String(code).slice(0, 20) } : {},
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
      admin.addChildren([
        adminOverview,
        adminPeople,
        adminUser,
        adminGroups,
        adminGroup,
        adminAccounts,
        adminAccount,
        adminProviders,
        adminProviderTrial,
        adminAudit,
        adminSettings,
        adminBranding,
        adminHealth,
        adminMails,
        adminWebhooks,
        adminWebhook,
        adminCommunities,
        adminCommunity,
        adminRoles,
      ]),
      unknown,
      community,
      overview,
      figures,
      builder,
      imports,
      post,
      versions,
      device,
      account.addChildren([profile, security, notifications, tokens]),
    ]),
  ]),
  basepath: '/portal',
  parseSearch,
  defaultPreload: false,
  defaultErrorComponent: PageFailure,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
