/** The German texts of all pages. */
import type { LanguageFile } from '../../texts/files.ts';
import { account } from './account.ts';
import * as adminTexts from './admin.ts';
import { adminBranding } from './admin-branding.ts';
import * as peopleTexts from './admin-people.ts';
import { builder } from './builder.ts';
import { explanations } from './explanations.ts';
import { figures } from './figures.ts';
import * as homeTexts from './home.ts';
import { imports } from './imports.ts';
import { legal } from './legal.ts';
import { merge } from './merge.ts';
import * as postTexts from './posts.ts';
import { shared } from './shared.ts';
import { adminWebhooks } from './webhooks.ts';
import { fieldErrors, write } from './write.ts';

export const german: LanguageFile = {
  texts: shared,
  pages: {
    ...homeTexts,
    ...postTexts,
    ...adminTexts,
    ...peopleTexts,
    account,
    adminBranding,
    adminWebhooks,
    builder,
    imports,
    explanations,
    fieldErrors,
    figures,
    legal,
    merge,
    write,
  },
};
