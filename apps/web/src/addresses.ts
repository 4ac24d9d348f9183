/**
 * Addresses of the pages below `/portal`, in the form of the router. The server answers these with
 * the page, and all others with the page and status 404.
 */
export const addresses = {
  home: '/',
  signIn: '/sign-in',
  forgotPassword: '/forgot-password',
  choosePassword: '/choose-password',
  tasks: '/tasks',
  search: '/search',
  deleted: '/deleted',
  people: '/people',
  person: '/people/$personId',
  community: '/community/$communityId',
  overview: '/community/$communityId/overview',
  figures: '/community/$communityId/figures',
  builder: '/community/$communityId/build',
  imports: '/community/$communityId/imports',
  post: '/post/$postId',
  versions: '/post/$postId/versions',
  profile: '/me',
  notifications: '/me/notifications',
  security: '/me/security',
  tokens: '/me/tokens',
  // RFC 8628: programs print this address.
  device: '/device',
  admin: '/admin',
  adminPeople: '/admin/people',
  adminGroups: '/admin/groups',
  adminAccounts: '/admin/accounts',
  adminAccount: '/admin/account/$accountId',
  adminProviders: '/admin/providers',
  // The server leads to it after a trial sign-in.
  adminProviderTrial: '/admin/providers/trial',
  adminAudit: '/admin/audit',
  adminCommunities: '/admin/communities',
  adminCommunity: '/admin/community/$communityId',
  adminRoles: '/admin/roles',
  adminSettings: '/admin/settings',
  adminBranding: '/admin/branding',
  adminHealth: '/admin/health',
  adminMails: '/admin/mails',
  adminWebhooks: '/admin/webhooks',
  adminWebhook: '/admin/webhook/$webhookId',
  // Clients compose these two as links to a person and to a group.
  adminUser: '/admin/user/$personId',
  adminGroup: '/admin/group/$groupId',
} as const;
