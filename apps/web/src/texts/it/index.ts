/** The Italian texts of all pages. */
import type { LanguageFile } from '../files.ts';
import { account } from './account.ts';
import { admin } from './admin.ts';
import { adminAudit } from './admin-audit.ts';
import { adminBranding } from './admin-branding.ts';
import { adminCommunities } from './admin-communities.ts';
import { adminGroups } from './admin-groups.ts';
import { adminHealth } from './admin-health.ts';
import { adminMails } from './admin-mails.ts';
import { adminProviders } from './admin-providers.ts';
import { adminRoles } from './admin-roles.ts';
import { adminServiceAccounts } from './admin-service-accounts.ts';
import { adminSettings } from './admin-settings.ts';
import { adminUsers } from './admin-users.ts';
import { adminWebhooks } from './admin-webhooks.ts';
import { builder } from './builder.ts';
import { builtInRoles } from './built-in-roles.ts';
import { bulk } from './bulk.ts';
import { deleted } from './deleted.ts';
import { explanations } from './explanations.ts';
import { fieldErrors } from './field-errors.ts';
import { figures } from './figures.ts';
import { home } from './home.ts';
import { imports } from './imports.ts';
import { legal } from './legal.ts';
import { list } from './list.ts';
import { listMenu } from './list-menu.ts';
import { merge } from './merge.ts';
import { move } from './move.ts';
import { nouns } from './nouns.ts';
import { palette } from './palette.ts';
import { people } from './people.ts';
import { postKeys } from './post-keys.ts';
import { search } from './search.ts';
import { shared } from './shared.ts';
import { tasks } from './tasks.ts';
import { versions } from './versions.ts';
import { write } from './write.ts';

export const italianTexts: LanguageFile = {
  texts: shared,
  pages: {
    explanations,
    account,
    admin,
    adminAudit,
    adminBranding,
    adminCommunities,
    adminGroups,
    adminHealth,
    adminMails,
    adminProviders,
    adminRoles,
    adminServiceAccounts,
    adminSettings,
    adminUsers,
    adminWebhooks,
    builder,
    imports,
    builtInRoles,
    bulk,
    deleted,
    fieldErrors,
    figures,
    home,
    legal,
    list,
    listMenu,
    merge,
    move,
    postKeys,
    nouns,
    palette,
    people,
    search,
    tasks,
    versions,
    write,
  },
};
